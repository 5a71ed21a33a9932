import CallSupport
import FingerpostTesting

/// Tokens that say when they end, tokens of the client itself, and answers that mean an expired token.
@Suite(.inTurn, .concurrent) struct ExpiringTokenTests {
    private let clock = VirtualClock()
    private let count = Locked(0)

    /// Runs work with a client whose route `me` is answered by mocks.
    private func run(
        _ authorization: Authorization, me: MockResponse = .status(204), _ work: (APIClient) async throws -> Void
    ) async throws {
        try await APIScope(environment: .testing(), clock: clock).run {
            Mocks.set("me", me)
            try await work(try APIClient { $0.authorization = authorization })
            _ = Mocks.takeProblems()
        }
    }

    private static let me = Route.get("me").mock("me")

    private static var tokens: [String] { Mocks.calls(of: "me").map { $0.request.values("Authorization") } }

    /// Returns `token-1`, `token-2`, and so on.
    private func next(_ length: Duration?) -> @Sendable () -> ExpiringToken {
        let count = count
        return { ExpiringToken("token-\(count.next())", expiresIn: length) }
    }

    private var fetched: Int { count.withLock { $0 } }

    /// Tokens, the pauses before calls, and the number of the token that each call has.
    private static let lives: [(token: @Sendable (String) -> ExpiringToken, pauses: [Int], numbers: [Int])] = [
        ({ ExpiringToken($0, expiresIn: .seconds(3600)) }, [0, 0, 3569, 1], [1, 1, 1, 2]),
        ({ ExpiringToken($0, expires: Date(timeIntervalSinceNow: 1000)) }, [0, 900, 99], [1, 1, 2]),
        // Without an end.
        ({ ExpiringToken($0, expiresIn: nil) }, [0, 86_400, 86_400], [1, 1, 1]),
        ({ ExpiringToken($0, expiresIn: .zero) }, [0, 86_400, 86_400], [1, 1, 1]),
        ({ ExpiringToken($0, expiresIn: .seconds(-5)) }, [0, 86_400, 86_400], [1, 1, 1]),
    ]

