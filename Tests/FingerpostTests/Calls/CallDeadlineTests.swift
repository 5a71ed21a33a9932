import CallSupport
import FingerpostTesting

@testable import Fingerpost

@Suite(.inTurn, .concurrent) struct CallDeadlineTests {
    /// In a scope, the timeout passes on the scope's clock. The system's clock ends only what may never return.
    @Test(arguments: [
        (MockResponse.file, false), (.status(200), false), (.json(1), false), (.respond { _ in .file }, true),
        (.sequence([.file, .respond { _ in .file }]), true),
    ])
    func `Only a mock that runs code needs the system's clock`(answer: MockResponse, runsCode: Bool) throws {
        let folder = try TemporaryFolder(["x.json": "1"])
        try APIScope(environment: .testing(), mocks: folder.url).run {
            Mocks.set("x", answer)
            let answering = ResponderSelection(
                ClientConfiguration(), transport: StubTransport(200), givenScope: nil, madeIn: nil)
            let responder = answering.decide(for: Route.get("x").mock("x")).responder
            #expect(responder.mayNeverReturn == runsCode && !responder.isNetwork)
        }
    }

    // MARK: Messages

    /// Passes time on the clock before and after the request is sent, and then sends it again.
    private func slow(_ clock: VirtualClock, before: Duration, after: Duration) -> ClosureMiddleware {
        ClosureMiddleware { request, _, next in
            try await clock.sleep(for: before)
            _ = try await next(request)
            try await clock.sleep(for: after)
            return try await next(request)
        }
    }

    /// Sends a call that times out after 60 seconds on the scope's clock.
    private func error(
        _ answer: MockResponse = .status(200), _ configure: (inout APIClient.Configuration, VirtualClock) -> Void
    ) async throws -> APIError {
        let clock = VirtualClock()
        return try await APIScope(environment: .testing(), clock: clock).run {
            Mocks.set("x", answer)
            let client = try APIClient { configure(&$0, clock) }
            return try await #require(throws: APIError.self) { try await client.send(Route.get("x").mock("x")) }
        }
    }

    @Test func `A deadline that ends in the app's code names this code`() async throws {
        let errors = try await [
            error { $0.middleware = [slow($1, before: .seconds(60), after: .zero)] },
            error { $0.middleware = [slow($1, before: .zero, after: .seconds(61))] },
            error { configuration, clock in
                configuration.authorization = .dynamic {
                    try await clock.sleep(for: .seconds(60))
                    return .bearer("t")
                }
            },
        ]
        #expect(
            errors.map { "\($0.kind): \($0.message) \($0.history.map { $0.status ?? 0 })" } == [
                "timed out: the client's middleware took longer than 60 s; nothing was sent []",
                "timed out: the client's middleware took longer than 60 s; the request had been sent once [200]",
                "timed out: the client's authorization took longer than 60 s; nothing was sent []",
            ])
    }

    @Test func `Without a scope, too, the timeout covers all attempts of a mocked call`() async throws {
        let folder = try TemporaryFolder(["x.json": "{}", "x.mock.json": #"{"status": 503, "delay": 0.3}"#])
        let client = try StubTransport(200).client(in: .testing()) {
            $0.mocks = folder.url
            $0.timeout = .milliseconds(400)
            $0.retry = .atOnce()
        }
        let error = try await failure { try await client.send(Route.get("x").mock("x")) }
        // The timeout has no room for two delays, so at most one attempt gets its answer. On a slow machine none does.
        #expect(error.history.count { $0.status == 503 } < 2)
    }

    @Test func `A mock that answers too late times out as a server does`() async throws {
        let late = MockResponse.sequence([.status(503), .status(200).delayed(by: .seconds(70))])
        let error = try await error(late) { configuration, _ in configuration.retry = .standard }
        let seen = (error.kind, error.message, error.history.map(\.status))
        #expect(seen == (.timedOut, "no response arrived within 60.0 seconds", [503, nil]))
    }

    @Test(arguments: [(false, APIError.Kind.offline), (true, .timedOut)])
    func `A call that never got a connection is offline`(connects: Bool, kind: APIError.Kind) async throws {
        let isSending = Locked(false)
        // A transport whose session waits for a connection, and that may get one.
        let transport = ClosureTransport { _, sink in
            let transfer = try #require(sink as? Transfer)
            transfer.note(.waitsForConnection)
            if connects { transfer.note(.sent(1)) }
            isSending.withLock { $0 = true }
            let (silence, _) = AsyncStream<Never>.makeStream()
            for await _ in silence {}
        }
        var error: APIError?
        // On a busy machine, a short timeout may end the call before it is sent.
        for timeout in [0.2, 2, 20, 60] where !isSending.withLock({ $0 }) {
            error = try await failure { try await transport.client().send(Route.get("x").timeout(.seconds(timeout))) }
        }
        #expect((error?.kind, isSending.withLock { $0 }) == (kind, true))
        // The attempt names the reason, and not the cancellation that followed.
        #expect(error?.history.map(\.error) == [error?.message])
    }
}
