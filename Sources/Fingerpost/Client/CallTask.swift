import Dispatch

/// A call under way that was started with a callback.
public final class CallTask: Sendable {
    private let task: Task<Void, Never>

    init<Value: Sendable>(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (Result<Value, APIError>) -> Void,
        _ call: @escaping @Sendable () async throws(APIError) -> Value
    ) {
        // A queue does not inherit the scope, which the next call may need.
        let scope = APIScope.current
        task = Task {
            let result = await Result(of: call)
            queue.async {
                if let scope { scope.run { completion(result) } } else { completion(result) }
            }
        }
    }

    /// Ends the call, whose completion gets an error of the kind ``APIError/Kind-swift.enum/cancelled``. Does nothing when the call is
    /// over.
    public func cancel() {
        task.cancel()
    }
}

extension Result where Success: Sendable, Failure == APIError {
    /// What an asynchronous call gives or throws.
    init(of call: @Sendable () async throws(APIError) -> Success) async {
        do throws(APIError) { self = .success(try await call()) } catch { self = .failure(error) }
    }
}
