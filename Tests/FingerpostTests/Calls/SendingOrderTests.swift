import CallSupport

@testable import Fingerpost

/// Which loop of a call is around which: retries, credentials, places at a host, recorders, redirects.
@Suite(.inTurn, .concurrent) struct SendingOrderTests {
    private let store = InMemoryCredentialStore("old")
    private let refreshes = Locked(0)
    private let box = Locked<APIClient?>(nil)

    /// A client whose refreshes return a new token each time.
    private func client(
        _ transport: StubTransport, _ change: (inout APIClient.Configuration) -> Void = { _ in },
        refreshing: @escaping @Sendable () async throws -> Void = {}
    ) -> APIClient {
        transport.client {
            $0.retry = .atOnce(4)
            $0.authorization = .refreshing(store) { [refreshes] _ in
                let number = refreshes.next()
                try await refreshing()
                return "new \(number)"
            }
            change(&$0)
        }
    }

    // MARK: Renewals

    /// What the server answers, and the refreshes. True if another call replaces the token while the second request is
    /// sent.
    private static let renewals: [(statuses: [Int], isReplaced: Bool, sends: Int, refreshes: Int)] = [
        // A retry counts on.
        ([503, 401, 503, 401], false, 1, 1),
        // Another call's token, and then a refresh.
        ([503, 401, 503, 401, 503, 401], true, 1, 1),
        // Middleware that sends again begins anew.
        ([401, 401, 401, 401], false, 2, 2),
    ]

    @Test(arguments: renewals.indices)
    func `What a call has renewed is counted around its retries`(index: Int) async throws {
        let (statuses, isReplaced, sends, refreshes) = Self.renewals[index]
        let store = store
        let transport = StubTransport { _, index in
            if isReplaced, index == 1 { store.save("other") }
            return (index < statuses.count ? statuses[index] : 200, [:], "")
        }
        let client = client(transport) { $0.middleware = [RepeatingMiddleware(count: sends)] }
        let error = try await failure(.status(401)) { try await client.send(Route.get("x")) }
        #expect((error.history.map { $0.status ?? 0 }, self.refreshes.withLock { $0 }) == (statuses, refreshes))
    }

    @Test func `An attempt that middleware cancels is in the history once, as the next one is`() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request, sink in
            guard count.next() == 1 else { return try sink.begin(Response(status: 200, request: request)) }
            let (silence, _) = AsyncStream<Never>.makeStream()
            for await _ in silence {}
            throw CancellationError()
        }
        let client = transport.client {
            $0.middleware = [
                ClosureMiddleware { request, _, next in
                    await withoutActuallyEscaping(next) { next in
                        await withTaskGroup(of: Void.self) { group in
                            group.addTask { _ = try? await next(request) }
                            await poll { count.withLock { $0 } == 1 }
                            group.cancelAll()
                        }
                    }
                    return try await next(request)
                }
            ]
        }
        let response = try await client.response(for: Route.get("x"), as: Data.self)
        #expect(response.history.map { $0.error ?? "\($0.status ?? 0)" } == ["the task was cancelled", "200"])
    }

    // MARK: Bodies

    /// A body that asks to start over, or that the app reads already.
    private final class Body: ResumingSink {
        private let starts: Locked<Int>
        let hasDelivered: Bool

        init(startsOver count: Int, hasDelivered: Bool) { (starts, self.hasDelivered) = (Locked(count), hasDelivered) }

        func startsOver(after result: Outcome) -> Bool {
            starts.withLock { starts in
                starts -= 1
                return starts >= 0
            }
        }

        func prepare() {}
        func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) {}
        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) {}
    }

    @Test(arguments: [(starts: 0, hasDelivered: false, sent: 1), (1, false, 2), (2, false, 3), (1, true, 1)])
    func `What a body asks for comes before the retry policy`(
        row: (starts: Int, hasDelivered: Bool, sent: Int)
    ) async throws {
        // The policy does not wait that long.
        let transport = StubTransport(503, [.retryAfter: "99"])
        let body = Body(startsOver: row.starts, hasDelivered: row.hasDelivered)
        let client = client(transport)
        let error = try await failure(.status(503)) { try await client.transfer(Route.get("x"), by: body) }
        #expect(error.attempts == row.sent && error.history.allSatisfy { $0.wait == .zero })
    }

    // MARK: Places

    @Test func `A refresh holds no place, so its own call has one`() async throws {
        let box = box
        let transport = StubTransport { request, _ in
            let token = request.value(forHTTPHeaderField: "Authorization")
            return (token == "Bearer new 1" || request.url?.path == "/token" ? 200 : 401, [:], "")
        }
        let client = client(transport) {
            $0.maximumCallsPerHost = 1
            $0.timeout = .seconds(20)
        } refreshing: {
            try await #require(box.withLock { $0 }).send(Route.post("token").authorization(.none))
        }
        box.withLock { $0 = client }
        defer { box.withLock { $0 = nil } }
        try await client.send(Route.get("x"))
        #expect(transport.requests.compactMap(\.url?.path) == ["/x", "/token", "/x"])
    }

    /// Keeps what it sees, and how many calls were in it at once.
    private final class Witness: Recorder {
        let seen = Locked((running: 0, most: 0, lines: [String]()))

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            seen.withLock { seen in
                seen.running += 1
                seen.most = max(seen.most, seen.running)
            }
            await Task.yield()
            let response = try await next(request)
            let line = [
                request.url?.path, request.value(forHTTPHeaderField: "Authorization"), "\(response.status)",
                response.request.url?.path,
            ]
            seen.withLock { seen in
                seen.running -= 1
                seen.lines.append(line.map { $0 ?? "-" }.joined(separator: " "))
            }
            return response
        }
    }

    @Test func `A recorder is inside the limit and around the redirects of each attempt`() async throws {
        let witness = Witness()
        let transport = StubTransport { request, index in
            if index == 0 { return (503, [:], "") }
            return request.url?.path == "/a" ? (307, [.location: "/b"], "") : (200, [:], "")
        }
        let client = client(transport) {
            $0.maximumCallsPerHost = 1
            $0.middleware = [witness]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...3 { group.addTask { try await client.send(Route.get("a")) } }
            try await group.waitForAll()
        }
        let seen = witness.seen.withLock { $0 }
        let lines = ["/a Bearer old 503 /a"] + Array(repeating: "/a Bearer old 200 /b", count: 3)
        #expect((seen.most, seen.lines) == (1, lines))
    }
}
