import CallSupport
import FingerpostTesting

@testable import Fingerpost

/// What happens to calls and tokens while a refresh is in progress, and after it.
@Suite(.inTurn, .concurrent) struct RefreshRaceTests {
    private let store = InMemoryCredentialStore("old")

    /// A server that accepts the given tokens.
    private static func server(_ valid: String...) -> StubTransport {
        StubTransport { request, _ in
            (valid.contains { request.values("Authorization") == "Bearer \($0)" } ? 200 : 401, [:], "")
        }
    }

    /// A store that gives older tokens, and sometimes the token that it has, until a hundred requests have been sent.
    private struct AgingStore: CredentialStore {
        let store: InMemoryCredentialStore
        let sent: Locked<Int>
        let reads = Locked(0)

        func token() async -> String? {
            guard sent.withLock({ $0 }) < 100 else { return store.token() }
            let number = reads.next()
            return number % 3 == 1 ? "old" : "older \(number % 7)"
        }
        func save(_ token: String, replacing old: String?) async -> Bool { await store.save(token, replacing: old) }
    }

    /// A store of an app around the library's, as the comment of the protocol shows it.
    private struct Wrapper<Inner: CredentialStore>: CredentialStore {
        let inner: Inner

        func token() async throws -> String? { try await inner.token() }

        func save(_ token: String, replacing old: String?) async throws -> Bool {
            try await inner.save(token, replacing: old)
        }

        func accountToken() async throws -> (token: String, account: String?)? { try await inner.accountToken() }
    }

    /// The same around the store in memory alone: its own methods are called, and not those of the protocol.
    private struct ConcreteWrapper: CredentialStore {
        let inner: InMemoryCredentialStore

        func token() async throws -> String? { inner.token() }

        func save(_ token: String, replacing old: String?) async throws -> Bool {
            await inner.save(token, replacing: old)
        }

        func accountToken() async throws -> (token: String, account: String?)? { await inner.accountToken() }
    }

