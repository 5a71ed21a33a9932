import CallSupport
import FingerpostTesting
import Foundation

#if canImport(Security)
    import Security
#endif

/// Compiles and runs the code of the article WhenACallFails.
@Suite(.inTurn) struct WhenACallFailsTests {
    // Not in the article: a session that signs in with a name and a password.
    enum OAuth: RouteConvertible {
        case signIn(user: String, password: String)
        case refresh(String)

        var route: Route {
            let grant: Parameters =
                switch self {
                case .signIn(let user, let password):
                    ["username": user, "password": password]
                case .refresh(let token): ["refresh_token": token]
                }
            return .post("token").parameters(grant).encoding(.form)
                .authorization(.none).baseURLKey("authURL").mock("token")
        }
    }

    enum Assistant: Routable {
        case summarize, order

        var method: HTTPMethod { .post }
        var path: RoutePath { "texts" }
        var retry: RetryPolicy? { .standard }
        var isRepeatable: Bool { self == .summarize }
    }

    @Test(.mocks) func `A router says which cases are retried`() async throws {
        let client = try APIClient()
        var attempts: [Int?] = []
        for route in [Assistant.summarize, .order] {
            Mocks.set("\(route)", .status(503))
            attempts.append(try await failure { try await client.send(route) }.attempts)
        }
        #expect(attempts == [3, 1])
        _ = Mocks.takeProblems()
    }

    nonisolated struct Token: Decodable, Sendable {
        var accessToken: String
        var refreshToken: String?
    }

    struct SignedOut: Error {}

    actor Session {
        let store = InMemoryCredentialStore()
        private var refreshToken: String?

        func signIn(user: String, password: String) async throws {
            let token = try await APIClient.shared.send(
                OAuth.signIn(user: user, password: password), as: Token.self)
            refreshToken = token.refreshToken
            store.save(token.accessToken, account: user)
        }

        func refresh() async throws -> String {
            guard let old = refreshToken else { throw SignedOut() }
            let token = try await APIClient.shared.send(
                OAuth.refresh(old), as: Token.self)
            // Meanwhile, the user may have signed out.
            guard refreshToken == old else { throw SignedOut() }
            // Some servers replace the refresh token each time.
            refreshToken = token.refreshToken ?? old
            return token.accessToken
        }

        func signOut() {
            refreshToken = nil
            store.clear()
        }
    }

    @Test func `A call survives an expired token and a busy server`() async throws {
        let environment = try APIEnvironment(
            "Testing", values: ["baseURL": "https://api.example.com", "authURL": "https://auth.example.com"])
        let order = ["item": "fingerpost"]
        let clock = VirtualClock()
        let session = Session()
        /// The calls of the session, and the token after them.
        func log() -> [String?] {
            Mocks.calls(of: "token").map { call in
                let body = call.request.httpBody.map { String(decoding: $0, as: UTF8.self) }
                let token = call.request.value(forHTTPHeaderField: "Authorization")
                return [call.request.url?.absoluteString, body, token].compactMap { $0 }.joined(separator: " ")
            } + [session.store.token()]
        }
        let url = "https://auth.example.com/token"
        try await APIScope(environment: environment).run {
            Mocks.set("token", .json(["accessToken": "old", "refreshToken": "refresh-1"]))
            try await session.signIn(user: "octocat", password: "cat")
            #expect(log() == ["\(url) username=octocat&password=cat", "old"])
        }
        try await APIScope(environment: environment, clock: clock).run {
            var configuration = APIClient.Configuration()
            configuration.retry = .standard
            configuration.authorization = .refreshing(session.store) { _ in
                try await session.refresh()
            }
            let client = try APIClient(configuration)
            Mocks.set(
                "orders",
                .sequence([
                    .status(401),
                    .status(429).header(.retryAfter, "30"),
                    .status(201),
                ]))
            Mocks.set(
                "token", .json(["accessToken": "new", "refreshToken": "refresh-2"]))
            try await client.send(
                Route.post("orders").json(order).idempotencyKey().mock("orders"))
            let attempts = try #require(Mocks.calls(of: "orders").first).history
            #expect(attempts.map(\.status) == [401, 429, 201])
            #expect(attempts.map(\.wait) == [.zero, .zero, .seconds(30)])
            #expect(Mocks.calls(of: "token").count == 1)
            Mocks.set("orders", .sequence([.status(401), .status(201)]))
            try await client.send(Route.post("orders").json(order).idempotencyKey().mock("orders"))
            #expect(log() == ["\(url) refresh_token=refresh-1", "\(url) refresh_token=refresh-2", "new"])
        }
        #expect(clock.now.offset == .seconds(30))
        await APIScope(environment: environment).run {
            Mocks.set(
                "token",
                .respond { _ in
                    await session.signOut()
                    return .json(["accessToken": "newer", "refreshToken": "refresh-3"])
                })
            for _ in 1...2 { await #expect(throws: SignedOut.self) { try await session.refresh() } }
            #expect(log() == ["\(url) refresh_token=refresh-2", nil])
        }
    }

    @Test func `Credentials combine, and an error has its command`() async throws {
        let (key, token) = ("key-1", "token-1")
        let transport = StubTransport(500)
        let client = transport.client { configuration in
            configuration.authorization = .combined(
                .custom(header: "X-Api-Key", value: key), .bearer(token))
        }
        let error = try await failure { try await client.send(Route.get("me")) }
        // curl -H 'Authorization: Bearer '"$TOKEN" 'https://api.example.com/me'
        print(error.curl ?? "")
        #expect(error.curl?.contains(#"-H 'Authorization: Bearer '"$TOKEN" "#) == true)
        #expect(transport.sent("X-Api-Key") == [key])
    }
}
