import FingerpostFiles

/// Ends work that takes longer than it may.
///
/// One sleeping task watches over all the calls of a client. A sleep for each call would stay with the system until its
/// time, with its memory, although the call has long ended.
final class Deadlines: Sendable {
    private struct State {
        /// What to cancel, and when.
        var pending: [Int: (time: ContinuousClock.Instant, cancel: @Sendable () -> Void)] = [:]
        var nextID = 0
        var watch: (task: Task<Void, Never>, wakes: ContinuousClock.Instant)?
    }

    private let state = Locked(State())

    deinit {
        state.withLock { $0.watch?.task.cancel() }
    }

    /// Runs the operation, and cancels it when the time is over or the task is cancelled. Nobody waits for an operation that does not
    /// heed that.
    ///
    /// - Parameters:
    ///   - time: when the time is over; nil where nothing can take longer than it may.
    ///   - timeout: how long that is since the call began, for the error.
    /// - Throws: ``APIError`` of the kind `timedOut` when the deadline came first, else what the operation throws.
    func run<Value: Sendable>(
        until time: ContinuousClock.Instant?, _ timeout: Duration,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let time else {
            try Task.checkCancellation()
            return try await operation()
        }
        let timedOut = APIError(
            .timedOut, "no answer came within \(timeout)", fix: "raise the timeout, or look at the server")
        guard time > .now else { throw timedOut }
        let first = FirstResult<Value>()
        let work = Task {
            do { first.end(.success(try await operation())) } catch { first.end(.failure(error)) }
        }
        let end = { @Sendable (error: any Error) in
            first.end(.failure(error))
            work.cancel()
        }
        let id = add(time) { end(timedOut) }
        defer { remove(id) }
        return try await withTaskCancellationHandler {
            try await first.value
        } onCancel: {
            end(CancellationError())
        }
    }

    private func add(_ time: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.pending[state.nextID] = (time, cancel)
            // With one timeout for all calls the watch wakes before each new deadline already.
            if let watch = state.watch, watch.wakes <= time { return state.nextID }
            state.watch?.task.cancel()
            state.watch = (watch(from: time), time)
            return state.nextID
        }
    }

    private func remove(_ id: Int) {
        state.withLock { $0.pending[id] = nil }
    }

    /// Detached, as it outlives the call that starts it and must not hold on to its task-local values.
    private func watch(from time: ContinuousClock.Instant) -> Task<Void, Never> {
        Task.detached { [weak self] in
            var next: ContinuousClock.Instant? = time
            while let time = next {
                // Cancelled: another task watches now, or nobody needs to.
                guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
                next = self?.expire()
            }
        }
    }

    /// Cancels what is due.
    ///
    /// - Returns: when to look again; nil when nothing is pending.
    private func expire() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let (due, next) = state.withLock { state in
            let due = state.pending.filter { $0.value.time <= now }
            for id in due.keys { state.pending[id] = nil }
            let next = state.pending.values.map(\.time).min()
            state.watch = next.flatMap { next in state.watch.map { ($0.task, next) } }
            return (due.values.map(\.cancel), next)
        }
        for cancel in due { cancel() }
        return next
    }
}

/// The first of several results, for one who waits for it.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case ended(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    /// Ends the waiting; what comes later does not count.
    func end(_ result: Result<Value, any Error>) {
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

    /// Waits, once.
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
