import FingerpostFiles

/// Cancels work at its deadline.
///
/// One sleeping task watches all the calls of a client. A separate sleep for each call would occupy memory until that
/// call's deadline, long after the call has ended.
///
/// Time in which the process is suspended does not count, because a suspended process cannot receive a response. iOS
/// suspends apps in the background. The watching task wakes every second. If the watching task wakes late, the process
/// was suspended.
final class DeadlineWatch: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The clock of the deadlines.
    struct Time: Sendable {
        var now: @Sendable () -> Instant = { .now }
        var sleep: @Sendable (_ until: Instant) async throws -> Void = { instant in
            try await Task.sleep(until: instant, clock: .continuous)
        }
    }

    private struct State {
        /// The calls in progress: when each call times out, and how to cancel it.
        var pending = [Int64: Pending]()
        var nextID: Int64 = 0
        var watch: (task: Task<Void, Never>, wakes: Instant)?
        /// The last suspensions of the process.
        var suspensions: [Range<Instant>] = []

        /// Stores a suspension if the watching task should have woken long ago.
        mutating func notice(at now: Instant) {
            guard let wakes = watch?.wakes, now - wakes > DeadlineWatch.tolerance else { return }
            suspensions.append(wakes..<now)
            // Each suspension since the start of a call moves the call's deadline. Most calls end before the process
            // has been suspended that often.
            if suspensions.count > DeadlineWatch.remembered { suspensions.removeFirst() }
            watch?.wakes = now
        }

        func deadline(of pending: Pending) -> Instant {
            let start = pending.since()
            return start + pending.limit + suspension(since: start)
        }

        /// Returns the time for which the process has been suspended since an instant.
        func suspension(since start: Instant) -> Duration {
            suspensions.reduce(.zero) { $0 + max(.zero, $1.upperBound - max($1.lowerBound, start)) }
        }
    }

    private struct Pending {
        let limit: Duration
        /// Returns the instant from which the limit counts: the start of the call, or the last activity.
        let since: @Sendable () -> Instant
        let cancel: @Sendable () -> Void
    }

    /// The longest sleep of the watching task.
    static let pulse = Duration.seconds(1)
    /// The maximum delay of the watching task. After a longer delay, the process was suspended. A busy machine also
    /// delays the task, but not by seconds. If the app blocks all threads of Swift concurrency, the blocked time does
    /// not count either.
    static let tolerance = Duration.seconds(2)

    /// The maximum number of stored suspensions.
    private static let remembered = 32

    private let time: Time
    private let state = Locked(State())

    init(time: Time = Time()) { self.time = time }

    deinit {
        state.withLock { $0.watch?.task.cancel() }
    }

    /// Runs an operation, and cancels it at the deadline or when the calling task is cancelled. The operation is
    /// cancelled before `run` returns, so `run` waits for the operation's cancellation handlers. If the operation
    /// ignores the cancellation, `run` does not wait for it to end. If the calling task is already cancelled, the
    /// operation does not start.
    ///
    /// - Parameters:
    ///   - limit: the time that may pass.
    ///   - since: returns the instant from which the limit counts. At the deadline, this closure runs again, and may
    ///     return a later instant, such as the time of the last activity.
    ///   - timedOut: the error at the deadline.
    /// - Throws: the error `timedOut` at the deadline, otherwise the operation's error.
    func run<Value: Sendable>(
        within limit: Duration, since: @escaping @Sendable @autoclosure () -> Instant,
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // The operation runs in another task, which would start even if this task is already cancelled.
        try Task.checkCancellation()
        guard elapsed(since: since()) < limit else { throw timedOut() }
        let first = FirstResult<Value>()
        let id = add(Pending(limit: limit, since: since) { first.end(.failure(timedOut())) })
        defer { remove(id) }
        return try await first.run(operation)
    }

    /// Returns the time since an instant, without the time in which the process was suspended.
    func elapsed(since start: Instant) -> Duration {
        let now = time.now()
        return state.withLock { state in
            state.notice(at: now)
            return now - start - state.suspension(since: start)
        }
    }

    private func add(_ pending: Pending) -> Int64 {
        state.withLock { state in
            state.nextID += 1
            state.pending[state.nextID] = pending
            let wakes = min(state.deadline(of: pending), time.now() + Self.pulse)
            // Usually the watching task already wakes before this call's deadline.
            if let watch = state.watch, watch.wakes <= wakes { return state.nextID }
            state.watch?.task.cancel()
            state.watch = (watch(from: wakes), wakes)
            return state.nextID
        }
    }

    private func remove(_ id: Int64) { state.withLock { $0.pending[id] = nil } }

    /// Starts the task that watches the deadlines. The task is detached because it outlives the call that starts it and
    /// must not keep that call's task-local values alive.
    private func watch(from wakes: Instant) -> Task<Void, Never> {
        Task.detached { [weak self, time] in
            var next: Instant? = wakes
            while let wakes = next {
                // If the sleep was cancelled, another task is watching now, or the client was released.
                guard (try? await time.sleep(wakes)) != nil else { return }
                next = self?.expire()
            }
        }
    }

    /// Cancels the calls whose deadline has passed.
    ///
    /// - Returns: the next time at which the watching task must wake; nil if no call is in progress.
    private func expire() -> Instant? {
        let now = time.now()
        let (due, next) = state.withLock { state in
            state.notice(at: now)
            var due: [@Sendable () -> Void] = []
            var next: Instant?
            for (id, pending) in state.pending {
                let deadline = state.deadline(of: pending)
                if deadline <= now {
                    due.append(pending.cancel)
                    state.pending[id] = nil
                } else {
                    next = min(next ?? now + Self.pulse, deadline)
                }
            }
            state.watch = next.flatMap { next in state.watch.map { ($0.task, next) } }
            return (due, next)
        }
        for cancel in due { cancel() }
        return next
    }
}
