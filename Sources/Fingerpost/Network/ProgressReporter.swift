import Dispatch
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reports a call's progress to the app's closure: in order, one report at a time, and none after the call has ended.
///
/// Bytes of the network come on the queue of the session, which all calls of a client share. The closure may take its
/// time, or block while it waits for another call. So it runs on a queue of Dispatch, and reports that it is too slow for
/// are replaced by newer ones. The pieces of mocks are reported in the task of the call: a test sees each of them, at the
/// same time in each run.
final class ProgressReporter: Sendable {
    private struct State {
        var meter: TransferMeter
        /// The reports that the closure has not been called with.
        var waiting: [TransferProgress] = []
        /// True while somebody calls the closure.
        var isReporting = false
        /// True when the call has ended or was cancelled: nothing more is reported.
        var isOver = false
        /// Waits for the closure to return.
        var end: CheckedContinuation<Void, Never>?
    }

    /// One request of the call. Events of an earlier request, which its transport may still send, are dropped.
    struct Attempt: Sendable {
        fileprivate let reporter: ProgressReporter
        fileprivate let number: Int

        /// A part of the request's body was sent, `bytes` so far.
        func sent(_ bytes: Int64) { note { $0.sent(bytes, at: $1) } }
        /// - Parameter kept: how many bytes of the body an earlier response brought.
        func begin(_ head: Response<Void>, after kept: Int) { note { $0.begin(head, after: Int64(kept), at: $1) } }
        func receive(_ count: Int) { note { $0.receive(count, at: $1) } }
        func expect(_ bytes: Int64) { reporter.state.withLock { $0.meter.expect(bytes) } }
        /// The transport has returned.
        func end() { note { $0.end(at: $1) } }

        private func note(_ change: (inout TransferMeter, Duration) -> TransferProgress?) {
            reporter.note { $0.attempt == number ? change(&$0, $1) : nil }
        }
    }

    private let report: @Sendable (TransferProgress) -> Void
    private let time: @Sendable () -> Duration
    private let surroundings: Surroundings
    private let isMocked: Bool
    private let state: Locked<State>

    /// - Parameters:
    ///   - report: the app's closure.
    ///   - time: the call's clock.
    ///   - surroundings: where the closure runs.
    ///   - isMocked: true if a mock answers.
    init(
        _ report: @escaping @Sendable (TransferProgress) -> Void, by time: @escaping @Sendable () -> Duration,
        in surroundings: Surroundings, isMocked: Bool
    ) {
        self.report = report
        self.time = time
        self.surroundings = surroundings
        self.isMocked = isMocked
        state = Locked(State(meter: TransferMeter(isMocked: isMocked, at: time())))
    }

    // MARK: The call

    /// A request is about to be sent.
    func start(_ request: URLRequest) -> Attempt {
        var number = 0
        note { meter, now in
            defer { number = meter.attempt }
            return meter.start(request, at: now)
        }
        return Attempt(reporter: self, number: number)
    }

    /// The call succeeds with a body of this size in bytes.
    func succeed(_ count: Int) { note { $0.succeed(count, at: $1) } }

    /// The call was cancelled, or fails: reports nothing more.
    func stop() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    /// Waits until the closure has returned, after the last report.
    func end() async {
        await withCheckedContinuation { continuation in
            let isReporting = state.withLock { state in
                state.isOver = true
                if state.isReporting { state.end = continuation }
                return state.isReporting
            }
            if !isReporting { continuation.resume() }
        }
    }

    // MARK: Reports

    /// Counts something, and makes sure that the report of it, if there is one, reaches the closure.
    private func note(_ change: (inout TransferMeter, Duration) -> TransferProgress?) {
        let now = time()
        let mustReport = state.withLock { state in
            guard !state.isOver, let progress = change(&state.meter, now) else { return false }
            if !isMocked, let last = state.waiting.last, progress.replaces(last) { state.waiting.removeLast() }
            state.waiting.append(progress)
            defer { state.isReporting = true }
            return !state.isReporting
        }
        guard mustReport else { return }
        if isMocked { return reportAll() }
        DispatchQueue.global(qos: .userInitiated).async { [self] in reportAll() }
    }

    private func reportAll() {
        while let progress = next() { surroundings.inScope { report(progress) } }
    }

    /// The next report; nil if there is none.
    private func next() -> TransferProgress? {
        let (progress, end) = state.withLock { state -> (TransferProgress?, CheckedContinuation<Void, Never>?) in
            if !state.waiting.isEmpty { return (state.waiting.removeFirst(), nil) }
            state.isReporting = false
            return (nil, state.end.take())
        }
        end?.resume()
        return progress
    }
}

extension TransferProgress {
    /// True if nobody needs an earlier report any more.
    fileprivate func replaces(_ earlier: TransferProgress) -> Bool {
        direction == earlier.direction && attempt == earlier.attempt
    }
}
