import FingerpostFiles

/// Passes the first of several results to one waiting task, and ignores the others.
final class FirstResult<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        /// True after the operation was cancelled. Only then does the waiting task get the result.
        var isReady = false
        var waiting: CheckedContinuation<Value, any Error>?
        /// The task of the operation that may give a result.
        var operation: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Sets the result, cancels the operation, and then resumes the waiting task. Returns false if a result was already
    /// set.
    // This method is not inlined, so that waiting tasks need no memory for copies of the value.
    @inline(never) @discardableResult
    func end(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, operation) = state.withLock { state in
            defer { state.result = state.result ?? result }
            return (state.result == nil, state.operation.take())
        }
        guard isFirst else { return false }
        operation?.cancel()
        let waiting = state.withLock { state in
            state.isReady = true
            return state.waiting.take()
        }
        waiting?.resume(with: result)
        return true
    }

    /// Waits for the first result. A cancellation counts as a result. Only one task may wait, and only once.
    ///
    /// - Parameter cancel: runs when the task is cancelled, before this method throws.
    func value(onCancel cancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await wait()
        } onCancel: {
            cancel()
            end(.failure(CancellationError()))
        }
    }

    /// Runs an operation in another task, and waits for the first result. If there is already a result, or if the
    /// current task is already cancelled, the operation does not start.
    func run(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            start(operation)
            return try await wait()
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Starts the operation under the lock, so that each later result cancels the operation.
    @inline(never)
    private func start(_ operation: @escaping @Sendable () async throws -> Value) {
        state.withLock { state in
            guard state.result == nil else { return }
            state.operation = Task(onExecutorOfCall: ()) { [self] in
                do {
                    try Task.checkCancellation()
                    end(.success(try await operation()))
                } catch { end(.failure(error)) }
            }
        }
    }

    private func wait() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                let result = state.isReady ? state.result : nil
                state.waiting = result == nil ? continuation : nil
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
