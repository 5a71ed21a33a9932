import FingerpostFiles
import TestSupport

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a call is told when its transport returns.
@Suite(.inTurn) struct TransferTests {
    private let head = Response<Void>(
        status: 200, headers: [:], request: URLRequest(url: URL(fileURLWithPath: "/")))

    @Test(arguments: [false, true])
    func `A transport that returns after a cancellation has not passed the body`(isCancelled: Bool) async throws {
        let ends = Locked(0)
        try await Task { [head] in
            let transfer = Transfer { if case .ended = $0 { ends.withLock { $0 += 1 } } }
            try transfer.begin(head)
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            _ = try transfer.response()
        }.value
        #expect(ends.withLock { $0 } == (isCancelled ? 0 : 1))
    }
}
