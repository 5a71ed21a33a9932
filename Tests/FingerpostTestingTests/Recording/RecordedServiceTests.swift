import CallSupport
import FingerpostStreams

@testable import FingerpostTesting

/// A service with lists, one-time addresses and a login of its own: recorded from a server on this machine, which is
/// stopped, and replayed and audited under another base URL.
@Suite(.inTurn) struct RecordedServiceTests {
    struct Page: Decodable, Sendable {
        var value: [Int]
        var next: String?
        var delta: String?
    }
    struct Upload: Decodable, Sendable { var uploadUrl: URL }
    struct Job: Decodable, Sendable { var status: String }
    struct Token: Decodable, Sendable { var tokenType: String }

    enum Graph: Routable, SampledRoutes {
        case events
        case changes(since: URL)
        case createUpload(name: String)
        case chunk(URL)
        case copy(id: Int)
        case copyStatus(URL)

        static var samples: [Graph] {
            let url = URL(string: "https://any.example/path/x?y=1")!
            return [
                .events, .changes(since: url), .createUpload(name: "a"), .chunk(url), .copy(id: 1), .copyStatus(url),
            ]
        }

        var method: HTTPMethod {
            switch self {
            case .createUpload, .copy: .post
            case .chunk: .put
            default: .get
            }
        }
        var path: RoutePath {
            switch self {
            case .events: "me/events"
            case .createUpload(let name): "drive/\(name)/createUploadSession"
            case .copy(let id): "drive/\(id)/copy"
            case .changes(let url), .chunk(let url), .copyStatus(let url): RoutePath(url)
            }
        }
        var responseType: (any (Decodable & Sendable).Type)? {
            switch self {
            case .events, .changes: Page.self
            case .createUpload: Upload.self
            case .copyStatus: Job.self
            case .chunk, .copy: NoContent.self
            }
        }
    }

    enum Login: Routable, CaseIterable, SampledRoutes {
        case poll

        var method: HTTPMethod { .post }
        var path: RoutePath { "oauth/token" }
        var responseType: (any (Decodable & Sendable).Type)? { Token.self }
    }

    /// Each address that is used once has another id in each run.
    private static func answer(_ request: ReceivedRequest, _ connection: Connection, _ base: String, _ run: Int) {
        switch (request.method, request.target) {
        case ("GET", "/v1.0/me/events"):
            connection.respond(200, body: #"{"value": [1], "next": "\#(base)/me/events?$skiptoken=a\#(run)"}"#)
        case ("GET", "/v1.0/me/events?$skiptoken=a\(run)"):
            connection.respond(200, body: #"{"value": [2], "delta": "\#(base)/me/events/delta?$deltatoken=d\#(run)"}"#)
        case ("GET", "/v1.0/me/events/delta?$deltatoken=d\(run)"):
            connection.respond(200, body: #"{"value": [3], "next": "\#(base)/me/events/delta?$skiptoken=e\#(run)"}"#)
        case ("GET", "/v1.0/me/events/delta?$skiptoken=e\(run)"): connection.respond(200, body: #"{"value": [4]}"#)
        case ("POST", "/v1.0/drive/a/createUploadSession"):
            connection.respond(200, body: #"{"uploadUrl": "\#(base.dropLast(5))/up/\#(run)?s=1"}"#)
        case ("PUT", "/up/\(run)?s=1"): connection.respond(201)
        case ("POST", "/v1.0/drive/7/copy"):
            connection.respond(202, headers: ["Location": "\(base)/monitor/\(run)"])
        case ("GET", "/v1.0/monitor/\(run)"): connection.respond(200, body: #"{"status": "completed"}"#)
        case ("POST", "/v1.0/oauth/token"): connection.respond(200, body: #"{"token_type": "Bearer"}"#)
        default: connection.respond(404)
        }
    }

    /// What the app does, and what it sees.
    private static func use(_ api: APIClient, _ login: APIClient) async throws -> [String] {
        var seen = [try await login.send(Login.poll, as: Token.self).tokenType]
        let pages = try await api.pages(Graph.events, as: Page.self, by: .url { $0.next }).all().map(\.value)
        seen += pages.flatMap(\.value).map { "\($0)" }
        let delta = try #require(pages.last?.delta.flatMap { URL(string: $0) })
        let changes = api.pages(Graph.changes(since: delta), as: Page.self, by: .url { $0.next })
        seen += try await changes.all().flatMap(\.value.value).map { "\($0)" }
        let upload = try await api.send(Graph.createUpload(name: "a"), as: Upload.self)
        try await api.send(Graph.chunk(upload.uploadUrl))
        let location = try await api.response(for: Graph.copy(id: 7), as: Data.self).headers[.location]
        let monitor = try #require(location.flatMap { URL(string: $0) })
        return seen + [try await api.send(Graph.copyStatus(monitor), as: Job.self).status]
    }

    private static func clients(
        _ environment: Environment, _ mocks: TemporaryFolder, _ recorder: RecordingMiddleware? = nil
    ) throws -> (api: APIClient, login: APIClient) {
        let api = try APIClient {
            $0.environment = environment
            $0.mocks = mocks["Mocks"]
            if let recorder { $0.middleware = [recorder] }
        }
        return (api, api.with { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase })
    }

    @Test func `A recorded service is replayed and audited under another base URL`() async throws {
        let folder = try TemporaryFolder([:])
        try FileManager.default.createDirectory(at: folder["Mocks"], withIntermediateDirectories: true)
        let expected = ["Bearer", "1", "2", "3", "4", "completed"]
        // Recorded again, the service has other ids.
        for run in 1...2 {
            let base = Locked("")
            let server = try LoopbackServer { Self.answer($0, $1, base.withLock { $0 }, run) }
            base.withLock { $0 = "\(server.baseURL.absoluteString)/v1.0" }
            let local = try Environment("Local", values: ["baseURL": base.withLock { $0 }])
            let recorder = try RecordingMiddleware(
                environment: local, recorder: MockRecorder(folder: folder["Mocks"]), tell: { _ in }, variables: [:])
            let live = try Self.clients(local, folder, recorder)
            #expect(try await Self.use(live.api, live.login) == expected)
            #expect(!recorder.lines.contains { $0.hasPrefix("not written") }, "\(recorder.lines)")
            server.stop()

            let testing = try Environment("Testing", values: ["baseURL": "https://graph.invalid/v1.0"])
            let (api, login) = try Self.clients(testing, folder)
            #expect(try await Self.use(api, login) == expected)
            let audit = try MockAudit([.init(Graph.self, client: api), .init(Login.self, client: login)])
            #expect(audit.findings.filter(\.isError).isEmpty, "\(audit.report)")
        }
    }
}
