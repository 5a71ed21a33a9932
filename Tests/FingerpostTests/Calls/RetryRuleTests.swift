import CallSupport
import FingerpostTesting

@testable import Fingerpost

/// What else than the standard statuses sends a call again.
@Suite(.inTurn) struct RetryRuleTests {
    /// Sends one call that is answered by a sequence, on a virtual clock.
    ///
    /// - Returns: the status of each attempt, and the wait before it.
    private func history(
        _ answers: MockResponse..., configure: (inout APIClient.Configuration) -> Void
    ) async throws -> String {
        let scope = try APIScope(environment: .testing(), clock: VirtualClock())
        return try await scope.run {
            Mocks.set("x", .sequence(answers))
            let client = try APIClient {
                $0.retry = .atOnce()
                $0.timeout = .seconds(1000)
                configure(&$0)
            }
            _ = try? await client.data(for: Route.get("x").mock("x"))
            _ = Mocks.takeProblems()
            return Mocks.calls.flatMap(\.history).map { attempt in
                let wait = attempt.wait == .zero ? "" : "after \(attempt.wait): "
                return wait + (attempt.status.map { "\($0)" } ?? "-")
            }.joined(separator: ", ")
        }
    }

    private static func limited(_ reset: String, remaining: String = "0", date: String? = nil) -> MockResponse {
        let answer = MockResponse.status(403).header("X-Left", remaining).header("X-Reset", reset)
        return date.map { answer.header(.date, $0) } ?? answer
    }

    private static let limit = RetryPolicy.RateLimit.rateLimit(status: 403, remaining: "X-Left", reset: "X-Reset")

    @Test func `The statuses of a policy`() async throws {
        let sent = try await history(.status(418), .status(200)) { $0.retry?.statuses = [418] }
        let unsent = try await history(.status(503)) { $0.retry?.statuses = [418] }
        #expect([sent, unsent] == ["418, 200", "503"])
    }

    /// The wait for a limit with this reset; nil for one that is longer than the policy allows, which ends the call.
    private static let resets: [(reset: String, wait: Duration?)] = [
        ("30", .seconds(30)), (" 30 ", .seconds(30)), ("0", .zero), ("-5", .zero), ("x", .zero), ("", .zero),
        ("1.0", .seconds(1)), ("1.337", .seconds(2)), ("0.65", .seconds(1)), ("1e3", .zero), ("1e12", .zero),
        ("1767225630.5", .seconds(30.5)), ("nan", .zero), ("infinity", .zero),
        ("1767225630", .seconds(30)), ("1767225630000", .seconds(30)), ("1767225000", .zero),
        ("Thu, 01 Jan 2026 00:00:30 GMT", .seconds(30)), ("Thu, 01 Jan 2015 00:00:30 GMT", .zero),
        ("2026-01-01T00:00:30Z", .seconds(30)), ("2026-01-01T01:00:30.5+01:00", .seconds(30.5)),
        ("2025-12-31T23:59:59Z", .zero), ("2s", .seconds(2)), ("1.5s", .seconds(2)), ("250ms", .seconds(1)),
        ("1m0s", .seconds(60)), ("0h0m59.5s", .seconds(60)), ("7us", .seconds(1)), ("9ns", .seconds(1)), ("0s", .zero),
        ("2d", .zero), ("s", .zero), ("1s2", .zero), ("1.2.3s", .zero), ("1 s", .zero), ("-1s", .zero),
        ("61", nil), ("6m0s", nil), ("1h2m3s", nil), ("9999999999999999h", nil), ("2026-01-01T00:06:00Z", nil),
        ("253402300799", nil), ("253402300799000", nil), ("99999999999999999999", nil),
        ("Fri, 31 Dec 9999 23:59:59 GMT", nil),
    ]

    @Test func `A limit of calls is waited for, unless it is longer than the policy allows`() async throws {
        for (reset, wait) in Self.resets {
            let limited = Self.limited(reset, date: "Thu, 01 Jan 2026 00:00:00 GMT")
            let sent = try await history(limited, .status(200)) { $0.retry?.rateLimit = Self.limit }
            #expect(sent == (wait.map { $0 == .zero ? "403, 200" : "403, after \($0): 200" } ?? "403"), "\(reset)")
        }
    }

    @Test func `The error of a call names a time of the limit that cannot be read`() async throws {
        try await APIScope(environment: .testing(), clock: VirtualClock()).run {
            for (reset, isNamed) in [("tomorrow", true), ("0", false), ("250ms", false)] {
                Mocks.set("x", Self.limited(reset))
                let client = try APIClient {
                    $0.retry = .atOnce()
                    $0.retry?.rateLimit = Self.limit
                }
                let error = try await failure { try await client.data(for: Route.get("x").mock("x")) }
                let note = "the header X-Reset, \"tomorrow\", cannot be read as a time"
                #expect(error.attempts == 3 && error.message.contains(note) == isNamed, "\(error)")
            }
            _ = Mocks.takeProblems()
        }
    }

