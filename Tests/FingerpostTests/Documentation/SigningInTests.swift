import CallSupport
import FingerpostTesting
import Foundation

/// Compiles and runs the code of the article SigningIn.
@Suite(.inTurn) struct SigningInTests {
    nonisolated struct OAuth {
        static let redirect = "org.example.app:/signed-in"

        /// The page in which the user signs in.
        static func page(challenge: String) -> Route {
            .get("authorize").query([
                "response_type": "code", "client_id": "app",
                "redirect_uri": redirect, "code_challenge": challenge,
                "code_challenge_method": "S256",
            ])
        }

        static func token(_ grant: String, _ values: Parameters) -> Route {
            .post("token")
                .parameters(["grant_type": grant, "client_id": "app"])
                .parameters(values).encoding(.form)
                .authorization(.none).mock("token")
        }
    }

    nonisolated struct Token: Decodable, Sendable {
        var accessToken: String
        var refreshToken: String?
        var expiresIn: JSONValue?  // some servers send text

        var expiring: ExpiringToken {
            let seconds =
                expiresIn?.double ?? expiresIn?.string.flatMap { Double($0) }
            return ExpiringToken(
                accessToken, expiresIn: seconds.map { .seconds($0) })
        }
    }

    nonisolated struct SignedOut: Error {}

    actor Session {
        let store = InMemoryCredentialStore()
        private let server: APIClient
        private var refreshToken: String?

        init(server: APIClient) {
            self.server = server
        }

        func keep(_ token: Token) -> ExpiringToken {
            refreshToken = token.refreshToken ?? refreshToken
            return token.expiring
        }

        func refresh() async throws -> ExpiringToken {
            guard let old = refreshToken else { throw SignedOut() }
            let token = try await server.send(
                OAuth.token("refresh_token", ["refresh_token": old]),
                as: Token.self)
            // Meanwhile, the user may have signed out.
            guard refreshToken == old else { throw SignedOut() }
            return keep(token)
        }

        func signOut() {
            refreshToken = nil
            store.clear()
        }
    }

    func challenge(of verifier: String) -> String {
        Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private let clock = VirtualClock()

    private func run(_ work: (_ server: APIClient) async throws -> Void) async throws {
        let environment = try APIEnvironment(
            "Testing",
            values: [
                "baseURL": "https://api.example.com", "authURL": "https://auth.example.com/oauth",
                "$secrets": ["clientSecret"], "clientSecret": "S3cret",
            ])
        try await APIScope(environment: environment, clock: clock).run {
            let server = try APIClient {
                $0.baseURLKey = "authURL"
                $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            }
            try await work(server)
        }
    }

    private static func token(_ number: Int) -> MockResponse {
        .json([
            "access_token": .string("token-\(number)"), "refresh_token": "refresh",
            "expires_in": number == 1 ? "3600" : 3599.5,
        ])
    }

    private static var grants: [String] {
        Mocks.calls(of: "token").compactMap { $0.request.httpBody.map { String(decoding: $0, as: UTF8.self) } }
    }

    private static let me = Route.get("me").mock("me")

    @Test func `A code with PKCE, and tokens that are refreshed`() async throws {
        try await run { server in
            Mocks.set("token", .sequence([Self.token(1), Self.token(2)]))
            Mocks.set("me", .status(204))
            let authURL = URL(string: "https://auth.example.com/oauth")
            let callback = "org.example.app:/signed-in?code=c0de"
            // 244 random bits, which only this app knows.
            let verifier = UUID().uuidString + UUID().uuidString
            let page = try OAuth.page(challenge: challenge(of: verifier))
                .urlRequest(relativeTo: authURL).url
            // Open the page. It leads to the redirect, with a code in its query.
            let code = URLComponents(string: callback)?.queryItems?
                .first { $0.name == "code" }?.value
            let token = try await server.send(
                OAuth.token(
                    "authorization_code",
                    [
                        "code": code, "code_verifier": verifier,
                        "redirect_uri": OAuth.redirect,
                    ]), as: Token.self)
            let query = "response_type=code&client_id=app&redirect_uri=org.example.app%3A%2Fsigned-in"
            #expect(
                page?.absoluteString == "https://auth.example.com/oauth/authorize?\(query)"
                    + "&code_challenge=\(challenge(of: verifier))&code_challenge_method=S256")
            #expect(challenge(of: "v").contains(#/^[-_A-Za-z0-9]{43}$/#))

            let session = Session(server: server)
            _ = await session.keep(token)
            session.store.save(token.accessToken)
            var configuration = APIClient.Configuration()
            configuration.authorization = .refreshing(session.store) { _ in
                try await session.refresh()
            }
            let client = try APIClient(configuration)
            try await client.send(Self.me)
            Mocks.set("me", .sequence([.status(401), .status(204)]))
            try await client.send(Self.me)
            #expect(session.store.token() == "token-2")
            #expect(
                Self.grants == [
                    "grant_type=authorization_code&client_id=app&code=c0de&code_verifier=\(verifier)"
                        + "&redirect_uri=org.example.app%3A%2Fsigned-in",
                    "grant_type=refresh_token&client_id=app&refresh_token=refresh",
                ])
            await session.signOut()
            await #expect(throws: SignedOut.self) { try await session.refresh() }
        }
    }

    @Test func `A client without a user`() async throws {
        try await run { server in
            Mocks.set("token", .sequence([Self.token(1), Self.token(2)]))
            Mocks.set("me", .status(204))
            var configuration = APIClient.Configuration()
            configuration.authorization = .clientCredentials {
                try await server.send(
                    OAuth.token(
                        "client_credentials",
                        ["client_secret": .environment("clientSecret")]),
                    as: Token.self
                ).expiring
            }
            let client = try APIClient(configuration)
            for _ in 1...2 { try await client.send(Self.me) }
            let first = Self.grants
            try await clock.sleep(for: .seconds(3590))
            try await client.send(Self.me)
            #expect(first == ["grant_type=client_credentials&client_id=app&client_secret=S3cret"])
            #expect(
                Mocks.calls(of: "me").map { $0.request.value(forHTTPHeaderField: "Authorization") }
                    == ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
        }
    }
}
