import Fingerpost
import FingerpostFiles
import FingerpostTransfers

/// Keeps the reports of a call's progress.
struct ProgressLog: Sendable {
    /// What is wrong with the reports, and the last one without its speed.
    struct Outcome: Equatable {
        var faults: [String] = []
        var last: TransferProgress?

        /// The end of a download of this size.
        static func end(_ size: Int64, total: Int64?, attempt: Int = 1) -> Outcome {
            Outcome(
                last: TransferProgress(attempt: attempt, completedBytes: size, totalBytes: total, isFinished: true))
        }
    }

    private let reports = Locked<[TransferProgress]>([])
    private let isBusy = Locked(false)
    private let hasOverlapped = Locked(false)

    var all: [TransferProgress] { reports.withLock { $0 } }

    var uploads: [TransferProgress] { all.filter { $0.direction == .upload } }

    var downloads: [TransferProgress] { all.filter { $0.direction == .download } }

    /// The closure to pass to a call.
    var add: @Sendable (TransferProgress) -> Void {
        { progress in
            let wasBusy = isBusy.withLock { wasBusy in
                defer { wasBusy = true }
                return wasBusy
            }
            if wasBusy { hasOverlapped.withLock { $0 = true } }
            reports.withLock { $0.append(progress) }
            isBusy.withLock { $0 = false }
        }
    }

    /// The reports that break a rule of each call: they come one at a time and in order, counts only grow, nothing
    /// follows the end of a body, and no time remains then.
    var faults: [String] {
        let all = all
        var faults = hasOverlapped.withLock { $0 } ? ["two reports at once"] : []
        for (earlier, later) in zip(all, all.dropFirst()) {
            let isSameAttempt = earlier.attempt == later.attempt
            let isSameBody = isSameAttempt && earlier.direction == later.direction
            let isInOrder =
                isSameBody
                ? !earlier.isFinished && earlier.completedBytes <= later.completedBytes
                : earlier.attempt < later.attempt || isSameAttempt && later.direction == .download
            if !isInOrder { faults.append("\(later) after \(earlier)") }
        }
        for report in all {
            let isEnd = report.totalBytes.map { $0 == report.completedBytes } ?? report.isFinished
            let isPossible = report.bytesPerSecond >= 0 && report.completedBytes <= report.totalBytes ?? .max
            let isTimed = !report.isFinished || report.remaining == .zero
            if !isPossible || !isTimed || isEnd != report.isFinished { faults.append("\(report)") }
        }
        return faults
    }

    var outcome: Outcome {
        var last = all.last
        last?.bytesPerSecond = 0
        return Outcome(faults: faults, last: last)
    }
}
