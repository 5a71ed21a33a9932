import CallSupport
import FingerpostTesting

@testable import Fingerpost

/// How many calls go to one host at the same time.
@Suite(.inTurn, .concurrent) struct CallLimiterTests {
    /// Answers when it is told to, and counts the requests in progress.
    private final class Gate: Transport {
        private struct State {
            var running = 0
            var maximum = 0
            var order: [String] = []
            var waiting: [(String, CheckedContinuation<Void, Never>)] = []
        }

        private let state = Locked(State())

        var running: Int { state.withLock { $0.running } }
        var maximum: Int { state.withLock { $0.maximum } }
        var order: [String] { state.withLock { $0.order } }

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.running += 1
                    state.maximum = max(state.maximum, state.running)
                    state.order.append(route.name)
                    state.waiting.append((route.name, continuation))
                }
            }
            return Response(status: 200, data: Data(), request: request)
        }

        /// Answers the request that came first.
        func open() {
            let next = state.withLock { state in
                state.running -= 1
                return state.waiting.removeFirst().1
            }
            next.resume()
        }
    }

    @Test func `Calls beyond the limit wait until others end`() async throws {
        let gate = Gate()
        let client = gate.client { $0.maximumCallsPerHost = 2 }
        let calls = (0..<10).map { number in Task { try await client.send(Route.get("x").named("\(number)")) } }
        await poll { gate.running == 2 }
        await settle()
        for done in 1...10 {
            gate.open()
            await poll { gate.order.count == min(10, done + 2) }
        }
        for call in calls { try await call.value }
        #expect(gate.maximum == 2 && gate.order.sorted() == (0..<10).map { "\($0)" })
    }

    @Test func `The call that has waited the longest continues first`() throws {
        let (limiter, origin) = (CallLimiter(limit: 1), Origin(URL(string: "https://a.example")!))
        let place = try limiter.place(at: origin)
        let turns = (0..<3).map { _ in FirstResult<Void>() }
        let places = try turns.map { try limiter.place(at: origin, or: $0) == nil }
        place?.leave()
        // A turn that has begun cannot be ended again.
        let waits = turns.map { $0.end(.success(())) }
        #expect((places, waits) == ([true, true, true], [false, true, true]))
    }

    @Test func `The limit is six on Linux, none on Apple platforms, and at least one`() async throws {
        #if canImport(FoundationNetworking)
            let usual: Int? = 6
        #else
            let usual: Int? = nil
        #endif
        #expect(APIClient.Configuration().maximumCallsPerHost == usual)
        for limit in [0, -1] {
            let transport = StubTransport(200)
            let client = transport.client { $0.maximumCallsPerHost = limit }
            let error = try await failure(.invalidRoute) { try await client.send(Route.get("x")) }
            #expect((error.message, transport.requests.isEmpty) == ("maximumCallsPerHost is \(limit)", true))
        }
    }

    @Test func `A transport that sends a call, which waits for its place, is what the error names`() async throws {
        let box = Locked<APIClient?>(nil)
        let transport = StubTransport { request, _ in
            if request.url?.path == "/outer" { try await box.withLock { $0 }?.send(Route.get("inner")) }
            return (200, [:], "")
        }
        let client = transport.client { $0.maximumCallsPerHost = 1 }
        box.withLock { $0 = client }
        let error = try await failure(.timedOut) { try await client.send(Route.get("outer").timeout(.seconds(1))) }
        #expect(error.message.contains("the transport sent another call, which waited for one of 1 connections to"))
        box.withLock { $0 = nil }
        try await client.send(Route.get("inner"))
    }

    @Test func `Each host has its own calls`() async throws {
        let gate = Gate()
        let client = gate.client { $0.maximumCallsPerHost = 1 }
        let urls = [
            "https://api.example.com/x", "https://API.example.com:443/y", "https://b.example/x", "http://b.example/x",
        ]
        let calls = urls.map { url in Task { try await client.send(Route.get("\(raw: url)")) } }
        await poll { gate.running == 3 }
        await settle()
        #expect(gate.running == 3)
        for _ in 0..<3 { gate.open() }
        await poll { gate.order.count == 4 }
        gate.open()
        for call in calls { try await call.value }
    }

    @Test func `A waiting call that is cancelled ends at once and takes no place`() async throws {
        let gate = Gate()
        let client = gate.client { $0.maximumCallsPerHost = 1 }
        let first = Task { try await client.send(Route.get("x")) }
        await poll { gate.running == 1 }
        let second = Task { try await client.send(Route.get("x")) }
        await settle()
        second.cancel()
        #expect(try await failure(.cancelled) { try await second.value }.attempts == 0)
        let third = Task { try await client.send(Route.get("x")) }
        gate.open()
        await poll { gate.order.count == 2 }
        gate.open()
        for call in [first, third] { try await call.value }
    }

    @Test func `The wait counts on the scope's clock`() async throws {
        let clock = VirtualClock()
        let begun = Locked(0)
        let transport = StubTransport { _, _ in
            // The clock jumps: a call that begins later would have another deadline, and one that has just begun would
            // not wait yet.
            await poll { begun.withLock { $0 } == 5 }
            await settle()
            try await clock.sleep(until: clock.now.advanced(by: .seconds(7000)))
            return (200, [:], "")
        }
        let environment = try Environment(
            "Staging", values: ["baseURL": "https://api.example.com", "$network": "live"])
        let errors = try await APIScope(environment: environment, network: .live, clock: clock).run {
            let client = try APIClient {
                $0.transport = transport
                $0.middleware = [ChangingMiddleware { _ in begun.withLock { $0 += 1 } }]
                $0.maximumCallsPerHost = 1
                $0.timeout = .seconds(20_000)
            }
            return await withTaskGroup(of: APIError?.self) { group in
                for _ in 1...5 { group.addTask { await errorIfAny { try await client.send(Route.get("x")) } } }
                return await group.reduce(into: [APIError]()) { if let error = $1 { $0.append(error) } }
            }
        }
        let haveWaited = errors.map { $0.attempts == 0 && $0.message.contains("for one of 1 connections") }
        #expect((errors.map(\.kind), haveWaited) == ([.timedOut, .timedOut], [true, true]), "\(errors)")
    }

    @Test(.mocks) func `A call that a mock answers takes no place, so the mock may call its own client`() async throws {
        let client = try APIClient {
            $0.maximumCallsPerHost = 1
            $0.timeout = .seconds(5)
        }
        Mocks.set("inner", .status(200))
        Mocks.set(
            "outer",
            .respond { _ in
                try await client.send(Route.get("inner").mock("inner"))
                return .status(200)
            })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...7 { group.addTask { try await client.send(Route.get("outer").mock("outer")) } }
            try await group.waitForAll()
        }
        #expect(Mocks.calls.count == 14)
    }

    @Test(arguments: [true, false])
    func `A call that ends leaves its place once, though its transport goes on`(isCancelled: Bool) async throws {
        let gate = Gate()
        let client = gate.client { $0.maximumCallsPerHost = 1 }
        // On a busy machine, a short timeout may end the call before it is sent.
        for timeout in [0.2, 2, 20] where gate.running == 0 {
            let first = Task {
                try await client.send(Route.get("x").timeout(isCancelled ? .seconds(60) : .seconds(timeout)))
            }
            if isCancelled {
                await poll { gate.running == 1 }
                first.cancel()
            }
            let error = try await failure { try await first.value }
            #expect(error.kind == (isCancelled ? .cancelled : .timedOut))
        }
        #expect(gate.running == 1)
        let second = Task { try await client.send(Route.get("x").named("second")) }
        await poll { gate.running == 2 }
        let third = Task { try await client.send(Route.get("x").named("third")) }
        // The first call's transport ends, which leaves no place for the third call.
        gate.open()
        await settle()
        #expect(gate.order.count == 2)
        gate.open()
        await poll { gate.order.count == 3 }
        gate.open()
        try await second.value
        try await third.value
    }

    @Test(arguments: [0, 1, 1500])
    func `Each waiting call has its turn, however many leave the line`(cancelled: Int) async throws {
        let limiter = CallLimiter(limit: 1)
        let origin = Origin(try #require(URL(string: "https://a.example")))
        let place = try #require(try limiter.place(at: origin))
        let entered = Locked<[Int]>([])
        let begun = Locked(0)
        var calls: [Task<Void, any Error>] = []
        for number in 0..<(cancelled + 100) {
            calls.append(
                Task {
                    begun.withLock { $0 += 1 }
                    let place = try await limiter.wait(at: origin)
                    entered.withLock { $0.append(number) }
                    place.leave()
                })
        }
        await poll { begun.withLock { $0 } == calls.count }
        for call in calls.prefix(cancelled) { call.cancel() }
        for call in calls.prefix(cancelled) { _ = await call.result }
        place.leave()
        for call in calls.dropFirst(cancelled) { try await call.value }
        #expect(entered.withLock { $0 }.sorted() == Array(cancelled..<(cancelled + 100)))
        #expect(try limiter.place(at: origin) != nil)
    }

    @Test func `A call that waits for its retry takes no place, and ends at once when it is cancelled`() async throws {
        let transport = StubTransport { request, index in (index == 0 ? 503 : 200, [.retryAfter: "40"], "") }
        let client = transport.client {
            $0.retry = .standard
            $0.maximumCallsPerHost = 1
        }
        let retrying = Task { try await client.send(Route.get("x")) }
        await poll { transport.requests.count == 1 }
        try await client.send(Route.get("y"))
        retrying.cancel()
        try await failure(.cancelled) { try await retrying.value }
        #expect(transport.requests.count == 2)
    }
}
