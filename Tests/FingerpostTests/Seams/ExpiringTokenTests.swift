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

    /// Returns `token 1`, `token 2`, and so on.
    private func next(_ length: Duration?) -> @Sendable () -> ExpiringToken {
        let count = count
        return { ExpiringToken("token-\(count.next())", expiresIn: length) }
    }

    private var fetched: Int { count.withLock { $0 } }

    /// Sends a call at each of these times, and returns how many tokens have been fetched after each.
    private func fetched(_ client: APIClient, after pauses: Duration...) async throws -> [Int] {
        var counts: [Int] = []
        for pause in pauses {
            try await clock.sleep(for: pause)
            try await client.send(Self.me)
            counts.append(fetched)
        }
        return counts
    }

    @Test func `The first token of a client is fetched, and the next one before it ends`() async throws {
        let next = next(.seconds(3600))
        try await run(.clientCredentials { next() }) { client in
            let counts = try await fetched(client, after: .zero, .zero, .seconds(3569), .seconds(1))
            let statuses = Mocks.calls(of: "me").map { $0.history.map(\.status) }
            #expect(
                (counts, Self.tokens, statuses)
                    == ([1, 1, 1, 2], [1, 1, 1, 2].map { "Bearer token-\($0)" }, [[204], [204], [204], [204]]))
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
            var counts = try await fetched(client, after: .zero)
            store.save("login")
            // The end of the first token is not known.
            counts += try await fetched(client, after: .zero, .seconds(570))
            let renewed = store.token()
            store.clear()
            counts += try await fetched(client, after: .zero)
            #expect((counts, expired.withLock { $0 }, renewed) == ([0, 1, 2, 2], ["login", "token-1"], "token-2"))
            #expect(Self.tokens.last == "-")
        }
    }

    @Test func `A token without an end is kept`() async throws {
        for length in [nil, Duration.zero, .seconds(-5)] {
            let (before, next) = (fetched, next(length))
            try await run(.clientCredentials { next() }) { client in
                let day = Duration.seconds(86_400)
                let counts = try await fetched(client, after: .zero, day, day)
                #expect(counts.map { $0 - before } == [1, 1, 1], "\(length as Any)")
            }
        }
    }

    @Test func `A date ends a token as a duration does`() async throws {
        let (count, end) = (count, Date(timeIntervalSinceNow: 1000))
        let authorization = Authorization.clientCredentials { ExpiringToken("t-\(count.next())", expires: end) }
        try await run(authorization) { client in
            let counts = try await fetched(client, after: .zero, .seconds(900), .seconds(99))
            #expect(counts == [1, 1, 2])
        }
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

    @Test func `A first token that cannot be fetched fails the call, and the next call tries again`() async throws {
        let next = next(nil)
        let count = count
        let authorization = Authorization.clientCredentials {
            let token = next()
            if count.withLock({ $0 }) == 1 { throw APIError(.status(401), "the server answered 401") }
            return token
        }
        try await run(authorization) { client in
            let error = try await failure(.authorization) { try await client.send(Self.me) }
            try await client.send(Self.me)
            let isExplained = error.message.hasPrefix("the token could not be fetched: ")
            let hasFix = error.fix?.hasPrefix("check the client's identifier and secret")
            #expect((isExplained, hasFix, Self.tokens.suffix(1)) == (true, true, ["Bearer token-2"]))
            #expect(Self.tokens.dropLast().allSatisfy { $0 == "-" })
        }
    }

    @Test func `A file that keeps the token from being fetched says the fix`() async throws {
        let authorization = Authorization.clientCredentials {
            throw APIError(.environment, "the key \"authURL\" is missing. Fix: add it")
        }
        try await run(authorization) { client in
            let error = try await failure(.authorization) { try await client.send(Self.me) }
            #expect(error.fix == nil && error.message.hasSuffix("Fix: add it"), "\(error)")
        }
    }

    @Test func `A token of the client that the server rejects is replaced`() async throws {
        let next = next(.seconds(600))
        try await run(.clientCredentials { next() }, me: .sequence([.status(401), .status(204)])) { client in
            try await client.send(Self.me)
            #expect(fetched == 2 && Self.tokens.last == "Bearer token-2")
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
