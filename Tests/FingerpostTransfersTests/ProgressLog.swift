import Fingerpost
import FingerpostFiles
import FingerpostTransfers
import Testing

/// Keeps the reports of a call's progress.
struct ProgressLog: Sendable {
    private let reports = Locked<[TransferProgress]>([])
    private let isBusy = Locked(false)

    var all: [TransferProgress] { reports.withLock { $0 } }

    var uploads: [TransferProgress] { all.filter { $0.direction == .upload } }

    var downloads: [TransferProgress] { all.filter { $0.direction == .download } }

    /// The closure to pass to a call. It expects one report at a time.
    var add: @Sendable (TransferProgress) -> Void {
        { progress in
            #expect(
                isBusy.withLock { wasBusy in
                    defer { wasBusy = true }
                    return !wasBusy
                })
            reports.withLock { $0.append(progress) }
            isBusy.withLock { $0 = false }
        }
    }

    /// Expects what holds for each call: the reports are in order, counts only grow, nothing follows the end of a body.
    func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) {
        for (earlier, later) in zip(all, all.dropFirst()) {
            let isSameBody = earlier.attempt == later.attempt && earlier.direction == later.direction
            let isInOrder =
                earlier.attempt < later.attempt
                || earlier.attempt == later.attempt
                    && (earlier.direction == later.direction || later.direction == .download)
            #expect(isInOrder, sourceLocation: sourceLocation)
            guard isSameBody else { continue }
            #expect(!earlier.isFinished, sourceLocation: sourceLocation)
            #expect(earlier.completedBytes <= later.completedBytes, sourceLocation: sourceLocation)
        }
        for report in all {
            #expect(report.bytesPerSecond >= 0, sourceLocation: sourceLocation)
            if let total = report.totalBytes {
                #expect(report.completedBytes <= total, sourceLocation: sourceLocation)
                #expect(report.isFinished == (report.completedBytes == total), sourceLocation: sourceLocation)
            }
        }
    }

    /// Expects that the last report is the end of a download of this size.
    func expectEnd(_ size: Int, total: Int?, attempt: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
        expectOrder(sourceLocation: sourceLocation)
        var last = all.last
        #expect(last?.remaining == .zero, sourceLocation: sourceLocation)
        last?.bytesPerSecond = 0
        let end = TransferProgress(
            attempt: attempt, completedBytes: Int64(size), totalBytes: total.map { Int64($0) }, isFinished: true)
        #expect(last == end, sourceLocation: sourceLocation)
    }
}
