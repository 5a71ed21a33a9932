import Dispatch
import Fingerpost
import FingerpostFiles

/// Calls the app's closure with progress reports. `TransferMeter` determines when a report is due. The closure receives
/// the reports in order and one at a time. After the end of the call, the closure receives no reports.
///
/// Bytes from the network arrive on the session's queue, which all calls of a client share. The app's closure may be
/// slow or may block, so it runs on a Dispatch queue of its own. While the closure runs, a newer report replaces a
/// waiting report. The chunks of mocks are reported in the task of the call, so a test sees each chunk, at the same
/// time in each run.
final class ProgressReporter: Sendable {
    private struct State {
        var meter: TransferMeter
        /// The reports that wait for the closure.
        var waiting: [TransferProgress] = []
        /// True after the call has ended or was cancelled. From then on, nothing is reported.
        var isOver = false
    }

    private let report: @Sendable (TransferProgress) -> Void
    private let call: CallContext
    /// The sink of a download that can resume. Nil for any other call.
    private let download: DownloadSink?
    private let isMocked: Bool
    /// The time since a fixed point, on the clock of the call.
    private let time: @Sendable () -> Duration
    private let state: Locked<State>
    /// The queue on which the closure runs. The queues of all calls share the threads of a global queue.
    private let queue = DispatchQueue(label: "Fingerpost.ProgressReporter", target: .global(qos: .userInitiated))

    /// - Parameter report: calls the app's closure.
    init(
        _ call: CallContext, into sink: (any CallSink)?, isMocked: Bool,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) {
        (self.call, download, self.isMocked, self.report) = (call, sink as? DownloadSink, isMocked, report)
        time = call.deadline.time
        state = Locked(State(meter: TransferMeter(isMocked: isMocked, at: time())))
    }

    /// Discards the waiting reports, because the call was cancelled or fails. Nothing is reported from then on.
    func stop() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    /// Waits until the closure has handled the last report and has returned.
    func end() async {
        state.withLock { $0.isOver = true }
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    /// Counts an event. If a report is due, passes the report to the closure.
    func note(_ event: TransferEvent) {
        let now = time()
        let mustReport = state.withLock { state in
            guard !state.isOver, let progress = state.meter.note(event, of: download, at: now) else { return false }
            if !isMocked, let last = state.waiting.last, progress.replaces(last) {
                state.waiting[state.waiting.count - 1] = progress
                return false
            }
            state.waiting.append(progress)
            return true
        }
        guard mustReport else { return }
        if isMocked { queue.sync { reportNext() } } else { queue.async { [self] in reportNext() } }
    }

    private func reportNext() {
        let next = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        guard let next else { return }
        // The Dispatch queue does not inherit the scope of the call.
        if let scope = call.scope, APIScope.current == nil { scope.bind { report(next) } } else { report(next) }
    }
}

extension TransferProgress {
    /// Returns true if this report makes an earlier report obsolete.
    fileprivate func replaces(_ earlier: TransferProgress) -> Bool {
        direction == earlier.direction && attempt == earlier.attempt
    }
}