    @Test(arguments: 1...5)
    func `Calls with older tokens do not keep the store's token from a refresh`(run: Int) async throws {
        let (sent, refreshes) = (Locked(0), Locked(0))
        // The first hundred requests are answered when all of them have come.
        let transport = StubTransport { request, index in
            if index < 100 {
                sent.withLock { $0 += 1 }
                await poll { sent.withLock { $0 } == 100 }
            }
            return (request.values("Authorization") == "Bearer new" ? 200 : 401, [:], "")
        }
        let client = transport.client {
            $0.maximumCallsPerHost = nil
            $0.authorization = .refreshing(AgingStore(store: store, sent: sent)) { _ in
                refreshes.withLock { $0 += 1 }
                return "new"
            }
        }
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { (try? await client.send(Route.get("x"))) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect((answered > 0, refreshes.withLock { $0 }, store.token()) == (true, 1, "new"))
    }

    @Test func `A task that the closure leaves behind has credentials after the refresh`() async throws {
        let transport = Self.server("new")
        let box = Locked<APIClient?>(nil)
        let later = Locked<Task<Void, any Error>?>(nil)
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let client = transport.client {
            $0.authorization = .refreshing(store) { _ in
                let client = box.withLock { $0 }
                let task = Task {
                    for await _ in gate { break }
                    try await client?.send(Route.get("later"))
                }
                later.withLock { $0 = task }
                return "new"
            }
        }
        box.withLock { $0 = client }
        defer { box.withLock { $0 = nil } }
        try await client.send(Route.get("x"))
        opener.yield()
        try await later.withLock { $0 }?.value
        let last = transport.requests.last
        #expect((last?.url?.path, last?.values("Authorization")) == ("/later", "Bearer new"))
    }

    @Test func `A refresh that finds its own token in the store is one`() async throws {
        let (store, transport) = (store, Self.server("new"))
        let client = transport.client {
            $0.authorization = .refreshing(store) { _ in
                store.save("new")
                return "new"
            }
        }
        try await client.send(Route.get("x"))
        #expect(store.token() == "new" && transport.requests.count == 2)
    }

    /// What the app does to the store of user A, whose token is "old".
    enum Change: String, CaseIterable {
        case signIn, signInWithEqualToken, signOut

        func apply(to store: InMemoryCredentialStore) {
            switch self {
            case .signIn: store.save("b1", account: "b")
            case .signInWithEqualToken: store.save("old", account: "b")
            case .signOut: store.clear()
            }
        }

        /// The token and the account that are in the store afterwards.
        var left: String? { [.signIn: "b1 of b", .signInWithEqualToken: "old of b"][self] }
    }

    private static func left(in store: InMemoryCredentialStore) async -> String? {
        await store.accountToken().map { "\($0.token) of \($0.account ?? "-")" }
    }

    /// A store in which something happens at the last moment before a token is saved.
    private struct HookedStore: CountingStore {
        let store: InMemoryCredentialStore
        let hook: @Sendable () -> Void

        var changes: Int { store.changes }

        func token() -> String? { store.token() }

        func accountToken() async -> (token: String, account: String?)? { await store.accountToken() }

        func save(_ token: String, replacing old: String?) async -> Bool {
            hook()
            return await store.save(token, replacing: old)
        }

        func save(_ token: String, after changes: Int) -> Bool {
            hook()
            return store.save(token, after: changes)
        }
    }

    @Test(arguments: Change.allCases, [false, true])
    func `A refreshed token is not saved over what the app did until then`(change: Change, isLast: Bool) async throws {
        let store = InMemoryCredentialStore("old", account: "a")
        let (transport, refreshes) = (Self.server("new"), Locked(0))
        let hooked = HookedStore(store: store) { if isLast { change.apply(to: store) } }
        let client = transport.client {
            $0.authorization = .refreshing(hooked) { _ in
                refreshes.withLock { $0 += 1 }
                if !isLast { change.apply(to: store) }
                return "new"
            }
        }
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        let left = await Self.left(in: store)
        #expect((left, transport.requests.count, refreshes.withLock { $0 }) == (change.left, 1, 1))
    }

    private static let tries = ProcessInfo.processInfo.environment["REFRESH_RACES"].flatMap { Int($0) } ?? 200

    /// What a client is given: the library's store in memory, or a store of the app around it.
    enum Around: String, CaseIterable {
        case nothing, wrapper, concreteWrapper

        func store(_ inner: InMemoryCredentialStore) -> any CredentialStore {
            switch self {
            case .nothing: inner
            case .wrapper: Wrapper(inner: inner)
            case .concreteWrapper: ConcreteWrapper(inner: inner)
            }
        }

        /// A wrapper cannot count changes, so it does not tell two equal tokens apart.
        var changes: [Change] { self == .nothing ? Change.allCases : [.signIn, .signOut] }
    }

    private static let races = Around.allCases.flatMap { around in around.changes.map { (around, $0) } }

    @Test(arguments: races)
    func `Whenever the app signs in or out during a refresh, its change stays`(around: Around, change: Change)
        async throws
    {
        var lost = 0
        for number in 0..<Self.tries {
            let store = InMemoryCredentialStore("old", account: "a")
            let (isRefreshing, isChanged) = (Locked(false), Locked(false))
            let client = Self.server("new").client {
                $0.authorization = .refreshing(around.store(store)) { _ in
                    isRefreshing.withLock { $0 = true }
                    return "new"
                }
            }
            let thread = Thread {
                while !isRefreshing.withLock({ $0 }) { sched_yield() }
                for _ in 0..<number % 200 { _ = store.token() }
                change.apply(to: store)
                isChanged.withLock { $0 = true }
            }
            thread.start()
            // The call may end as that of another account.
            _ = try? await client.send(Route.get("x"))
            while !isChanged.withLock({ $0 }) { await Task.yield() }
            if await Self.left(in: store) != change.left { lost += 1 }
        }
        #expect(lost == 0)
    }

    @Test(arguments: races.filter { $0.1 != .signInWithEqualToken })
    func `A token that a wrapper saves undoes no sign-in and no sign-out`(around: Around, change: Change) async throws {
        var lost = 0
        for _ in 0..<Self.tries {
            let inner = InMemoryCredentialStore("old", account: "a")
            let store = around.store(inner)
            async let isSaved = store.save("new", replacing: "old")
            async let changed: Void = change.apply(to: inner)
            _ = try await (isSaved, changed)
            if await Self.left(in: inner) != change.left { lost += 1 }
        }
        #expect(lost == 0)
    }

    @Test(arguments: [true, false])
    func `A call does not fail with the refresh of another account that it waits for`(fails: Bool) async throws {
        let store = InMemoryCredentialStore("a1", account: "a")
        let (isOpen, expired) = (Locked(false), Locked<[String]>([]))
        let transport = Self.server("b2")
        let client = transport.client {
            $0.authorization = .refreshing(store) { token in
                expired.withLock { $0.append(token) }
                if token == "b1" { return "b2" }
                await poll { isOpen.withLock(\.self) }
                if fails { throw Self.refusal("invalid_grant") }
                return "a2"
            }
        }
        let first = Task { try await client.send(Route.get("x")) }
        await poll { !expired.withLock(\.isEmpty) }
        store.save("b1", account: "b")
        let second = Task { try await client.send(Route.get("x")) }
        await poll { transport.requests.count == 2 }
        await settle()
        isOpen.withLock { $0 = true }
        try await failure(fails ? .authorization : .status(401)) { try await first.value }
        try await second.value
        #expect((expired.withLock(\.self), store.token()) == (["a1", "b1"], "b2"))
    }

    /// Refreshes that end when a test says so.
    private final class HeldRefreshes: Sendable {
        private let held = Locked<[CheckedContinuation<String, Never>]>([])
        private let givenUp = Locked(0)

        /// How many have begun, and how many were cancelled.
        var counts: [Int] { [held.withLock(\.count), givenUp.withLock(\.self)] }

        func token() async -> String {
            await withTaskCancellationHandler {
                await withCheckedContinuation { hold($0) }
            } onCancel: {
                _ = givenUp.next()
            }
        }

        func end(_ index: Int, with token: String) { held.withLock { $0[index] }.resume(returning: token) }

        private func hold(_ refresh: CheckedContinuation<String, Never>) { held.withLock { $0.append(refresh) } }
    }

    @Test func `A refresh that does not end is given up, and its late token is discarded`() async throws {
        let (clock, store, refreshes) = (VirtualClock(), store, HeldRefreshes())
        try await APIScope(environment: .testing(), clock: clock).run {
            Mocks.set("me", .respond { .status($0.values("Authorization") == "Bearer new" ? 200 : 401) })
            let client = try APIClient {
                $0.timeout = .seconds(20)
                $0.authorization = .refreshing(store) { _ in await refreshes.token() }
            }
            let ended = Locked(0)
            @Sendable func call() async throws {
                defer { _ = ended.next() }
                try await client.send(Route.get("me").mock("me"))
            }
            let first = Task { try await call() }
            await poll { refreshes.counts == [1, 0] }
            first.cancel()
            _ = await first.result
            // The refresh of the first call may still end.
            try await clock.sleep(until: clock.now.advanced(by: .seconds(119)))
            let second = Task { try await call() }
            await poll { Mocks.calls.count == 2 }
            await settle()
            #expect(refreshes.counts == [1, 0])
            try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
            let third = Task { try await call() }
            await poll { refreshes.counts[0] == 2 || ended.withLock(\.self) == 2 }
            try #require(refreshes.counts[0] == 2)
            // The third call gives up the first refresh when its own has begun.
            await poll { refreshes.counts == [2, 1] }
            refreshes.end(0, with: "late")
            await settle()
            #expect(store.token() == "old")
            refreshes.end(1, with: "new")
            try await second.value
            try await third.value
            #expect(store.token() == "new")
        }
    }

    /// The method, the status of a redirect, and the methods of the requests that are sent.
    @Test(
        arguments: [
            (HTTPMethod.put, 303, ["PUT body", "GET", "PUT body", "GET"]),
            (.post, 307, ["POST body", "POST body", "POST body", "POST body"]), (.post, 303, ["POST body", "GET"]),
        ] as [(HTTPMethod, Int, [String])])
    func `A redirected request is sent again from its start, unless the server has processed it`(
        method: HTTPMethod, redirect: Int, sent: [String]
    ) async throws {
        let transport = StubTransport { request, _ in
            if request.url?.path == "/orders" { return (redirect, [.location: "/result"], "") }
            return (request.values("Authorization") == "Bearer new" ? 200 : 401, [:], "")
        }
        let client = transport.client { $0.authorization = .refreshing(store) { _ in "new" } }
        let error = await errorIfAny { try await client.send(Route.post("orders").method(method).json(["a": 1])) }
        let isExplained = error?.message.contains("not sent again, because the server had processed it")
        #expect((error?.kind, isExplained) == (sent.count == 4 ? (nil, nil) : (.status(401), true)))
        #expect(transport.requests.map { "\($0.httpMethod ?? "")\($0.httpBody == nil ? "" : " body")" } == sent)
    }

    // MARK: Messages

    @Test func `A route that requires authorization in the closure is an error that says so`() async throws {
        let box = Locked<APIClient?>(nil)
        let client = StubTransport(401).client {
            $0.authorization = .refreshing(store) { _ in
                try await box.withLock { $0 }?.send(Route.get("token").authorization(.required))
                return "new"
            }
        }
        box.withLock { $0 = client }
        defer { box.withLock { $0 = nil } }
        let error = try await failure(.authorization) { try await client.send(Route.get("x")) }
        let isExplained = error.message.contains("calls in the closure that refreshes it have none")
        #expect((isExplained, error.fix) == (true, "set the route's authorization to .none"))
    }

    private static let again = "send the call again, which refreshes the token again"
    private static let clientFix =
        "check the client's identifier and secret, and whether the server reads them in a form or in a header"

    private static func refusal(_ code: String) -> APIError {
        let body = Data(#"{"error": "\#(code)", "error_description": "Refused"}"#.utf8)
        let request = URLRequest(url: URL(filePath: "/token"))
        return APIError(.status(400), "the server answered 400").adding(
            Response(status: 400, data: body, request: request))
    }

    private static let failures: [(failure: any Error, kind: APIError.Kind, fix: String)] = [
        (URLError(.notConnectedToInternet), .offline, again), (URLError(.timedOut), .timedOut, again),
        (URLError(.networkConnectionLost), .transport, again), (CancellationError(), .transport, again),
        (APIError(.status(503), "busy"), .transport, again),
        (APIError(.status(400), "invalid_grant"), .authorization, "sign in again"),
        (POSIXError(.EPERM), .authorization, "sign in again"),
        (refusal("invalid_grant"), .authorization, "sign in again"),
        (refusal("invalid_client"), .authorization, clientFix),
        (refusal("unauthorized_client"), .authorization, clientFix),
        (APIError(.mock, "no mock", fix: "add the mock"), .authorization, "add the mock"),
    ]

    @Test func `The kind and the fix tell why the refresh failed`() async throws {
        for (reason, kind, fix) in Self.failures {
            let client = StubTransport(401).client { $0.authorization = .refreshing(store) { _ in throw reason } }
            let error = try await failure { try await client.send(Route.get("x")) }
            #expect((error.kind, error.fix) == (kind, fix), "\(reason)")
        }
    }

    @Test func `A refresh that lasts until the timeout on the scope's clock ends the call`() async throws {
        let clock = VirtualClock()
        let store = store
        try await APIScope(environment: .testing(), clock: clock).run {
            Mocks.set("me", .status(401))
            Mocks.set("token", .status(200).delayed(by: .seconds(40)))
            let client = try APIClient {
                $0.authorization = .refreshing(store) { _ in
                    for _ in 1...2 { try await APIClient().send(Route.post("token").mock("token")) }
                    return "new"
                }
            }
            let error = try await failure(.timedOut) { try await client.send(Route.get("me").mock("me")) }
            #expect((error.message, error.history.map(\.status)) == ("the token was not refreshed within 60 s", [401]))
        }
        #expect(clock.now.offset == .seconds(80))
    }
}
