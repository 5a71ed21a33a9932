import Fingerpost
import FingerpostTesting
import Foundation
import Testing

#if canImport(Security)
    import Security
#endif

/// Compiles and runs the code of the article SurvivingFailures.
@Suite struct SurvivingFailuresTests {
    enum OAuth: RouteConvertible {
        case refresh(String)
        var route: Route {
            switch self {
            case .refresh(let token):
                .post("token").parameters(["refresh_token": token])
                    .encoding(.form).baseURLKey("authURL").mock("token")
            }
        }
    }

    nonisolated struct Token: Decodable, Sendable {
        var accessToken: String
        var refreshToken: String?
    }

    actor Session {
        private var refreshToken: String

        init(refreshToken: String) {
            self.refreshToken = refreshToken
        }

        func refresh() async throws -> String {
            let token = try await APIClient.shared.send(
                OAuth.refresh(refreshToken), as: Token.self)
            // Some servers replace the refresh token each time.
            refreshToken = token.refreshToken ?? refreshToken
            return token.accessToken
        }
    }

    @Test func `A call survives an expired token and a busy server`() async throws {
        let environment = try APIEnvironment(
            "Testing", values: ["baseURL": "https://api.example.com", "authURL": "https://auth.example.com"])
        let store = InMemoryCredentialStore("old")
        let order = ["item": "fingerpost"]
        let clock = VirtualClock()
        let session = Session(refreshToken: "refresh-1")
        try await APIScope(environment: environment, clock: clock).run {
            var configuration = APIClient.Configuration()
            configuration.retry = .standard
            configuration.authorization = .refreshing(store) { _ in
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
            let refresh = try #require(Mocks.calls(of: "token").first?.request)
            #expect(refresh.url?.absoluteString == "https://auth.example.com/token")
            #expect(refresh.value(forHTTPHeaderField: "Authorization") == nil)
            Mocks.set("orders", .sequence([.status(401), .status(201)]))
            try await client.send(
                Route.post("orders").json(order).idempotencyKey().mock("orders"))
            let bodies = Mocks.calls(of: "token").compactMap { $0.request?.httpBody }
            #expect(bodies == [Data("refresh_token=refresh-1".utf8), Data("refresh_token=refresh-2".utf8)])
        }
        #expect(clock.now.offset == .seconds(30))
        #expect(store.token() == "new")
    }

    @Test func `Credentials combine, and an error has its command`() async throws {
        let (key, token) = ("key-1", "token-1")
        let transport = StubTransport(500)
        let client = transport.client { configuration in
            configuration.authorization = .combined(
                .custom(header: "X-Api-Key", value: key), .bearer(token))
        }
        let error = try await #require(throws: APIError.self) { try await client.send(Route.get("me")) }
        // curl -H 'Authorization: Bearer '"$TOKEN" 'https://api.example.com/me'
        print(error.curl ?? "")
        #expect(error.curl?.contains(#"-H 'Authorization: Bearer '"$TOKEN" "#) == true)
        #expect(transport.requests[0].value(forHTTPHeaderField: "X-Api-Key") == key)
    }
}
