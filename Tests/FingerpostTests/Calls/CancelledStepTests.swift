import CallSupport

@testable import Fingerpost

/// A call that is cancelled while it waits in one of its steps, for code of the app or for the server.
@Suite(.inTurn, .concurrent) struct CancelledStepTests {
    /// Where the call waits, and how many requests were sent before.
    enum Step: String, CaseIterable {
        case account, middleware, credentials, renewal, refresh, recorder, transport, redirect, afterwards

        var sent: Int {
            switch self {
            case .account, .middleware, .credentials, .renewal, .recorder: 0
            case .refresh, .transport, .afterwards: 1
            case .redirect: 2
            }
        }
    }

    /// Where a call waits until it is cancelled; if it does not heed that, until the test lets it go on.
    private final class Stop: Sendable {
        let step: Step
        let isDeaf: Bool
        private let isReached = Locked(false)
        private let gate = FirstResult<Void>()
        let ended = Locked(false)

        init(_ step: Step, isDeaf: Bool) { (self.step, self.isDeaf) = (step, isDeaf) }

        func wait(at step: Step) async throws {
            guard step == self.step, !isReached.withLock({ $0 }) else { return }
            isReached.withLock { $0 = true }
            defer { ended.withLock { $0 = true } }
            if isDeaf {
                try await Task.detached { [gate] in try await gate.value() }.value
            } else {
                try await gate.value()
            }
        }

        func reached() async { await poll { isReached.withLock { $0 } } }

        func goOn() { gate.end(.success(())) }
    }

    private struct WaitingRecorder: Recorder {
        let stop: Stop

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            try await stop.wait(at: .recorder)
            return try await next(request)
        }
    }

    private struct WaitingStore: CredentialStore {
        let inner: InMemoryCredentialStore
        let stop: Stop

        func token() async throws -> String? { inner.token() }
        func save(_ token: String, replacing old: String?) async throws -> Bool {
            await inner.save(token, replacing: old)
        }

        func accountToken() async throws -> (token: String, account: String?)? {
            try await stop.wait(at: .account)
            return await inner.accountToken()
        }
    }

    @Test(arguments: Step.allCases, [false, true])
    func `A call that is cancelled sends no more, and leaves its place`(step: Step, isDeaf: Bool) async throws {
        let stop = Stop(step, isDeaf: isDeaf)
        let store = InMemoryCredentialStore(step == .renewal ? nil : "old")
        let transport = StubTransport { request, index in
            if request.url?.path == "/last" { return (200, [:], "") }
            if index == 0, step == .redirect { return (307, [.location: "/b"], "") }
            try await stop.wait(at: index == 0 ? .transport : .redirect)
            return (step == .refresh ? 401 : 200, [:], "")
        }
        let renewing = { @Sendable (step: Step) in
            try await stop.wait(at: step)
            return ExpiringToken("new", expiresIn: .seconds(3600))
        }
        let client = transport.client {
            $0.maximumCallsPerHost = 1
            $0.retry = .atOnce(9)
            $0.middleware = [
                ClosureMiddleware { request, _, next in
                    try await stop.wait(at: .middleware)
                    let response = try await next(request)
                    try await stop.wait(at: .afterwards)
                    return response
                }, WaitingRecorder(stop: stop),
            ]
            $0.authorization = .combined(
                .dynamic {
                    try await stop.wait(at: .credentials)
                    return .custom(header: "X-Api-Key", value: "key")
                },
                step == .renewal
                    ? .clientCredentials(store) { try await renewing(.renewal) }
                    : .refreshing(
                        WaitingStore(inner: store, stop: stop), expiring: { _ in try await renewing(.refresh) }))
        }
        let task = Task { try await client.send(Route.get("a")) }
        await stop.reached()
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        #expect(error?.kind == .cancelled && transport.requests.count == step.sent)
        // The next call waits for the first token too.
        if step == .renewal { stop.goOn() }
        // A task that ignores the cancellation keeps no place, and sends nothing when it goes on.
        try await client.send(Route.get("last"))
        stop.goOn()
        await poll { stop.ended.withLock { $0 } }
        await settle()
        #expect(transport.requests.count == step.sent + 1)
    }
}
