import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Events over several connections.
@Suite(.inTurn, .concurrent) struct EventStreamTests {
    private static let route = Route.get("x").mock("ticker")

    /// Runs work with a client for a server, on a virtual clock.
    private func run(
        _ server: LoopbackServer, clock: VirtualClock = VirtualClock(), _ work: (APIClient) async throws -> Void
    ) async throws {
        let environment = try Environment("Local", values: ["baseURL": server.baseURL.absoluteString])
        let scope = APIScope(environment: environment, network: .live, clock: clock)
        try await scope.run { try await work(try APIClient()) }
    }

    @Test func `A connection that ends is followed by another, after the last event`() async throws {
        let numbers = Locked(Array(1...5))
        let server = try LoopbackServer { _, connection in
            switch numbers.withLock({ $0.removeFirst() }) {
            case 1: connection.respond(events: "retry: 5000\nid: 1\ndata: a\n\nid: 2\ndata: lost")
            case 2: connection.respond(503, headers: ["Retry-After": "90"])
            case 3: connection.breakOff(events: "id: 2\ndata: b\n\n")
            case 4: connection.respond(events: "id\ndata: c\n\n")
            default: connection.respond(204)
            }
        }
        let clock = VirtualClock()
        var (events, times) = ([String](), [Duration]())
        try await run(server, clock: clock) { client in
            let start = clock.now
            for try await event in client.events(Route.get("x")) {
                events.append(event.data)
                times.append(start.duration(to: clock.now))
            }
        }
        let sent = server.requests.map { [$0["Last-Event-ID"], $0["Accept"]] }
        #expect((events, sent) == (["a", "b", "c"], [nil, "1", "1", "2", nil].map { [$0, "text/event-stream"] }))
        // The server's 5 seconds, then its 90; then 5 and at most 1 more, because the connection was lost.
        #expect(times.prefix(2) == [.zero, .seconds(95)] && (100...101).contains(times[2] / .seconds(1)))
    }

    @Test func `The status decides about another connection, whatever the route accepts`() async throws {
        for policy in [StatusPolicy.success, .all] {
            let answers = Locked([(503, "text/html"), (404, "text/event-stream")])
            let server = try LoopbackServer { _, connection in
                let (status, type) = answers.withLock { $0.removeFirst() }
                connection.respond(status, headers: ["Content-Type": type], body: "data: a\n\n")
            }
            try await run(server) { client in
                var events: [ServerSentEvent] = []
                let error = try await failure {
                    for try await event in client.events(Self.route.acceptedStatuses(policy)) { events.append(event) }
                }
                #expect((error.kind, events, server.requestCount) == (.status(404), [], 2))
            }
        }
    }

