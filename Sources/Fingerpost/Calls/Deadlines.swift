import FingerpostFiles

/// Cancels work at its deadline.
///
/// One sleeping task watches all the calls of a client. A separate sleep for each call would occupy memory until that
/// call's deadline, long after the call has ended.
final class Deadlines: Sendable {
    private struct State {
        /// The calls in progress: when each call times out, and how to cancel it.
        var pending: [Int: Pending] = [:]
        var nextID = 0
        var watch: (task: Task<Void, Never>, wakes: ContinuousClock.Instant)?
    }

    private struct Pending {
        var time: ContinuousClock.Instant
        /// Returns a later deadline if there has been activity; nil for a deadline that is fixed.
        let extend: (@Sendable () -> ContinuousClock.Instant)?
        let cancel: @Sendable () -> Void
    }

    private let state = Locked(State())

    deinit {
        state.withLock { $0.watch?.task.cancel() }
    }

    /// Runs an operation, and cancels it at the deadline or when the calling task is cancelled. If the operation
    /// ignores the cancellation, `run` returns without waiting for the operation to end.
    ///
    /// - Parameters:
    ///   - time: the deadline.
    ///   - extend: called at the deadline; returns a later one if there has been activity.
    ///   - timedOut: the error at the deadline.
    /// - Throws: the error `timedOut` at the deadline, otherwise the operation's error.
    func run<Value: Sendable>(
        until time: ContinuousClock.Instant, extend: (@Sendable () -> ContinuousClock.Instant)? = nil,
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard time > .now else { throw timedOut() }
        let first = FirstResult<Value>()
        let (id, end) = start(operation, first, time, extend, timedOut)
        defer { remove(id) }
        return try await withTaskCancellationHandler {
            try await first.value
        } onCancel: {
            end(CancellationError())
        }
    }

    /// Starts an operation in a task of its own.
    ///
    /// - Returns: the number of its deadline, and a closure that cancels it with an error.
    @inline(never)
    private func start<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value, _ first: FirstResult<Value>,
        _ time: ContinuousClock.Instant, _ extend: (@Sendable () -> ContinuousClock.Instant)?,
        _ timedOut: @escaping @Sendable () -> APIError
    ) -> (id: Int, end: @Sendable (any Error) -> Void) {
        let work = Task {
            do { first.succeed(try await operation()) } catch { first.fail(error) }
        }
        let end = { @Sendable (error: any Error) in
            first.fail(error)
            work.cancel()
        }
        return (add(Pending(time: time, extend: extend) { end(timedOut()) }), end)
    }

    private func add(_ pending: Pending) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.pending[state.nextID] = pending
            let time = pending.time
            // Usually all calls have the same timeout, so the watching task already wakes before this call's deadline.
            if let watch = state.watch, watch.wakes <= time { return state.nextID }
            state.watch?.task.cancel()
            state.watch = (watch(from: time), time)
            return state.nextID
        }
    }

    @inline(never)
    private func remove(_ id: Int) {
        state.withLock { $0.pending[id] = nil }
    }

    /// Starts the task that watches the deadlines. The task is detached because it outlives the call that starts it and
    /// must not keep that call's task-local values alive.
    private func watch(from time: ContinuousClock.Instant) -> Task<Void, Never> {
        Task.detached { [weak self] in
            var next: ContinuousClock.Instant? = time
            while let time = next {
                // The sleep was cancelled because another task is watching now, or because the client is gone.
                guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
                next = self?.expire()
            }
        }
    }

    /// Cancels the calls whose deadline has passed.
    ///
    /// - Returns: the next deadline; nil when no call is in progress.
    private func expire() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let (due, next) = state.withLock { state in
            var due = state.pending.filter { $0.value.time <= now }
            for (id, pending) in due {
                guard let time = pending.extend?(), time > now else { continue }
                state.pending[id]?.time = time
                due[id] = nil
            }
            for id in due.keys { state.pending[id] = nil }
            let next = state.pending.values.map(\.time).min()
            state.watch = next.flatMap { next in state.watch.map { ($0.task, next) } }
            return (due.values.map(\.cancel), next)
        }
        for cancel in due { cancel() }
        return next
    }
}

/// Passes the first of several results to one waiting task, and ignores the others.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case ended(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    // Not inlined, so that tasks that wait have no room for copies of the value.
    @inline(never)
    func succeed(_ value: Value) { end(.success(value)) }

    @inline(never)
    func fail(_ error: any Error) { end(.failure(error)) }

    /// Sets the result and resumes the waiting task; later results are ignored.
    private func end(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            let continuation: CheckedContinuation<Value, any Error>?
            switch state {
            case .ended: return nil
            case .open: continuation = nil
            case .awaited(let waiting): continuation = waiting
            }
            state = .ended(result)
            return continuation
        }
        continuation?.resume(with: result)
    }

    /// Waits for the first result. This property may be read only once.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
