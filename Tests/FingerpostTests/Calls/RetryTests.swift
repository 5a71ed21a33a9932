import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// What is sent again, how often, and when.
@Suite(.inTurn, .concurrent) struct RetryTests {
    private typealias Answer = ScriptedServer.Answer

    // MARK: Which

    private func mocks(_ answers: Answer...) -> ScriptedServer { ScriptedServer(kind: .mocks, answers: answers) }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504], [200, 301, 400, 401, 403, 404, 409, 422, 501, 505])
    func `Statuses that may pass are sent again, and no others`(passing: Int, other: Int) async throws {
        let outcome = try await mocks(.status(passing), .status(other)).send { $0.retry = .standard }
        #expect((outcome.call.history.map(\.status), outcome.error == nil) == ([passing, other], other == 200))
    }

    @Test(arguments: ScriptedServer.Kind.allCases)
    func `Lost connections are sent again, up to the number of attempts`(kind: ScriptedServer.Kind) async throws {
        let recovered = try await ScriptedServer(kind: kind, answers: [.lost, .lost, .status(200)])
            .send { $0.retry = .standard }
        let failed = try await ScriptedServer(kind: kind, answers: [.lost]).send { $0.retry = .standard }
        let history = failed.error?.history ?? []
        let areLost = history.map { $0.status == nil && $0.error?.contains("connection was lost") == true }
        #expect((recovered.error?.kind, recovered.call.attempts) == (nil, 3))
        #expect((failed.error?.kind, areLost, failed.call.history) == (.transport, [true, true, true], history))
    }

    private static let methods: [(Route, isSentAgain: Bool)] = [
        (.get("x"), true), (.head("x"), true), (.put("x"), true), (.delete("x"), true),
        (.get("x").method("OPTIONS"), true), (.get("x").method("TRACE"), true), (.get("x").method("QUERY"), true),
        (.get("x").method("CONNECT"), false),
        (.post("x"), false), (.patch("x"), false), (.get("x").method("PURGE"), false),
        (.post("x").retry(.standard), true), (.patch("x").idempotencyKey("k"), true),
        (.post("x").idempotencyKey(), true), (.post("x").header("Idempotency-Key", "own"), true),
        (.get("x").retry(.off), false), (.post("x").retryable(), true), (.post("x").retryable().retry(.off), false),
        (Route(of: Paid.pay), false), (Route(of: Paid.replay), true), (Route(of: Paid.once), false),
    ]

    /// A router that says how its cases are retried, and which of them may be sent twice.
    private enum Paid: Routable {
        case pay, replay, once, list

        var method: HTTPMethod { self == .list ? .get : .post }
        var path: RoutePath { "x" }
        var retry: RetryPolicy? { self == .once ? .off : RetryPolicy(maximumAttempts: 2) }
        var isRepeatable: Bool { self != .pay && self != .list }
    }

    @Test(arguments: methods)
    func `Only calls that are safe to send twice are sent again`(route: Route, isSentAgain: Bool) async throws {
        let outcome = try await mocks(.status(503), .status(200)).send(route) { $0.retry = .standard }
        #expect((outcome.call.attempts, outcome.error == nil) == (isSentAgain ? 2 : 1, isSentAgain))
    }

    @Test func `The call's policy wins over the case's, that over the environment's and the client's`() async throws {
        let cases: [(client: RetryPolicy?, environment: Parameters, route: Route, attempts: Int)] = [
            (nil, [:], .get("x"), 1), (.standard, [:], .get("x"), 3), (.standard, ["$retry": "off"], .get("x"), 1),
            (nil, ["$retry": "standard"], .get("x"), 3), (.standard, ["$retry": 5], .get("x"), 5),
            (.standard, ["$retry": 5], .get("x").retry(RetryPolicy(maximumAttempts: 2)), 2),
            (.standard, ["$retry": 5], .get("x").retry(.off), 1),
            (nil, [:], Route(of: Paid.list), 2), (.standard, ["$retry": 5], Route(of: Paid.list), 2),
            (.standard, ["$retry": "off"], Route(of: Paid.list), 1),
            (.off, ["$retry": "off"], Route(of: Paid.list).retry(.standard), 3),
            (.standard, ["$retry": 5], Route(of: Paid.once), 1),
            (.standard, [:], Route(of: Paid.pay).idempotencyKey(), 2),
            (nil, [:], Route(of: Paid.pay).retry(.standard), 3),
        ]
        for (client, environment, route, attempts) in cases {
            let outcome = try await mocks(.status(500)).send(route, environment) { $0.retry = client }
            #expect(outcome.call.attempts == attempts, "\(String(describing: client)) \(environment) \(route)")
        }
    }

    @Test(arguments: [0, -1]) func `A policy without any attempt is an error`(attempts: Int) async throws {
        let outcome = try await mocks(.status(200)).send(.get("x").retry(RetryPolicy(maximumAttempts: attempts)))
        let isNamed = outcome.error?.message.contains("\(attempts) attempts")
        #expect((outcome.error?.kind, isNamed, outcome.call.attempts) == (.invalidRoute, true, 0))
    }

    // MARK: When

    @Test func `A wait longer than the policy's, or than the rest of the timeout, fails at once`() async throws {
        var patient = RetryPolicy.atOnce()
        patient.maximumRetryAfter = .seconds(10_000)
        let longer = ["the server asks to wait ", "longer than the policy's 60 s"]
        let rows: [(waits: [String], policy: RetryPolicy, timeout: Duration, says: [String])] = [
            (["61"], .standard, .seconds(1e9), longer),
            (["99999999999999999999999"], .standard, .seconds(1e9), longer),
            (["Fri, 31 Dec 9999 23:59:59 GMT"], .standard, .seconds(1e9), longer),
            // With a wait that would end with the timeout, too.
            (["7000", "3000"], patient, .seconds(10_000), ["a wait of 3000 s would end after the timeout of 10000 s"]),
            (["7000", "4000"], patient, .seconds(10_000), ["a wait of 4000 s would end after the timeout of 10000 s"]),
        ]
        for (waits, policy, timeout, says) in rows {
            let answers = waits.map { Answer.status(503, [.retryAfter: $0]) } + [.status(200)]
            let outcome = try await ScriptedServer(kind: .mocks, answers: answers)
                .send(.get("x").timeout(timeout).retry(policy))
            let message = outcome.error?.message ?? ""
            let passed: [Duration] = waits.count == 1 ? [.zero] : [.zero, .seconds(7000)]
            let seen = (outcome.error?.kind, outcome.call.history.map(\.wait), outcome.elapsed)
            #expect(seen == (.status(503), passed, passed[passed.count - 1]), "\(waits)")
            #expect(says.allSatisfy { message.contains($0) }, "\(message)")
        }
    }

    @Test func `The backoff is random, doubles, and has a maximum`() async throws {
        let backoff = RetryPolicy.Backoff.exponential(base: .seconds(1), maximum: .seconds(5))
        let policy = RetryPolicy(maximumAttempts: 6, backoff: backoff)
        let outcome = try await mocks(.status(500)).send { $0.retry = policy }
        let waits = outcome.call.history.dropFirst().map(\.wait)
        let fit = zip(waits, [1, 2, 4, 5, 5]).map { $0 >= .zero && $0 <= .seconds($1) }
        #expect((Set(waits).count, fit) == (5, [true, true, true, true, true]), "\(waits)")
        // The scope's seed makes the waits the same in each run.
        let again = try await mocks(.status(500)).send { $0.retry = policy }
        #expect(again.call.history.dropFirst().map(\.wait) == waits)
    }

    // MARK: Budget

    @Test func `The retries of a client have a budget`() async throws {
        let outcomes = try await mocks(.status(500)).run {
            $0.retry = .atOnce(2)
        } _: {
            for _ in 1...20 { try? await $0.send(Route.get("x").mock("x")) }
        }
        // Ten tokens, and a fifth of one more for each call.
        let attempts = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1]
        let refused = outcomes.first { $0.call.attempts == 1 }?.error
        let isNamed = refused?.message.contains("the client's retry budget is used up")
        #expect((outcomes.map(\.call.attempts), refused?.kind, isNamed) == (attempts, .status(500), true))
    }

    @Test func `Scopes that share a client do not share its budget`() async throws {
        let client = APIClient(baseURL: try #require(URL(string: "https://t.invalid"))) { $0.retry = .atOnce() }
        for _ in 1...5 {
            await APIScope(network: .sealed, clock: VirtualClock()).run {
                Mocks.set("x", .status(500))
                for _ in 1...4 { try? await client.send(Route.get("x").mock("x")) }
                #expect(Mocks.calls.map(\.attempts) == [3, 3, 3, 3])
            }
        }
    }

    @Test func `A call that middleware sends several times adds to the budget once`() async throws {
        let transport = StubTransport(500)
        let client = transport.client {
            $0.retry = .atOnce(2)
            $0.middleware = [RepeatingMiddleware(count: 30)]
        }
        await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        // Thirty times the middleware's own, and the ten tokens of the budget.
        #expect(transport.requests.count == 40)
    }

    // MARK: Ends

    /// A clock that is set back by an hour each time it is read.
    private struct BackwardsClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let time = Locked(ContinuousClock.now)
        var minimumResolution: Duration { .zero }
        var now: Instant {
            time.withLock {
                $0 -= .seconds(3600)
                return $0
            }
        }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    }

    @Test func `A clock that goes back does not make a call fail, or a duration negative`() async throws {
        try await APIScope(environment: .testing(), clock: BackwardsClock()).run {
            Mocks.set("x", .sequence([.status(503).header(.retryAfter, "30"), .status(200)]))
            let client = try APIClient { $0.retry = .standard }
            try await client.send(Route.get("x").mock("x"))
            let history = Mocks.calls.flatMap(\.history)
            let seen = (history.map(\.status), history.map(\.wait), history.map(\.duration))
            #expect(seen == ([503, 200], [.zero, .seconds(30)], [.zero, .zero]))
        }
    }

    @Test func `Middleware sees the attempts, and the reason against a retry belongs to one attempt`() async throws {
        let transport = StubTransport { _, index in index == 0 ? (503, [.retryAfter: "99"], "") : (404, [:], "") }
        let client = transport.client {
            $0.retry = .atOnce()
            $0.middleware = [
                RepeatingMiddleware { first in
                    #expect(first.history.map(\.status) == [503] && first.attempts == 1)
                }
            ]
        }
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.message == "the server answered 404" && error.history.map(\.status) == [503, 404])
    }

    @Test(arguments: [true, false])
    func `A connection that is lost in the body is a lost connection`(isReset: Bool) async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { request, connection in
            guard request.connection % 2 == 1 else {
                _ = connection.respond(200, headers: ["Connection": "close"], body: "whole")
                return
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf")
            if isReset { connection.reset() } else { connection.close() }
        }
        let client = APIClient(baseURL: server.baseURL) { $0.retry = .atOnce() }
        let response = try await client.response(for: Route.get("x"), as: String.self)
        let attempts = try await client.download(Route.get("x"), to: folder["file"]).attempts
        let values = [response.value, try String(contentsOf: folder["file"], encoding: .utf8)]
        await #expect(throws: APIError.self) { try await client.send(Route.post("x")) }
        let reason = "the connection was lost before the response was complete"
        let seen = (values, response.history.first?.error, attempts, server.requestCount)
        #expect(seen == (["whole", "whole"], reason, 2, 5))
    }
}
