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

    private func refusal(_ send: @Sendable () async throws -> Void) async -> APIError? {
        let error = await #expect(throws: APIError.self) { try await send() }
        #expect(error?.kind == .mock && error?.message.contains("sent") == true)
        return error
    }

    /// A call that no scope reports also makes the run of tests fail.
    private func unscoped(_ send: @escaping @Sendable () async throws -> Void) async throws {
        let issues = try await recordedIssues {
            let error = await refusal(send)
            #expect(error?.message.contains("has no scope") == true)
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
        let error = await refusal {
            _ = try await URLSessionTransport().send(URLRequest(url: base), for: Route.get("x"))
        }
        #expect(error?.message.contains("the test is sealed") == true)
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
                let error = await scope.run {
                    await #expect(throws: APIError.self) { try await client.data(for: Route.get("x")) }
                }
                #expect(error?.kind == .mock && error?.request?.contains("api.example.com") == true)
            }
            #expect(issues.count == reports && issues.allSatisfy { $0.text.contains("has no scope") }, "\(issues)")
            #expect(server.requests.count == before + 1)
        }
    }

    // MARK: Scopes

    /// An environment that was selected because it is the only one.
    private static func guess(_ url: URL) throws -> Environment {
        let fixture = try EnvironmentFixture(["Staging-Env.json": #"{"baseURL": "\#(url.absoluteString)"}"#])
        return try Environment(
            file: fixture.folder["Staging-Env.json"], layers: fixture.layers("Staging"), isGuess: true)
    }

    private func isPermitted(_ scope: APIScope) throws -> Bool {
        let request = URLRequest(url: try #require(URL(string: "https://api.example.com")))
        return scope.run { (try? LoopbackGuard.check(request, for: Route.get("x"))) != nil }
    }

    @Test func `Only a scope that names an unsealed environment permits other machines`() throws {
        let named = try Environment("Staging", values: ["baseURL": "https://api.example.com"])
        let guess = try Self.guess(try #require(URL(string: "https://api.example.com")))
        #expect(try isPermitted(APIScope(environment: named)))
        #expect(try isPermitted(APIScope(environment: named, network: .live)))
        #expect(try isPermitted(APIScope(environment: named, network: .mocksThenLive)))
        #expect(try !isPermitted(APIScope(environment: named, network: .sealed)))
        #expect(try !isPermitted(APIScope(environment: try Environment("Testing"), network: .live)))
        #expect(try !isPermitted(APIScope(network: .live)))
        #expect(try !isPermitted(APIScope(environment: guess, network: .live)))
        #expect(try !isPermitted(APIScope(environment: try guess.setting("baseURL", to: "https://b.example.com"))))
    }
}
