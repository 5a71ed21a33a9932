import CallSupport

@testable import Fingerpost
@testable import FingerpostFiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.inTurn, .concurrent) struct URLSessionTransportDelegateTests {
    private let delegate = URLSessionTransportDelegate(onChallenge: nil)
    private let session: URLSession

    init() {
        session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: delegate.queue)
        let session = session
        TurnTrait.atEnd { session.finishTasksAndInvalidate() }
    }

    enum Moment: CaseIterable { case beforeStart, whileTaskIsMade }

    @Test(arguments: Moment.allCases)
    func `After a cancellation no task starts, however busy the queue of events is`(moment: Moment) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let request = URLRequest(url: server.baseURL)
        let exchange = Exchange(request, into: Transfer())
        let gate = DispatchSemaphore(value: 0)
        delegate.queue.addOperation { gate.wait() }

        if moment == .beforeStart { delegate.cancel(exchange) }
        let call = Task {
            try await withCheckedThrowingContinuation { continuation in
                delegate.start(exchange, continuation) {
                    // After the cancellation, the test may end, and a session that is invalid makes no tasks.
                    let task = session.dataTask(with: request)
                    if moment == .whileTaskIsMade { delegate.cancel(exchange) }
                    return task
                }
            }
        }
        await settle()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(server.connectionCount == 0)
    }

    #if canImport(FoundationNetworking)
        @Test func `A call that is cancelled before its task is made ends no other call`() async throws {
            let server = try LoopbackServer { _, connection in connection.respond(200) }
            let request = URLRequest(url: server.baseURL)
            // All tasks are made on one queue, which waits here.
            let gate = DispatchSemaphore(value: 0)
            let first = Task {
                try await withCheckedThrowingContinuation { continuation in
                    delegate.start(Exchange(request, into: Transfer()), continuation) {
                        gate.wait()
                        return session.dataTask(with: request)
                    }
                }
            }
            await settle()
            let call = Task { try await URLSessionTransport().send(request, for: Route.get("x"), into: Transfer()) }
            await settle()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            gate.signal()
            try await first.value
            _ = try await APIClient(baseURL: server.baseURL).data(for: Route.get("x"))
        }
    #endif
}
