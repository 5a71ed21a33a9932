import CallSupport

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

    init(
        _ files: [String: String] = [:], at time: Double = 1_700_000_000.5,
        handler: @escaping LoopbackServer.Handler,
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws {
        let server = try LoopbackServer(handler: handler)
        self.server = server
        folder = try TemporaryFolder(
            files.merging([
                "Environments/Live-Env.json":
                    #"{"description": "Live", "baseURL": "\#(server.baseURL)", "$secrets": ["key", "pin"], "key": null, "pin": null}"#,
                "Environments/Live-Secrets.json": #"{"key": "s3cret/value", "pin": 987654}"#,
            ]) { $1 })
        try FileManager.default.createDirectory(at: folder["Mocks"], withIntermediateDirectories: true)
        environment = try Environment.load("Live", from: folder["Environments"])
        recorder = try RecordingMiddleware(
            environment: environment, recorder: MockRecorder(folder: folder["Mocks"]), tell: { _ in },
            variables: [:],
            now: { Date(timeIntervalSince1970: time) })
        client = try APIClient { [environment, recorder] in
            $0.environment = environment
            $0.middleware = [recorder]
            configure(&$0)
        }
    }

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

    /// A client whose calls are answered by the recordings.
    func replay(_ values: Parameters = ["baseURL": "https://t.invalid/api"]) throws -> APIClient {
        try APIClient {
            $0.environment = try Environment("Testing", values: values)
            $0.mocks = folder["Mocks"]
        }
    }

    static func json(
        _ text: String, _ headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackServer.Handler {
        { _, connection in connection.respond(200, headers: headers, body: text) }
    }
}
