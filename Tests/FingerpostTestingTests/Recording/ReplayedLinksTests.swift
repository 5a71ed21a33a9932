import FingerpostStreams

@testable import FingerpostTesting

/// Lists that were recorded from one server and answer under another base URL.
@Suite(.inTurn) struct ReplayedLinksTests {
    private enum API: Routable {
        case events(of: String)

        var path: RoutePath { if case .events(let user) = self { "users/\(user)/events" } else { "" } }
        var parameters: Parameters? { ["size": 2] }
        /// Pages of the recorded host are not refused where mocks answer.
        var authorization: AuthorizationPolicy { .required }
        var responseType: (any (Decodable & Sendable).Type)? { Page.self }
    }

    private struct Page: Codable, Sendable {
        var value: [Int]
        var next: String?
    }

    /// How a server names the next page.
    enum Kind: CaseIterable {
        case odata, django, header, absolutePath, relativePath, query

        /// The next address of a list below a base URL.
        func address(below base: String, _ query: String) -> String {
            let path = "users/ann/events?\(query)"
            switch self {
            case .odata, .django, .header: return "\(base)/\(path)"
            case .absolutePath: return "\(base.trimmingPrefix(/https?:\/\/[^\/]*/))/\(path)"
            case .relativePath: return "../ann/\(path.dropFirst("users/ann/".count))"
            case .query: return "?\(query)"
            }
        }
    }

    private static let bases = [
        "https://a.example/v1.0", "https://b.example/v1.0", "https://a.example:8443/v1.0", "http://a.example/v1.0",
        "https://a.example", "https://a.example/v1.0/beta", "https://a.example/v2", "http://127.0.0.1:8000",
        "https://graph.invalid/api/v1.0",
    ]

    /// Three pages of a list.
    private static func server(at base: String, _ kind: Kind) -> StubTransport {
        StubTransport { request, _ in
            let skipped = request.url?.query?.firstMatch(of: /skip=([0-9]+)/).flatMap { Int($0.1) } ?? 0
            let number = skipped / 2 + 1
            let next = kind.address(below: base, "size=2&$skip=\(number * 2)")
            let isLast = number == 3
            let headers: HTTPHeaders = kind == .header && !isLast ? [.link: "<\(next)>; rel=\"next\""] : [:]
            let page = Page(value: [number], next: kind == .header || isLast ? nil : next)
            return (200, headers, String(decoding: try JSONEncoder().encode(page), as: UTF8.self))
        }
    }

    private static func load(_ client: APIClient, _ kind: Kind) async throws -> [[Int]] {
        try await client.pages(
            API.events(of: "ann"), as: Page.self, by: kind == .header ? .link : .url { $0.next }
        ).all().map(\.value.value)
    }

    /// Each pair of base URLs.
    @Test(arguments: Kind.allCases, bases)
    func `A recorded list has the same pages under every base URL`(kind: Kind, recorded: String) async throws {
        let folder = try TemporaryFolder()
        let staging = try Environment("Staging", values: ["baseURL": recorded])
        let recorder = try RecordingMiddleware(
            environment: staging, recorder: MockRecorder(folder: folder.url), tell: { _ in }, variables: [:])
        let live = try APIClient {
            $0.environment = staging
            $0.authorization = .bearer("t")
            $0.transport = Self.server(at: recorded, kind)
            $0.middleware = [recorder]
        }
        var loaded = ["live": try await Self.load(live, kind)]
        for base in Self.bases {
            let client = try APIClient {
                $0.environment = try Environment("Testing", values: ["baseURL": base])
                $0.mocks = folder.url
                $0.authorization = .bearer("t")
            }
            loaded[base] = try await Self.load(client, kind)
        }
        let audit = try MockAudit(options: .init(routes: [API.events(of: "ann")], folder: folder.url))
        let wrong = loaded.filter { $0.value != [[1], [2], [3]] }
        let found = (wrong, recorder.lines.count, audit.findings.filter(\.isError))
        #expect(found == ([:], 6, []), "\(recorder.lines) \(audit.findings)")
    }

    /// Where the call could be sent, nothing leads from https to http, and a body stays with its server.
    @Test(arguments: [.sealed, .mocksThenLive] as [Environment.Network])
    func `A link of a mock leads anywhere where nothing can be sent`(network: Environment.Network) async throws {
        let folder = try TemporaryFolder([
            "Mocks/events.json": #"{"value": [1], "next": "http://127.0.0.1:1/v1/search?page=2"}"#,
            "Mocks/events.page2.json": #"{"value": [2]}"#,
            "Mocks/events.page2.mock.json": #"{"for": "POST /search?page=2"}"#,
        ])
        let transport = StubTransport(200, [:], #"{"value": [3]}"#)
        let client = try APIClient {
            $0.environment = try Environment(
                "Demo", values: ["baseURL": "https://t.invalid/v2", "$network": "\(network)"])
            $0.mocks = folder["Mocks"]
            $0.transport = transport
        }
        let pages = client.pages(
            Route.post("search").json(["q": "x"]).mock("events"), as: Page.self, by: .url { $0.next })
        let outcome: String
        do { outcome = "\(try await pages.all().map(\.value.value))" } catch let error as APIError {
            outcome = "\(error.kind): \(error.message). Fix: \(error.fix ?? "")"
        }
        let refusal = """
            transport: the link to the next page leads from https to http, http://127.0.0.1:1/v1/search?page=2. Fix: let \
            the server link to https (behind a proxy, it must heed X-Forwarded-Proto); the links of a mock are followed \
            where the environment is sealed
            """
        #expect((outcome, transport.requests) == (network == .sealed ? "[[1], [2]]" : refusal, []))
    }
}
