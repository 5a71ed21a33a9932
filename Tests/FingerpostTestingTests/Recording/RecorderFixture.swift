import FingerpostFiles

@testable import FingerpostChecks
@testable import FingerpostMockFiles
@testable import FingerpostTesting

/// A server, a mocks folder, and a client that records into it.
final class RecorderFixture: Sendable {
    enum API: Routable {
        case user(login: String)
        case save(login: String)
        case avatar, page, feed, bad, outside, none

        var method: HTTPMethod { if case .save = self { .put } else { .get } }
        var path: RoutePath {
            switch self {
            case .user(let login), .save(let login): "users/\(login)/profile"
            default: "\(String(describing: self))"
            }
        }
        var mock: MockName? {
            switch self {
            case .user: "users/show"
            case .save: "users/save"
            case .avatar: "avatar.png"
            case .page: "page"
            case .feed: "feed"
            case .bad: "bad"
            case .outside: "../outside"
            case .none: .unmocked
            }
        }
    }

    let server: LoopbackServer
    let folder: TemporaryFolder
    let environment: Environment
    let recorder: RecordingMiddleware
    let client: APIClient

    convenience init(
        _ files: [String: String] = [:], handler: @escaping LoopbackServer.Handler,
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws {
        let server = try LoopbackServer(handler: handler)
        let folder = try TemporaryFolder(
            files.merging([
                "Environments/Live-Env.json":
                    #"{"description": "Live", "baseURL": "\#(server.baseURL)", "$secrets": ["key", "pin"], "key": null, "pin": null}"#,
                "Environments/Live-Secrets.json": #"{"key": "s3cret/value", "pin": 987654}"#,
            ]) { $1 })
        try FileManager.default.createDirectory(at: folder["Mocks"], withIntermediateDirectories: true)
        try self.init(server, folder, at: Date(timeIntervalSince1970: 1_700_000_000.5), configure)
    }

    /// A server that answers every request with this body.
    convenience init(
        _ files: [String: String] = [:], answer body: String, _ headers: KeyValuePairs<String, String> = [:],
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws {
        try self.init(files, handler: Self.json(body, headers), configure: configure)
    }

    /// A server that answers each request with the next answer. An empty type stands for no `Content-Type`.
    convenience init(
        _ files: [String: String] = [:], answers: [(status: Int, type: String, body: String)],
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws {
        let rest = Locked(answers)
        try self.init(files) { _, connection in
            let answer = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            let headers: KeyValuePairs = answer.type.isEmpty ? [:] : ["Content-Type": answer.type]
            connection.respond(answer.status, headers: headers, body: answer.body)
        } configure: {
            configure(&$0)
        }
    }

    private init(
        _ server: LoopbackServer, _ folder: TemporaryFolder, at date: Date,
        _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws {
        (self.server, self.folder) = (server, folder)
        environment = try Environment.load("Live", from: folder["Environments"])
        recorder = try RecordingMiddleware(
            environment: environment, recorder: MockRecorder(folder: folder["Mocks"]), tell: { _ in }, variables: [:],
            now: { date })
        client = try APIClient { [environment, recorder] in
            $0.environment = environment
            $0.middleware = [recorder]
            configure(&$0)
        }
    }

    /// A later run, which records the same server into the same folder.
    func later() throws -> RecorderFixture { try RecorderFixture(server, folder, at: Date()) }

    func lines() -> [String] {
        recorder.lines.map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
    }

    /// The text of each file in the mocks folder, by path.
    func files() throws -> [String: String] {
        let names = FileManager.default.enumerator(atPath: folder["Mocks"].path)?.compactMap { $0 as? String } ?? []
        return names.reduce(into: [:]) { files, name in
            let url = folder["Mocks/\(name)"]
            guard url.hasDirectoryPath == false, let data = try? Data(contentsOf: url) else { return }
            files[name] = String(decoding: data, as: UTF8.self)
        }
    }

    /// The text of each file but settings, by path.
    func bodies() throws -> [String: String] { try files().filter { !$0.key.hasSuffix(".mock.json") } }

    /// The settings of a mock.
    func settings(of mock: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder["Mocks/\(mock).mock.json"]))
    }

    /// The request that the settings of each mock are for, by the mock's name.
    func requests() throws -> [String: String] {
        try files().keys.reduce(into: [:]) { requests, file in
            guard let end = file.range(of: ".mock.json") else { return }
            let mock = String(file[..<end.lowerBound])
            if case .string(let request)? = try settings(of: mock)["for"] { requests[mock] = request }
        }
    }

    /// The problems of the recorded folder.
    func problems() throws -> [FileProblem] {
        MockFolderCheck.problems(of: try MockIndex(url: folder["Mocks"]), at: Date())
    }

    /// A client whose calls are answered by the recordings.
    func replay(_ values: Parameters = ["baseURL": "https://t.invalid/api"]) throws -> APIClient {
        try APIClient {
            $0.environment = try Environment("Testing", values: values)
            $0.mocks = folder["Mocks"]
        }
    }

    /// What an audit of the recordings finds.
    func findings(_ routes: any RouteConvertible..., skipping: Set<MockFinding.Kind> = []) throws -> [MockFinding] {
        try MockAudit(options: .init(routes: routes, folder: folder["Mocks"], skipping: skipping)).findings
    }

    static func json(_ text: String, _ headers: KeyValuePairs<String, String> = [:]) -> LoopbackServer.Handler {
        { _, connection in connection.respond(200, headers: headers, body: text) }
    }
}
