import FingerpostFiles
import TestSupport

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a call is told of its transport.
@Suite(.inTurn) struct TransferTests {
    private let head = Response<Void>(
        status: 200, headers: [:], request: URLRequest(url: URL(fileURLWithPath: "/")))

    @Test func `A transport that returns after a cancellation has not passed the body`() async throws {
        for isCancelled in [false, true] {
            let ends = Locked(0)
            try await Task { [head] in
                let transfer = Transfer { if case .ended = $0 { _ = ends.next() } }
                try transfer.begin(head)
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                _ = try transfer.response()
            }.value
            #expect(ends.withLock { $0 } == (isCancelled ? 0 : 1))
        }
    }

    /// A sink whose reader may hold back a transport.
    private final class Reader: CallSink, BodyPace {
        let waits = Locked<ContinuousClock.Instant?>(nil)
        var pace: (any BodyPace)? { self }
        var held: ContinuousClock.Instant? { waits.withLock { $0 } }
        let isFull = false

        func hold(_ resume: @escaping @Sendable () -> Void) -> Bool { false }
        func wanted() {}
        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) {}
    }

    @Test func `A transport that waits for the reader is not silent`() throws {
        let reader = Reader()
        let transfer = Transfer(reader)
        try transfer.begin(head)
        let last = transfer.last
        let times = [-5, 5].map { seconds in
            reader.waits.withLock { $0 = last + .seconds(seconds) }
            return transfer.last - last
        }
        #expect(times == [.zero, .seconds(5)])
    }
}
