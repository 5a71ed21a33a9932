import CallSupport
import FingerpostCallbacks
import FingerpostTesting

@testable import Fingerpost

/// Durations far beyond any call: sums and products of them overflow, and so do their numbers of seconds.
@Suite(.inTurn) struct AbsurdDurationTests {
    /// The longest duration that there is, but for a fraction of a second.
    private static let longest = Duration.seconds(Int64.max) * 18 + .seconds(4_120_486_797_083_267_205)

    private static let durations: [Duration] = [
        longest, .zero - longest, .seconds(1e19), .seconds(-1e19), .seconds(Int64.max), .seconds(Int64.min), .zero,
        .nanoseconds(1),
    ]

    @Test func `Every duration has a text`() {
        let texts: [Duration: String] = [
            .zero: "0 s", .milliseconds(840): "0.8 s", .seconds(60): "60 s", .seconds(-2.5): "-2.5 s",
            .seconds(Int32.max): "2147483647 s", .seconds(1e19): "1e+19 s", .seconds(-1e19): "-1e+19 s",
            Self.longest: "1.7014118346046924e+20 s", .zero - Self.longest: "-1.7014118346046924e+20 s",
        ]
        for (duration, text) in texts { #expect(duration.text == text) }
    }

    /// Sends a mocked call, without real waits.
    private func send(
        _ route: Route = .get("x"), answer: MockResponse,
        _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> APIError? {
        return try await APIScope(environment: .testing(), clock: VirtualClock(), seed: 1).run {
            Mocks.set("x", answer)
            let client = try APIClient { configure(&$0) }
            return await errorIfAny { try await client.send(route.mock("x")) }
        }
    }

    @Test(arguments: durations, durations)
    func `A backoff may be absurd`(base: Duration, maximum: Duration) async throws {
        let policy = RetryPolicy(backoff: .exponential(base: base, maximum: maximum))
        let error = try await send(answer: .sequence([.status(503)], thenRepeating: .status(200))) { $0.retry = policy }
        if let error { #expect(error.message.contains("s would end after the timeout of 60 s"), "\(error)") }
        // The largest random number leaves a wait as it is.
        var largest: any RandomNumberGenerator = LargestNumbers()
        for number in [1, 2, 3, 1000] {
            let wait = policy.backoff.wait(beforeRetry: number, using: &largest)
            #expect(wait >= .zero && wait <= max(maximum, .zero))
        }
    }

    private struct LargestNumbers: RandomNumberGenerator { mutating func next() -> UInt64 { .max } }

    @Test(arguments: durations, [nil, "0", "1", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `A maximum for Retry-After may be absurd`(maximum: Duration, retryAfter: String?) async throws {
        var answer = MockResponse.status(503)
        if let retryAfter { answer = answer.header(.retryAfter, retryAfter) }
        let policy = RetryPolicy(backoff: .exponential(base: .zero, maximum: .zero), maximumRetryAfter: maximum)
        let error = try await send(.get("x").retry(policy), answer: .sequence([answer, .status(200)]))
        #expect(error == nil || error?.kind == .status(503))
    }

    @Test(arguments: durations)
    func `Timeouts and delays may be absurd, but not zero or negative`(duration: Duration) async throws {
        let isPositive = duration > .zero
        let kinds: [APIError.Kind?] = !isPositive ? [.invalidRoute] : duration > .seconds(1) ? [nil] : [nil, .timedOut]
        let ways: [(Route, @Sendable (inout APIClient.Configuration) -> Void)] = [
            (.get("x").timeout(duration), { _ in }), (.get("x").idleTimeout(duration), { _ in }),
            (.get("x"), { $0.timeout = duration }), (.get("x"), { $0.idleTimeout = duration }),
        ]
        for (route, configure) in ways {
            // A client outside a scope, whose transport answers at once.
            let transport = StubTransport(200)
            let client = transport.client { configure(&$0) }
            let errors = [
                try await send(route, answer: .status(200), configure),
                await errorIfAny { try await client.send(route) },
            ]
            let isSentOrRefused = isPositive || transport.requests.isEmpty
            #expect(errors.allSatisfy { kinds.contains($0?.kind) } && isSentOrRefused, "\(errors)")
            let blocked = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Result { try client.blocking.send(route) }) }.start()
            }
            let kind = await errorIfAny { try blocked.get() }?.kind
            // On a busy machine, a blocking call without time may give up before its call begins.
            #expect(kinds.contains(kind) || !isPositive && kind == .timedOut)
            let mocked = try await send(route, answer: .status(200).delayed(by: duration), configure)
            #expect(mocked == nil || mocked?.kind == .timedOut || mocked?.kind == .invalidRoute)
        }
        let delayed = try await send(answer: .status(200).delayed(by: duration))
        #expect(delayed?.kind == (duration > .seconds(60) ? .timedOut : nil))
    }
}
