import CallSupport

@testable import Fingerpost

/// Tokens that expire: `Authorization.refreshing`.
@Suite(.inTurn, .concurrent) struct RefreshTests {
    private struct Failure: Error {}

    private let store = InMemoryCredentialStore("old")
    private let refreshes = Locked(0)
    /// Accepts only one token.
    private let server = StubTransport { request, _ in
        await Task.yield()
        let isValid = request.values("Authorization") == "Bearer new"
        return (isValid || request.url?.path == "/token" ? 200 : 401, [:], "")
    }

    private func client(_ refresh: @escaping @Sendable (String) async throws -> String) -> APIClient {
        let refreshes = refreshes
        return server.client {
            $0.authorization = .refreshing(store) { expired in
                refreshes.withLock { $0 += 1 }
                return try await refresh(expired)
            }
        }
    }

    private var count: Int { refreshes.withLock { $0 } }

    private func tokens() -> [String?] { server.sent("Authorization") }

    @Test func `A rejected token is replaced and the call is sent again`() async throws {
        let client = client { expired in expired == "old" ? "new" : "wrong" }
        let response = try await client.response(for: Route.get("x"), as: Data.self)
        try await client.send(Route.post("x").body(.data(Data("b".utf8))))
        #expect(
            (response.history.map(\.status), tokens(), store.token(), count)
                == ([401, 200], ["Bearer old", "Bearer new", "Bearer new"], "new", 1))
    }

    @Test func `A call in the closure has no credential and does not refresh`() async throws {
        let box = Locked<APIClient?>(nil)
        let refreshes = refreshes
        let client = server.client {
            $0.authorization = .combined(
                .custom(header: "X-Api-Key", value: "key"),
                .refreshing(store) { _ in
                    refreshes.withLock { $0 += 1 }
                    let client = try #require(box.withLock { $0 })
                    try await client.send(Route.post("token").authorization(.none))
                    // This call needs the token that is being refreshed: the server rejects it, and nothing loops.
                    try await failure(.status(401)) { try await client.send(Route.get("me")) }
                    return "new"
                })
        }
        box.withLock { $0 = client }
        defer { box.withLock { $0 = nil } }
        try await client.send(Route.get("x"))
        #expect((tokens(), count) == (["Bearer old", nil, nil, "Bearer new"], 1))
    }

    @Test func `A failed refresh fails the calls, names their route, and is remembered for the token`() async throws {
        let client = client { _ in throw Failure() }
        for route in ["first", "second"] {
            let error = try await failure(.authorization) { try await client.send(Route.get("x").named(route)) }
            #expect(
                (error.route, error.status, error.attempts, error.underlying is Failure, count)
                    == (route, 401, 1, true, 1))
        }
        // An equal token of a new login is tried again, and another token too.
        var counts: [Int] = []
        for token in ["old", nil, "other"] {
            if let token { store.save(token) }
            try await failure(.authorization) { try await client.send(Route.get("x")) }
            counts.append(count)
        }
        #expect(counts == [2, 2, 3])
    }

    private struct Refused: Error { let text: String }

    /// A store that fails to save, and says so with the token.
    private struct FailingStore: CredentialStore {
        let tokens = InMemoryCredentialStore("old-token-1234")

        func token() -> String? { tokens.token() }

        func save(_ token: String, replacing old: String?) throws -> Bool {
            throw Refused(text: "cannot save \(token)")
        }
    }

    @Test func `The error of a refresh does not contain a token`() async throws {
        store.save("old-token-1234")
        let store = store
        let saving = client { expired in
            store.save("new-token-5678")
            throw Refused(text: "\(expired) replaced by new-token-5678")
        }
        let failing = server.client { $0.authorization = .refreshing(FailingStore()) { _ in "new-token-5678" } }
        for (client, text) in [(saving, "<redacted> replaced by <redacted>"), (failing, "cannot save <redacted>")] {
            let error = try await failure(.authorization) { try await client.send(Route.get("x")) }
            let message = "the token could not be refreshed: Refused(text: \"\(text)\")"
            #expect((error.message, "\(error)".contains("-token-")) == (message, false), "\(error)")
        }
    }

    @Test func `A refresh that failed for want of a connection is tried again by the next call, and by no retry`()
        async throws
    {
        let isOffline = Locked(true)
        let client = client { _ in
            if isOffline.withLock({ $0 }) { throw URLError(.notConnectedToInternet) }
            return "new"
        }.with { $0.retry = .standard }
        let error = try await failure(.offline) { try await client.send(Route.get("x")) }
        isOffline.withLock { $0 = false }
        try await client.send(Route.get("x"))
        let isNamed = error.message.hasPrefix("the token could not be refreshed: ")
        #expect((isNamed, error.attempts, tokens(), count) == (true, 1, ["Bearer old", "Bearer old", "Bearer new"], 2))
    }

    @Test func `A hundred calls that are sent before a refresh fails share its failure`() async throws {
        let server = server
        let client = client { _ in
            await poll { server.requests.count == 100 }
            throw URLError(.timedOut)
        }.with { $0.maximumCallsPerHost = nil }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...100 {
                group.addTask { try await failure(.timedOut) { try await client.send(Route.get("x")) } }
            }
            try await group.waitForAll()
        }
        #expect(count == 1)
    }

    @Test(arguments: ["", "new\r\nX-Evil: 1", "new\0", "also rejected"])
    func `A new token that is invalid, or that the server rejects too, ends the call`(token: String) async throws {
        let client = client { _ in token }
        let isRejected = token == "also rejected"
        let error = try await failure { try await client.send(Route.get("x")) }
        let tokens = ["Bearer old"] + (isRejected ? ["Bearer \(token)"] : [])
        #expect(
            (error.kind, "\(error)".contains("X-Evil"), store.token(), self.tokens(), count)
                == (isRejected ? .status(401) : .authorization, false, isRejected ? token : "old", tokens, 1))
    }

    @Test func `A call that is cancelled does not end the refresh`() async throws {
        let isStarted = Locked(false)
        let mayEnd = Locked(false)
        let client = client { _ in
            isStarted.withLock { $0 = true }
            await poll { mayEnd.withLock { $0 } }
            try Task.checkCancellation()
            return "new"
        }
        let first = Task { try await client.send(Route.get("x")) }
        await poll { isStarted.withLock { $0 } }
        let second = Task { try await client.send(Route.get("x")) }
        await poll { tokens().count >= 2 }
        first.cancel()
        try await failure(.cancelled) { try await first.value }
        mayEnd.withLock { $0 = true }
        try await second.value
        #expect(count == 1)
    }

    @Test func `A 401 to a call without the token refreshes nothing, and a required route is not sent without it`()
        async throws
    {
        let client = client { _ in "new" }
        try await failure(.status(401)) { try await client.send(Route.get("https://other.example/x")) }
        store.clear()
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        try await failure(.authorization) { try await client.send(Route.get("x").authorization(.required)) }
        #expect((tokens(), count) == ([nil, nil], 0))
    }

    @Test func `Refresh and retry work together, and neither uses up the other`() async throws {
        let store = store
        let transport = StubTransport { request, index in
            let status = request.values("Authorization") == "Bearer new" ? 200 : 401
            return (index == 1 ? 503 : status, [:], "")
        }
        let response = try await transport.client {
            $0.retry = .atOnce(2)
            $0.authorization = .refreshing(store) { _ in "new" }
        }.response(for: Route.get("x"), as: Data.self)
        #expect(response.history.map(\.status) == [401, 503, 200])
    }
}
