import CallSupport
import FingerpostTransfers

@Suite(.inTurn) struct TransferProgressTests {
    @Test(
        arguments: [(0, 10, 0), (5, 10, 0.5), (10, 10, 1), (12, 10, 1), (0, 0, 1), (5, nil, nil)]
            as [(Int64, Int64?, Double?)])
    func `The fraction is the transferred part of the whole body`(completed: Int64, total: Int64?, fraction: Double?) {
        #expect(TransferProgress(completedBytes: completed, totalBytes: total).fractionCompleted == fraction)
    }

    @Test func `The remaining time follows from the speed`() {
        var progress = TransferProgress(completedBytes: 600, totalBytes: 1000, bytesPerSecond: 200)
        #expect(progress.remaining == .seconds(2))
        progress.bytesPerSecond = 0
        #expect(progress.remaining == nil)
        progress.bytesPerSecond = .leastNonzeroMagnitude
        #expect(progress.remaining == nil)
        progress = TransferProgress(completedBytes: 600, totalBytes: nil, bytesPerSecond: 200)
        #expect(progress.remaining == nil)
        progress.isFinished = true
        #expect(progress.remaining == .zero)
    }

    @Test func `A progress object of Foundation is updated`() {
        let bar = Progress(totalUnitCount: -1)
        TransferProgress(completedBytes: 3, totalBytes: nil).update(bar)
        #expect(bar.isIndeterminate && bar.completedUnitCount == 3)

        TransferProgress(completedBytes: 250, totalBytes: 1000, bytesPerSecond: 150).update(bar)
        #expect(!bar.isIndeterminate && bar.fractionCompleted == 0.25)
        #expect(
            (bar.userInfo[.throughputKey] as? Int, bar.userInfo[.estimatedTimeRemainingKey] as? Double, bar.isFinished)
                == (150, 5, false))

        // The request is sent again.
        TransferProgress(attempt: 2, completedBytes: 0, totalBytes: 1000).update(bar)
        #expect(bar.fractionCompleted == 0)

        TransferProgress(attempt: 2, completedBytes: 700, totalBytes: nil, isFinished: true).update(bar)
        #expect(bar.isFinished && bar.fractionCompleted == 1)
    }
}
