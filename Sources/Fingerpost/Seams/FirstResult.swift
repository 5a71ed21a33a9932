import FingerpostFiles

/// Passes the first of several results to one waiting task, and ignores the others.
final class FirstResult<Value: Sendable>: Sendable {
    private typealias Waiting = CheckedContinuation<Value, any Error>

    private let state = Locked<(result: Result<Value, any Error>?, waiting: Waiting?)>((nil, nil))

    /// Sets the result and resumes the waiting task. Returns false if a result was already set.
    ///
    /// - Parameter body: runs in any case, before the waiting task resumes.
    // This method is not inlined, so that waiting tasks need no memory for copies of the value.
    @inline(never) @discardableResult
    func end(_ result: Result<Value, any Error>, before body: () -> Void = {}) -> Bool {
        let (isFirst, waiting) = state.withLock { state in
            defer { state = (state.result ?? result, nil) }
            return (state.result == nil, state.waiting)
        }
        body()
        waiting?.resume(with: result)
        return isFirst
    }

    /// Waits for the first result. A cancellation counts as a result. Only one task may wait, and only once.
    ///
    /// - Parameters:
    ///   - cancel: runs when the task is cancelled, before this method throws.
    ///   - begin: runs before the wait. A cancellation at the same time runs `cancel`.
    func value(onCancel cancel: @Sendable () -> Void = {}, beginning begin: () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            begin()
            return try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state in
                    state.waiting = state.result == nil ? continuation : nil
                    return state.result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
            end(.failure(CancellationError()))
        }
    }
}
