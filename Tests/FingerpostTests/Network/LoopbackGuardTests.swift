import CallSupport
import FingerpostMocks
import FingerpostTransfers

@testable import Fingerpost

@Suite(.inTurn, .concurrent) struct LoopbackGuardTests {
    /// A transport of the app that sends with `URLSessionTransport`, possibly without the test's scope, as a detached
    /// task does.
    private struct Wrapper: Transport {
        let inner = URLSessionTransport()
        var leavesScope = false

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            try await APIScope.$current.withValue(leavesScope ? nil : .current) {
                try await inner.send(request, for: route)
            }
        }
    }

    private static let elsewhere = [
        "https://api.example.com", "http://10.0.0.1", "http://127.0.0.1.example.com", "http://127.1",
        "http://127.-0.0.1", "http://localhost.example.com", "HTTPS://api.example.com", "http://[::2]",
    ]

    /// Whether the error of a call that must be refused says that nothing is sent, and this reason.
    private func isRefused(_ reason: String, _ send: @Sendable () async throws -> Void) async throws -> Bool {
        let message = try await failure(.mock) { try await send() }.message
        return message.contains("sent") && message.contains(reason)
    }

    /// A call that no scope reports also makes the run of tests fail.
    private func unscoped(_ send: @escaping @Sendable () async throws -> Void) async throws {
        let issues = try await recordedIssues {
            let isRefused = try await isRefused("has no scope", send)
            #expect(isRefused)
        }
        #expect(issues.count == 1 && issues[0].text.contains("GET x: the call has no scope"), "\(issues)")
    }

    @Test(arguments: elsewhere) func `Without a scope a test reaches no other machine`(url: String) async throws {
        let base = try #require(URL(string: url))
        try await unscoped { _ = try await APIClient(baseURL: base).data(for: Route.get("x")) }
        try await unscoped { _ = try await URLSessionTransport().send(URLRequest(url: base), for: Route.get("x")) }
        let client = APIClient(baseURL: base) { $0.transport = Wrapper() }
        try await unscoped { _ = try await client.data(for: Route.get("x")) }
        try await unscoped { try await client.download(Route.get("x"), to: URL(fileURLWithPath: "/tmp/never")) }
    }

    @Test(.mocks, arguments: elsewhere)
    func `A sealed test reaches no other machine, even past its client`(url: String) async throws {
        let base = try #require(URL(string: url))
        let isRefused = try await isRefused("the test is sealed") {
            _ = try await URLSessionTransport().send(URLRequest(url: base), for: Route.get("x"))
        }
        #expect(isRefused)
        let wrapper = Wrapper(leavesScope: true)
        try await unscoped { _ = try await wrapper.send(URLRequest(url: base), for: Route.get("x")) }
    }

    @Test func `The guard holds for redirects, and for transports that wrap URLSessionTransport`() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(302, headers: ["Location": "http://api.example.com/secret"])
        }
        let environment = try Self.guess(server.baseURL)
        for (transport, reports) in [
            (Wrapper(), 0), (Wrapper(leavesScope: true), 1), (URLSessionTransport(), 0),
        ] as [(any Transport, Int)] {
            let before = server.requests.count
            let client = try transport.client(in: environment)
            let scope = APIScope(environment: environment)
            let issues = try await recordedIssues {
                let error = try await scope.run {
                    try await failure(.mock) { try await client.data(for: Route.get("x")) }
                }
                #expect(error.request?.contains("api.example.com") == true)
            }
            #expect(issues.allSatisfy { $0.text.contains("has no scope") }, "\(issues)")
            #expect((issues.count, server.requests.count) == (reports, before + 1))
        }
    }

    // MARK: Scopes

    /// An environment that was selected because it is the only one.
    private static func guess(_ url: URL) throws -> Environment {
        let fixture = try EnvironmentFixture(["Staging-Env.json": #"{"baseURL": "\#(url.absoluteString)"}"#])
        return try Environment(
            file: fixture.folder["Staging-Env.json"], layers: fixture.layers("Staging"), isGuess: true)
    }

    @Test func `Only a scope that names an unsealed environment permits other machines`() throws {
        let named = try Environment("Staging", values: ["baseURL": "https://api.example.com"])
        let url = try #require(URL(string: "https://api.example.com"))
        let guess = try Self.guess(url)
        let scopes: KeyValuePairs = [
            "named": APIScope(environment: named), "named, live": APIScope(environment: named, network: .live),
            "named, mocks then live": APIScope(environment: named, network: .mocksThenLive),
            "named, sealed": APIScope(environment: named, network: .sealed),
            "Testing, live": APIScope(environment: try Environment("Testing"), network: .live),
            "none, live": APIScope(network: .live), "guess, live": APIScope(environment: guess, network: .live),
            "changed guess": APIScope(environment: try guess.setting("baseURL", to: "https://b.example.com")),
        ]
        let permitted = scopes.filter { _, scope in
            scope.run { (try? LoopbackGuard.check(URLRequest(url: url), for: Route.get("x"))) != nil }
        }
        #expect(permitted.map(\.key) == ["named", "named, live", "named, mocks then live"])
    }
}