    @Test(arguments: lives.indices)
    func `The first token of a client is fetched, and the next one before it ends`(index: Int) async throws {
        let (token, pauses, numbers) = Self.lives[index]
        let count = count
        try await run(.clientCredentials { token("\(count.next())") }) { client in
            for pause in pauses {
                try await clock.sleep(for: .seconds(pause))
                try await client.send(Self.me)
            }
            let statuses = Mocks.calls(of: "me").map { $0.history.map(\.status) }
            #expect(
                (Self.tokens, fetched, statuses)
                    == (numbers.map { "Bearer \($0)" }, numbers.max(), numbers.map { _ in [204] }))
        }
    }

    @Test func `A token of a user is renewed before it ends, and none without a user`() async throws {
        let (next, store) = (next(.seconds(600)), InMemoryCredentialStore())
        let expired = Locked<[String]>([])
        let authorization = Authorization.refreshing(
            store,
            expiring: { token in
                expired.withLock { $0.append(token) }
                return next()
            })
        try await run(
            authorization, me: .sequence([.status(204), .status(401), .status(204)], thenRepeating: .status(204))
        ) { client in
            try await client.send(Self.me)
            store.save("login")
            // The end of the first token is not known.
            try await client.send(Self.me)
            try await clock.sleep(for: .seconds(570))
            try await client.send(Self.me)
            let renewed = store.token()
            store.clear()
            try await client.send(Self.me)
            #expect(
                (Self.tokens, expired.withLock { $0 }, renewed)
                    == (["-", "Bearer token-1", "Bearer token-2", "-"], ["login", "token-1"], "token-2"))
        }
    }

    @Test func `A hundred calls at once fetch one token, and later renew it once`() async throws {
        let (begun, fetched, transport) = (Locked(0), Locked(0), StubTransport(204))
        let environment = try APIEnvironment(
            "Staging", values: ["baseURL": "https://api.example.com", "$network": "live"])
        try await APIScope(environment: environment, network: .live, clock: clock).run {
            let client = try APIClient {
                $0.transport = transport
                $0.maximumCallsPerHost = nil
                $0.middleware = [ChangingMiddleware { _ in begun.withLock { $0 += 1 } }]
                $0.authorization = .clientCredentials {
                    let number = fetched.next()
                    await poll { begun.withLock { $0 } >= 100 * min(number, 2) }
                    return ExpiringToken("token-\(number)", expiresIn: .seconds(600))
                }
            }
            for _ in 1...2 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...100 { group.addTask { try await client.send(Self.me) } }
                    try await group.waitForAll()
                }
                try await clock.sleep(for: .seconds(600))
            }
        }
        let expected = [1, 2].flatMap { Array(repeating: "Bearer token-\($0)", count: 100) }
        #expect((transport.sent("Authorization"), fetched.withLock { $0 }) == (expected, 2))
    }

    @Test func `A call that is cancelled before it begins is not sent, and fetches no token`() async throws {
        let (next, transport) = (next(nil), StubTransport(204))
        let client = transport.client { $0.authorization = .clientCredentials { next() } }
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.send(Route.get("x"))
        }
        try await failure(.cancelled) { try await call.value }
        await settle()
        #expect((fetched, transport.requests) == (0, []))
    }

    @Test func `A renewal that fails for a while leaves the call its token`() async throws {
        let next = next(.seconds(600))
        let fails = Locked(false)
        let authorization = Authorization.clientCredentials {
            if fails.withLock({ $0 }) { throw URLError(.notConnectedToInternet) }
            return next()
        }
        try await run(authorization) { client in
            try await client.send(Self.me)
            fails.withLock { $0 = true }
            try await clock.sleep(for: .seconds(580))
            try await client.send(Self.me)
            fails.withLock { $0 = false }
            try await client.send(Self.me)
            #expect(Self.tokens == [1, 1, 2].map { "Bearer token-\($0)" })
        }
    }

    /// Errors of the first fetch; the text of one of the environment contains its own fix.
    private static let failures: [(APIError, message: String, fix: String?)] = [
        (
            APIError(.status(401), "the server answered 401"), "the server answered 401",
            "check the client's identifier and secret, and whether the server reads them in a form or in a header"
        ),
        (
            APIError(.environment, "the key \"authURL\" is missing. Fix: add it"),
            "the key \"authURL\" is missing. Fix: add it", nil
        ),
    ]

    @Test func `A first token that cannot be fetched fails the call, and the next call tries again`() async throws {
        for (cause, message, fix) in Self.failures {
            let count = Locked(0)
            let authorization = Authorization.clientCredentials {
                if count.next() == 1 { throw cause }
                return ExpiringToken("token-2", expiresIn: nil)
            }
            try await run(authorization) { client in
                let error = try await failure(.authorization) { try await client.send(Self.me) }
                #expect((error.message, error.fix) == ("the token could not be fetched: \(message)", fix))
                try await client.send(Self.me)
                #expect(Self.tokens.drop { $0 == "-" } == ["Bearer token-2"])
            }
        }
    }

    // MARK: Which answer means an expired token

    @Test func `The app says which answer means an expired token, for mocks too`() async throws {
        for (status, statuses) in [(403, [403, 204]), (419, [419, 204]), (401, [401]), (200, [200, 204])] {
            let isExpired = { @Sendable (response: Response<Data>) in
                [403, 419].contains(response.status) || response.data.count > 2
            }
            let authorization = Authorization.refreshing(InMemoryCredentialStore("old"), when: isExpired) { _ in "new" }
            let rejection = status == 200 ? MockResponse.json(["error": "expired"]) : .status(status)
            try await run(authorization, me: .sequence([rejection, .status(204)])) { client in
                _ = try? await client.data(for: Self.me)
                #expect(Mocks.calls(of: "me").map { $0.history.map(\.status) } == [statuses])
            }
        }
    }
}
