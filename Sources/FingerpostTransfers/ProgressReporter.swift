import Dispatch
import Fingerpost
import FingerpostFiles

/// Reports a call's progress to the app's closure: in order, one report at a time, and none after the call has ended.
///
/// Bytes of the network come on the queue of the session, which all calls of a client share. The closure may take its
/// time, or block while it waits for another call. So it runs on a queue of Dispatch, and reports that it is too slow
/// for are replaced by newer ones. The chunks of mocks are reported in the task of the call: a test sees each of them,
/// at the same time in each run.
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

    /// The call was cancelled, or fails: nothing more is reported.
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

    /// Counts something, and makes sure that the report of it, if there is one, reaches the closure.
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
