import CallSupport
import FingerpostTransfers

@Suite(.inTurn) struct TransferProgressTests {
    @Test func `The fraction is the transferred part of the whole body`() {
        let rows: [(Int64, Int64?, Double?)] = [
            (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (12, 10, 1), (0, 0, 1), (5, nil, nil),
        ]
        let fractions = rows.map { TransferProgress(completedBytes: $0.0, totalBytes: $0.1).fractionCompleted }
        #expect(fractions == rows.map(\.2))
    }

    @Test func `The remaining time follows from the speed`() {
        func remaining(of total: Int64? = 1000, _ speed: Double, isFinished: Bool = false) -> Duration? {
            TransferProgress(
                completedBytes: 600, totalBytes: total, bytesPerSecond: speed, isFinished: isFinished
            ).remaining
        }
        #expect(
            [remaining(200), remaining(0), remaining(.leastNonzeroMagnitude), remaining(of: nil, 200)]
                == [.seconds(2), nil, nil, nil])
        #expect(remaining(of: nil, 200, isFinished: true) == .zero)
    }

    @Test func `A progress object of Foundation is updated`() {
        let bar = Progress(totalUnitCount: -1)
        TransferProgress(completedBytes: 3, totalBytes: nil).update(bar)
        #expect((bar.isIndeterminate, bar.completedUnitCount) == (true, 3))

        TransferProgress(completedBytes: 250, totalBytes: 1000, bytesPerSecond: 150).update(bar)
        #expect((bar.isIndeterminate, bar.fractionCompleted, bar.isFinished) == (false, 0.25, false))
        let info = bar.userInfo
        #expect((info[.throughputKey] as? Int, info[.estimatedTimeRemainingKey] as? Double) == (150, 5))

        // The request is sent again.
        TransferProgress(attempt: 2, completedBytes: 0, totalBytes: 1000).update(bar)
        let again = bar.fractionCompleted
        TransferProgress(attempt: 2, completedBytes: 700, totalBytes: nil, isFinished: true).update(bar)
        #expect((again, bar.isFinished, bar.fractionCompleted) == (0, true, 1))
    }
}
