@testable import FingerpostTesting

/// One audit of routers that different clients send.
@Suite(.inTurn) struct AuditedRouterTests {
    private struct Event: Decodable, Sendable { var startTime: String }
    private struct Token: Decodable, Sendable { var accessToken: String }
    private struct Problem: ErrorResponse { var message: String }
    private struct Refusal: ErrorResponse {
        var errorDescription: String
        var message: String { errorDescription }
    }

    private enum Graph: SampledRoutes, Routable {
        case event(id: Int)

        static var samples: [Graph] { [.event(id: 7)] }
        var path: RoutePath { if case .event(let id) = self { "events/\(id)" } else { "" } }
        var responseType: (any (Decodable & Sendable).Type)? { Event.self }
    }

    private enum Login: SampledRoutes, Routable, CaseIterable {
        case token

        var method: HTTPMethod { .post }
        var path: RoutePath { "token" }
        var responseType: (any (Decodable & Sendable).Type)? { Token.self }
    }

    private static let base = URL(string: "https://t.invalid")!
    private static let api = APIClient(baseURL: base) { $0.errorResponse = Problem.self }
    private static let login = APIClient(baseURL: base) {
        $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
        $0.errorResponse = Refusal.self
    }

    private static let files = [
        "Mocks/event.json": #"{"startTime": "now"}"#, "Mocks/event.404.json": #"{"message": "gone"}"#,
        "Mocks/token.json": #"{"access_token": "abc"}"#, "Mocks/token.400.json": #"{"error_description": "no"}"#,
    ]

    private static func findings(
        _ changes: [String: String], _ routers: [AuditedRouter]
    ) throws -> [String] {
        let folder = try TemporaryFolder(files.merging(changes) { $1 })
        let audit = try MockAudit(routers, options: .init(folder: folder["Mocks"]))
        return audit.findings.map { "\($0.kind.rawValue) \($0.mock ?? "")" }
    }

    /// Each change with what is found.
    @Test(
        arguments: [
            ([:], []), (["Mocks/stray.json": "1"], ["orphan stray"]),
            (["Mocks/event.json": #"{"start_time": "now"}"#], ["undecodable event"]),
            (["Mocks/token.400.json": #"{"message": "no"}"#], ["undecodable token"]),
            (["Mocks/token.mock.json": #"{"for": "GET /token"}"#], ["wrongRoute token"]),
        ] as [([String: String], [String])])
    func `Each router is audited with its own client, and a file of none is an orphan`(
        changes: [String: String], found: [String]
    ) throws {
        let routers: [AuditedRouter] = [.init(Graph.self, client: Self.api), .init(Login.self, client: Self.login)]
        let outcome = try (Self.findings(changes, routers), Self.findings(changes, routers.reversed()))
        #expect(outcome == (found, found))
    }

    @Test func `The test runs one audit of all pairs`() async throws {
        let folder = try TemporaryFolder(Self.files.merging(["Mocks/stray.json": "1"]) { $1 })
        let (api, login) = (Self.api.with { $0.mocks = folder["Mocks"] }, Self.login)
        let issues = try await recordedIssues {
            try MockAudit.run([.init(Graph.self, client: api), .init(Login.self, client: login)])
        }
        #expect(issues.map { $0.text.contains("stray.json: error: no route names this mock") } == [true], "\(issues)")
    }

    @Test func `Clients with different folders are an error`() throws {
        let (one, other) = (try TemporaryFolder(Self.files), try TemporaryFolder(Self.files))
        let (api, login) = (
            Self.api.with { $0.mocks = one["Mocks"] }, Self.login.with { $0.mocks = other["Mocks"] }
        )
        let routers: [AuditedRouter] = [.init(Graph.self, client: api), .init(Login.self, client: login)]
        let error = #expect(throws: FileProblem.self) { try MockAudit(routers) }
        let texts = [error?.message.contains("different folders"), error?.fix?.contains("folder:")]
        let findings = try MockAudit(routers, options: .init(folder: one["Mocks"])).findings
        #expect((texts, findings) == ([true, true], []), "\(error as Any)")
    }
}