    @Test func `A server that asks for no wait gets ten calls a second, and no identifier of 5 kB`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(events: "retry: 0\nid: \(String(repeating: "i", count: 5000))\ndata: a\n\n")
        }
        let clock = VirtualClock()
        try await run(server, clock: clock) { client in
            let start = clock.now
            var (events, times) = ([ServerSentEvent](), [Duration]())
            for try await event in client.events(Route.get("x")) {
                events.append(event)
                times.append(start.duration(to: clock.now))
                if times.count == 3 { break }
            }
            #expect((events, times) == (["a", "a", "a"], [.zero, .milliseconds(100), .milliseconds(200)]))
        }
        #expect(server.requests.allSatisfy { $0["Last-Event-ID"] == nil })
    }

    private struct Price: Decodable, Sendable, Equatable { let inEuro: Double }

    @Test(.mocks) func `The data of events is decoded over all connections, with the client's decoder`() async throws {
        Mocks.set(
            "ticker",
            .sequence([
                .events([#"{"in_euro": 1}"#, #"{"in_euro": 2}"#], ending: .lost), .status(503),
                .events([#"{"in_euro": 3}"#]), .status(204),
            ]))
        let client = try APIClient {
            $0.decoder = JSONDecoder()
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        var prices: [Double] = []
        for try await price in client.events(Self.route).json(as: Price.self) { prices.append(price.inEuro) }
        #expect((prices, Mocks.calls.map { $0.decodedType == Price.self }) == ([1, 2, 3], [true, false, true, false]))
    }

    @Test(.mocks) func `Data of an event that cannot be decoded ends the loop with an error`() async throws {
        Mocks.set("ticker", .events([#"{"inEuro": 1}"#, #"{"inEuro": "two"}"#, #"{"inEuro": 3}"#]))
        let client = try APIClient()
        var prices = client.events(Self.route).json(as: Price.self).makeAsyncIterator()
        let first = try await prices.next()
        let error = try await failure { try await prices.next() }
        let found = try await (first, prices.next(), Mocks.calls.count)
        #expect(found == (Price(inEuro: 1), nil, 1))
        #expect(error.line.hasPrefix("decoding: event 2 of the stream") && "\(error)".contains("inEuro"), "\(error)")
        _ = Mocks.takeProblems()
    }

    @Test(.mocks) func `A loop that no answer of a mock ends fails, in place of a test without an end`() async throws {
        for answer in [MockResponse.events(["a"]), .status(503)] {
            Mocks.set("ticker", answer)
            let error = try await failure { try await APIClient().events(Self.route).all() }
            #expect(
                (error.line, error.route)
                    == ("mock: the loop has connected 1000 times, and no answer has ended it", "GET x"))
            #expect(error.fix?.contains(".sequence([.file, .status(204)])") == true, "\(error)")
        }
    }

    private struct Strict: Decodable, Sendable, Equatable { let id: Int }

    @Test(arguments: ["events", "stream"])
    func `A null is an error, or nil for an optional type, and blank data is no value`(entry: String) async throws {
        let server = try LoopbackServer { request, connection in
            let blank = "data\n\nevent: none\n\ndata:  \ndata:\n\n"
            let events = "id: 7\ndata: {\"id\": 1}\n\n\(blank)data: null\n\ndata: {\"id\": 2}\n\n"
            if request["Last-Event-ID"] == nil { connection.respond(events: events) } else { connection.respond(204) }
        }
        func values<Value: Decodable & Sendable>(of client: APIClient, as type: Value.Type) async throws -> [Value] {
            let route = Route.get("x")
            return entry == "events"
                ? try await client.events(route).json(as: type).all()
                : try await client.stream(route).json(as: type).all()
        }
        try await run(server) { client in
            let error = try await failure { _ = try await values(of: client, as: Strict.self) }
            #expect(error.line.hasPrefix("decoding: event 4 of the stream does not decode as Strict: "), "\(error)")
            #expect(try await values(of: client, as: Strict?.self) == [Strict(id: 1), nil, Strict(id: 2)])
        }
    }

    @Test func `Cancellation ends the wait for the next connection`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(events: "retry: 86400000\ndata: a\n\n")
        }
        let client = APIClient(baseURL: server.baseURL)
        let (reads, read) = AsyncStream<Void>.makeStream()
        let task = Task { for try await _ in client.events(Route.get("x")) { read.yield() } }
        for await _ in reads { break }
        task.cancel()
        let error = try await failure { try await task.value }
        #expect(error.kind == .cancelled)
    }

    @Test func `A route may say which event was the last, and a refresh may fail for a while`() async throws {
        let server = try LoopbackServer { request, connection in
            switch (request["Authorization"], request["Last-Event-ID"]) {
            case ("Bearer new", "5"): connection.respond(events: "id: 6\ndata: a\n\n")
            case ("Bearer new", _): connection.respond(204)
            default: connection.respond(401)
            }
        }
        let failures = Locked([URLError(.notConnectedToInternet)])
        try await run(server) { client in
            let client = client.with {
                $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in
                    if let failure = failures.withLock({ $0.popLast() }) { throw failure }
                    return "new"
                }
            }
            let events = try await client.events(Route.get("x").header("Last-Event-ID", "5")).all()
            #expect(
                (events, server.requests.map { $0["Last-Event-ID"] })
                    == ([ServerSentEvent("a", id: "6")], ["5", "5", "5", "6"]))
        }
    }

    /// Routes that may be sent again after a failure.
    private static let repeatable: [Route] = [
        .post("x").idempotencyKey("k"), .post("x").idempotencyKey(), .post("x").header("Idempotency-Key", "k"),
        .post("x").retry(.standard), .post("x").retryable(), .put("x"), .delete("x"), Route(of: Paid.replay),
    ]

    /// Routes that are sent once.
    private static let unrepeatable: [Route] = [
        .post("x").json(["text": "Why?"]), .patch("x"), .post("x").query("a", 1), .post("x").retry(.off),
        Route(of: Paid.pay),
    ]

    /// A router whose cases have a retry policy, which permits nothing.
    private enum Paid: Routable {
        case pay, replay

        var method: HTTPMethod { .post }
        var path: RoutePath { "x" }
        var retry: RetryPolicy? { .standard }
        var isRepeatable: Bool { self == .replay }
    }

    @Test func `What a server ends is asked for again only with GET and HEAD`() async throws {
        for route in Self.repeatable + Self.unrepeatable + [Route.get("x").configure { $0.httpMethod = "POST" }] {
            let server = try LoopbackServer { _, connection in connection.respond(events: "data: a\n\ndata: [DONE]\n\n")
            }
            try await run(server) { client in
                let events = try await client.events(route).all().map(\.data)
                #expect((events, server.requestCount) == (["a", "[DONE]"], 1), "\(route)")
            }
        }
    }

    @Test func `A connection that must not be opened again and is lost says so`() async throws {
        for route in Self.unrepeatable {
            let server = try LoopbackServer { _, connection in connection.breakOff(events: "data: a\n\n") }
            try await run(server) { client in
                var events: [String] = []
                let error = try await failure {
                    for try await event in client.events(route) { events.append(event.data) }
                }
                let reason = "; not connected again, because \(route.method) is not idempotent"
                #expect((events, server.requestCount) == (["a"], 1))
                #expect(error.message.hasSuffix(reason) && error.fix?.contains("idempotency key") == true, "\(error)")
            }
        }
    }

    @Test func `A route that may be sent twice connects again after a failure, with the same key`() async throws {
        for route in Self.repeatable {
            let numbers = Locked(Array(1...3))
            let server = try LoopbackServer { _, connection in
                switch numbers.withLock({ $0.removeFirst() }) {
                case 1: connection.breakOff(events: "data: a\n\n")
                case 2: connection.respond(503)
                default: connection.respond(events: "data: b\n\n")
                }
            }
            try await run(server) { client in
                let events = try await client.events(route).all().map(\.data)
                let keys = server.requests.map { $0["Idempotency-Key"] }
                let hasKey = route.idempotencyKey != nil || route.headers.contains("Idempotency-Key")
                #expect((events, keys.count, Set(keys).count) == (["a", "b"], 3, 1), "\(route)")
                #expect((keys[0] != nil) == hasKey, "\(route)")
            }
        }
    }

    @Test(.mocks) func `Each loop has connections of its own`() async throws {
        Mocks.set("ticker", .events(["a", "b"]))
        let events = try APIClient().events(Self.route)
        var firsts: [String?] = []
        for _ in 1...2 {
            var iterator = events.makeAsyncIterator()
            firsts.append(try await iterator.next()?.data)
        }
        #expect((firsts, Mocks.calls.count) == (["a", "a"], 2))
    }
}

extension Connection {
    /// Answers with these events, and nothing after them.
    fileprivate func respond(events: String) {
        respond(200, headers: ["Content-Type": "text/event-stream"], body: events)
    }

    /// Answers with these events of a body that is larger, and breaks it off.
    fileprivate func breakOff(events: String) {
        write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n\(events)")
        close()
    }
}
