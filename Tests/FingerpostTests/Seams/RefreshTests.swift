import CallSupport
import FingerpostTesting

@testable import Fingerpost

/// Tokens that expire: `Authorization.refreshing`.
@Suite(.inTurn, .concurrent) struct RefreshTests {
    /// A server that accepts only one token.
    private final class TokenServer: Transport {
        let valid: Locked<String>
        let received = Locked<[String?]>([])

        init(valid: String) {
            self.valid = Locked(valid)
        }

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            let header = request.value(forHTTPHeaderField: "Authorization")
            received.withLock { $0.append(header) }
            await Task.yield()
            let isValid = header == "Bearer \(valid.withLock { $0 })"
            return Response(status: isValid || route.authorization == .none ? 200 : 401, data: Data(), request: request)
        }
    }

    private struct Failure: Error {}

    private let store = InMemoryCredentialStore("old")
    private let refreshes = Locked(0)
    private let server = TokenServer(valid: "new")

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

    private func tokens() -> [String?] { server.received.withLock { $0 } }

    @Test func `A rejected token is replaced and the call is sent again`() async throws {
        let client = client { expired in
            #expect(expired == "old")
            return "new"
        }
        let response = try await client.response(for: Route.get("x"), as: Data.self)
        #expect(response.history.map(\.status) == [401, 200])
        #expect(tokens() == ["Bearer old", "Bearer new"])
        #expect(store.token() == "new")
        try await client.send(Route.post("x").body(.data(Data("b".utf8))))
        #expect(count == 1)
    }

    @Test(arguments: 1...5) func `A hundred calls at once refresh once`(run: Int) async throws {
        let client = client { _ in
            for _ in 0..<run { await Task.yield() }
            return "new"
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...100 { group.addTask { try await client.send(Route.get("x")) } }
            try await group.waitForAll()
        }
        #expect(count == 1)
    }

    @Test func `A 401 to an older token is sent again without a refresh`() async throws {
        let store = store
        // The token is replaced while the call is in progress.
        let swapping = StubTransport { request, index in
            if index == 0 { store.save("new") }
            let header = request.value(forHTTPHeaderField: "Authorization")
            return (header == "Bearer new" ? 200 : 401, [:], "")
        }
        let refreshes = refreshes
        try await swapping.client {
            $0.authorization = .refreshing(store) { _ in
                refreshes.withLock { $0 += 1 }
                return "never"
            }
        }.send(Route.get("x"))
        #expect(
            swapping.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer old", "Bearer new"])
        #expect(count == 0)
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
                    let error = await #expect(throws: APIError.self) { try await client.send(Route.get("me")) }
                    #expect(error?.kind == .status(401))
                    return "new"
                })
        }
        box.withLock { $0 = client }
        defer { box.withLock { $0 = nil } }
        try await client.send(Route.get("x"))
        #expect(tokens() == ["Bearer old", nil, nil, "Bearer new"])
        #expect(count == 1)
    }

    @Test func `A failed refresh fails the calls, names their route, and is remembered for the token`() async throws {
        let client = client { _ in throw Failure() }
        for route in ["first", "second"] {
            let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x").named(route)) }
            #expect(error?.kind == .authorization)
            #expect(error?.route == route)
            #expect(error?.status == 401)
            #expect(error?.underlying is Failure)
            #expect(error?.attempts == 1)
        }
        #expect(count == 1)
        // An equal token of a new login is tried again, and another token too.
        store.save("old")
        await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(count == 2)
        await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(count == 2)
        store.save("other")
        await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(count == 3)
    }

    private struct Refused: Error {
        let text: String
    }

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
            let error = try await #require(throws: APIError.self) { try await client.send(Route.get("x")) }
            #expect(error.kind == .authorization)
            #expect(error.message == "the token could not be refreshed: Refused(text: \"\(text)\")")
            #expect(!"\(error)".contains("-token-"), "\(error)")
        }
    }

    @Test func `A refresh that failed for want of a connection is tried again by the next call`() async throws {
        let isOffline = Locked(true)
        let client = client { _ in
            if isOffline.withLock({ $0 }) { throw URLError(.notConnectedToInternet) }
            return "new"
        }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.kind == .offline)
        #expect(error?.message.hasPrefix("the token could not be refreshed: ") == true)
        isOffline.withLock { $0 = false }
        try await client.send(Route.get("x"))
        #expect(count == 2)
    }

    @Test func `A hundred calls whose refresh fails refresh once`() async throws {
        let client = client { _ in throw URLError(.timedOut) }
        let results = await withTaskGroup(of: APIError.Kind?.self) { group in
            for _ in 1...100 {
                group.addTask {
                    do throws(APIError) { try await client.send(Route.get("x")) } catch { return error.kind }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .timedOut, count: 100))
        // The calls that began after the failure may each have tried again, but not those before.
        #expect(count < 100)
    }

    @Test(arguments: ["", "new\r\nX-Evil: 1", "new\0"]) func `An invalid new token is an error`(token: String)
        async throws
    {
        let client = client { _ in token }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.kind == .authorization)
        #expect(!"\(error.map { "\($0)" } ?? "")".contains("X-Evil"))
        #expect(store.token() == "old")
        #expect(tokens().count == 1)
    }

    @Test func `A stored token with a line break is not sent`() async throws {
        store.save("old\r\nX-Evil: 1")
        let client = client { _ in "new" }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.kind == .invalidRoute)
        #expect(tokens().isEmpty)
    }

    @Test func `A server that also rejects the new token ends the call`() async throws {
        let client = client { _ in "also rejected" }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.kind == .status(401))
        #expect(tokens() == ["Bearer old", "Bearer also rejected"])
        #expect(count == 1)
    }

    @Test func `A refresh that never ends fails the call at its deadline and says so`() async throws {
        let client = client { _ in
            try await Task.sleep(for: .seconds(1000))
            return "new"
        }
        // On a busy machine, a short timeout may end the call before it waits for the refresh.
        var messages: [String] = []
        for timeout in [0.2, 2, 20] where messages.last?.contains("the token was not refreshed within") != true {
            let error = try await failure { try await client.send(Route.get("x").timeout(.seconds(timeout))) }
            #expect(error.kind == .timedOut)
            messages.append(error.message)
        }
        #expect(messages.last?.contains("the token was not refreshed within") == true, "\(messages)")
        #expect(count == 1)
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
        let error = await #expect(throws: APIError.self) { try await first.value }
        #expect(error?.kind == .cancelled)
        mayEnd.withLock { $0 = true }
        try await second.value
        #expect(count == 1)
    }

    @Test func `Without a token the call has no credential, and a required route is not sent`() async throws {
        store.clear()
        let client = client { _ in "new" }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.kind == .status(401))
        let required = try await failure { try await client.send(Route.get("x").authorization(.required)) }
        #expect(required.kind == .authorization)
        #expect(tokens() == [nil])
        #expect(count == 0)
    }

    @Test func `A 401 from another server refreshes nothing`() async throws {
        let client = client { _ in "new" }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("https://other.example/x")) }
        #expect(error?.kind == .status(401))
        #expect(tokens() == [nil])
        #expect(count == 0)
    }

    @Test func `Refresh and retry work together, and neither uses up the other`() async throws {
        let store = store
        let transport = StubTransport { request, index in
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return (index == 1 ? 503 : isNew ? 200 : 401, [:], "")
        }
        let response = try await transport.client {
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .exponential(base: .zero, maximum: .zero))
            $0.authorization = .refreshing(store) { _ in "new" }
        }.response(for: Route.get("x"), as: Data.self)
        #expect(response.history.map(\.status) == [401, 503, 200])
    }

    @Test(.mocks) func `Mocks refresh as servers do`() async throws {
        let store = store
        Mocks.set("me", .respond { .status($0.value(forHTTPHeaderField: "Authorization") == "Bearer new" ? 200 : 401) })
        let client = try APIClient { $0.authorization = .refreshing(store) { _ in "new" } }
        try await client.send(Route.get("me").mock("me"))
        #expect(Mocks.calls.map(\.attempts) == [2])
    }

    // MARK: Combined

    @Test func `Combined credentials go to the same servers`() async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.authorization = .combined(.bearer("t"), .custom(header: "X-Api-Key", value: "k"), .bearer("second"))
        }
        try await client.send(Route.get("x"))
        try await client.send(Route.get("https://other.example/x"))
        try await client.send(Route.get("https://other.example/x").authorization(.anywhere))
        try await client.send(Route.get("x").header("X-Api-Key", "own"))
        #expect(
            transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [
                "Bearer t", nil, "Bearer t", "Bearer t",
            ])
        #expect(transport.requests.map { $0.value(forHTTPHeaderField: "X-Api-Key") } == ["k", nil, "k", "own"])
    }

    @Test func `A redirect to another origin drops all combined credentials`() async throws {
        let transport = StubTransport { _, index in
            index == 0 ? (302, [.location: "https://other.example/y"], "") : (200, [:], "")
        }
        let response = try await transport.client {
            $0.authorization = .combined(.bearer("t"), .custom(header: "X-Plain", value: "k"))
        }.response(for: Route.get("x"), as: Data.self)
        #expect(transport.requests[1].value(forHTTPHeaderField: "X-Plain") == nil)
        #expect(transport.requests[1].value(forHTTPHeaderField: "Authorization") == nil)
        #expect(response.history.map(\.request) == ["GET https://api.example.com/x", "GET https://other.example/y"])
        #expect(response.history.map(\.status) == [302, 200])
    }
}
