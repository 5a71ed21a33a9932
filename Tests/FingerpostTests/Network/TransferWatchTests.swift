import FingerpostFiles
import TestSupport

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the sink of a call is told when its transport returns.
@Suite(.inTurn) struct TransferWatchTests {
    /// Counts the ends of bodies that it is told of.
    private final class Sink: CallSink {
        let ends = Locked(0)

        func note(_ event: TransferEvent) { if case .ended = event { ends.withLock { $0 += 1 } } }
        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) {}
        func response() -> Response<Data> {
            Response(status: 200, headers: [:], data: Data(), request: URLRequest(url: URL(fileURLWithPath: "/")))
        }
    }

    @Test(arguments: [false, true])
    func `A transport that returns after a cancellation has not passed the body`(isCancelled: Bool) async throws {
        let sink = Sink()
        try await Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            _ = try TransferWatch(sink).response()
        }.value
        #expect(sink.ends.withLock { $0 } == (isCancelled ? 0 : 1))
    }
}
