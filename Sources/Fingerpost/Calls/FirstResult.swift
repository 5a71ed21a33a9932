import FingerpostFiles

/// The first of several results, for one who waits for it.
final class FirstResult<Value: Sendable>: Sendable {
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
