import Dispatch
import Fingerpost
import FingerpostFiles

/// Calls the app's closure with the reports of a call's progress; `TransferMeter` decides when there is a report. The
/// closure gets the reports in order and one at a time, and no report after the call has ended.
///
/// Bytes of the network arrive on the queue of the session, which all calls of a client share. The closure may take its
/// time, or block while it waits for another call. The closure therefore runs on a queue of Dispatch, and if it is
/// slow, newer reports replace those that wait. The chunks of mocks are reported in the task of the call: a test sees
/// each chunk, at the same time in each run.
final class ProgressReporter: Sendable {
    private struct State {
        var meter: TransferMeter
        /// The reports that the closure has not been called with.
        var waiting: [TransferProgress] = []
        /// True when the call has ended or was cancelled: nothing more is reported.
        var isOver = false
    }

    private let report: @Sendable (TransferProgress) -> Void
    private let call: CallContext
    /// The sink of a download that may go on; nil for any other call.
    private let download: DownloadSink?
    private let isMocked: Bool
    /// The time since a fixed point, on the clock of the call.
    private let time: @Sendable () -> Duration
    private let state: Locked<State>
    /// Where the closure runs. The queues of all calls share the threads of a global one.
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

    /// Drops the reports that wait, because the call was cancelled or fails. Nothing more is reported.
    func stop() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    /// Waits until the closure has returned, after the last report.
    func end() async {
        state.withLock { $0.isOver = true }
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    /// Counts an event. If the meter makes a report of the event, passes the report to the closure.
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
        // The work of another thread does not inherit the scope.
        if let scope = call.scope, APIScope.current == nil { scope.bind { report(next) } } else { report(next) }
    }
}

extension TransferProgress {
    /// True if nobody needs an earlier report any more.
    fileprivate func replaces(_ earlier: TransferProgress) -> Bool {
        direction == earlier.direction && attempt == earlier.attempt
    }
}
