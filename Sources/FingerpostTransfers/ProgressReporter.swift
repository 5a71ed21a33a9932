import Dispatch
import Fingerpost
import FingerpostFiles
import Foundation

/// Reports a call's progress to the app's closure: in order, one report at a time, and none after the call has ended.
///
/// Bytes of the network come on the queue of the session, which all calls of a client share. The closure may take its
/// time, or block while it waits for another call. So it runs on a queue of Dispatch, and reports that it is too slow
/// for are replaced by newer ones. The pieces of mocks are reported in the task of the call: a test sees each of them,
/// at the same time in each run.
final class ProgressReporter: CallProgress {
    private struct State {
        var meter: TransferMeter
        /// The reports that the closure has not been called with.
        var waiting: [TransferProgress] = []
        /// True when the call has ended or was cancelled: nothing more is reported.
        var isOver = false
    }

    private let report: @Sendable (TransferProgress) -> Void
    private let call: ProgressContext
    private let state: Locked<State>
    /// Where the closure runs. The queues of all calls share the threads of a global one.
    private let queue = DispatchQueue(label: "Fingerpost.ProgressReporter", target: .global(qos: .userInitiated))

    /// - Parameter report: calls the app's closure.
    init(_ call: ProgressContext, _ report: @escaping @Sendable (TransferProgress) -> Void) {
        self.report = report
        self.call = call
        state = Locked(State(meter: TransferMeter(isMocked: call.isMocked, at: call.time())))
    }

    func start(sending size: Int64?) -> Int {
        var number = 0
        note { meter, now in
            defer { number = meter.attempt }
            return meter.start(sending: size, at: now)
        }
        return number
    }

    func note(_ event: TransferEvent, of attempt: Int) {
        note(attempt) { meter, now in
            switch event {
            case .sent(let total): return meter.sent(total, at: now)
            case .expects(let size): meter.expect(size)
            case .waitsForConnection: break
            }
            return nil
        }
    }

    func begin(_ head: Response<Void>, after kept: Int64, of attempt: Int) {
        note(attempt) { $0.begin(head, after: kept, at: $1) }
    }

    func receive(_ size: Int64, of attempt: Int) { note(attempt) { $0.receive(size, at: $1) } }

    func end(of attempt: Int) { note(attempt) { $0.end(at: $1) } }

    func succeed(_ size: Int64) { note { $0.succeed(size, at: $1) } }

    func stop() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    /// Waits until the closure has returned, after the last report.
    @inline(never)
    func end() async {
        state.withLock { $0.isOver = true }
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    /// Counts something that one request did. Events of an earlier request, which its transport may still send, are
    /// dropped.
    private func note(_ attempt: Int, _ change: (inout TransferMeter, Duration) -> TransferProgress?) {
        note { $0.attempt == attempt ? change(&$0, $1) : nil }
    }

    /// Counts something, and makes sure that the report of it, if there is one, reaches the closure.
    private func note(_ change: (inout TransferMeter, Duration) -> TransferProgress?) {
        let now = call.time()
        let mustReport = state.withLock { state in
            guard !state.isOver, let progress = change(&state.meter, now) else { return false }
            if !call.isMocked, let last = state.waiting.last, progress.replaces(last) {
                state.waiting[state.waiting.count - 1] = progress
                return false
            }
            state.waiting.append(progress)
            return true
        }
        guard mustReport else { return }
        if call.isMocked { queue.sync { reportNext() } } else { queue.async { [self] in reportNext() } }
    }

    private func reportNext() {
        let next = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        if let next { call.run { report(next) } }
    }
}

extension TransferProgress {
    /// True if nobody needs an earlier report any more.
    fileprivate func replaces(_ earlier: TransferProgress) -> Bool {
        direction == earlier.direction && attempt == earlier.attempt
    }
}