    @Test func `A 403 with calls left is an answer, and Retry-After takes precedence`() async throws {
        let answers = [
            Self.limited("30", remaining: "1"), Self.limited("30").header(.retryAfter, "7"),
            // A server that limits how fast calls follow each other still has calls left.
            .status(403).header(.retryAfter, "9"),
        ]
        var sent: [String] = []
        for answer in answers {
            try await sent.append(history(answer, .status(200)) { $0.retry?.rateLimit = Self.limit })
        }
        #expect(sent == ["403", "403, after 7.0 seconds: 200", "403, after 9.0 seconds: 200"])
    }

    @Test func `A rule decides about every response`() async throws {
        let busy = MockResponse.json(["busy": true])
        let rule: @Sendable (Response<Data>) -> RetryDecision? = { response in
            if response.status == 503 { return .stop }
            return response.data.contains(UInt8(ascii: "b")) ? .retry(after: .seconds(5)) : nil
        }
        let sent = try await history(busy, .status(429), .json(["done": true])) { $0.retryRule = rule }
        let stopped = try await history(.status(503)) { $0.retryRule = rule }
        let limited = try await history(busy, busy, busy) { $0.retryRule = rule }
        let off = try await history(busy) { ($0.retryRule, $0.retry) = (rule, nil) }
        let wait = "after 5.0 seconds: "
        #expect(
            [sent, stopped, limited, off] == ["200, \(wait)429, 200", "503", "200, \(wait)200, \(wait)200", "200"])
    }

    @Test func `A rule sees the attempts so far`() async throws {
        let seen = Locked<[[Int]]>([])
        _ = try await history(.status(200), .status(200), .status(204)) {
            $0.retryRule = { response in
                seen.withLock { $0.append([response.attempts, response.history.count]) }
                return response.status == 200 ? .retry() : nil
            }
        }
        #expect(seen.withLock { $0 } == [[1, 1], [2, 2], [3, 3]])
    }

    @Test func `A call that a rule repeats waits for the longer of the rule's and the server's wait`() async throws {
        let rows: [(status: Int, asked: String, rule: Duration, wait: String)] = [
            (429, "2", .zero, "after 2.0 seconds: "), (202, "1.5", .zero, "after 2.0 seconds: "),
            (503, "2", .seconds(5), "after 5.0 seconds: "), (503, "5", .seconds(2), "after 5.0 seconds: "),
            (200, "0", .seconds(2), "after 2.0 seconds: "), (202, "2s", .zero, ""),
        ]
        for (status, asked, rule, wait) in rows {
            let sent = try await history(.status(status).header(.retryAfter, asked), .status(204)) {
                $0.retryRule = { $0.status == status ? .retry(after: rule) : nil }
            }
            #expect(sent == "\(status), \(wait)204", "\(asked) \(rule)")
        }
    }

    @Test(arguments: [Route.post("x"), .patch("x"), .post("x").idempotencyKey()], [false, true])
    func `A call that must not be sent twice says so, also with a rule`(route: Route, hasRule: Bool) async throws {
        func error(_ policy: RetryPolicy?) async throws -> APIError {
            let client = StubTransport(hasRule ? 418 : 503).client {
                $0.retry = policy
                if hasRule { $0.retryRule = { _ in .retry() } }
            }
            return try await failure { try await client.send(route) }
        }
        let mayRepeat = route.idempotencyKey != nil
        let refused = try await error(.atOnce())
        let reason = "; not sent again, because a \(route.method) without an idempotency key could take effect twice"
        let seen = (refused.message.hasSuffix(reason), refused.attempts)
        #expect(seen == (!mayRepeat, mayRepeat ? 3 : 1), "\(refused)")
        for policy in [nil, RetryPolicy.off] {
            #expect(try await !error(policy).message.contains("not sent again"))
        }
    }

    @Test func `A longer wait than the policy's ends the call and says that the rule asks for it`() async throws {
        let outcome = try await ScriptedServer(kind: .mocks, answers: [.status(503, [.retryAfter: "1"])])
            .send(.get("x").timeout(.seconds(1000))) {
                $0.retry = .standard
                $0.retryRule = { $0.status == 503 ? .retry(after: .seconds(61)) : nil }
            }
        #expect(outcome.error?.message.contains("retryRule asks to wait 61 s") == true)
    }
}
