import Dispatch

/// A handle for cancelling a call that reports its result to a callback, such as
/// `APIClient.request(_:as:completion:)`. Releasing the handle does not end the call.
public final class CallTask: Sendable {
    private let task: Task<Void, Never>

    /// Starts a call whose completion runs on the main actor.
    convenience init<Value: Sendable>(
        _ completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void,
        _ call: @escaping @Sendable () async throws(APIError) -> Value
    ) {
        self.init(
            Task {
                let result = await Result(of: call)
                await completion(result)
            })
    }

    /// Starts a call whose completion runs on a queue.
    convenience init<Value: Sendable>(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (Result<Value, APIError>) -> Void,
        _ call: @escaping @Sendable () async throws(APIError) -> Value
    ) {
        // Work on a queue does not inherit the scope, but the completion may make another call that needs the scope.
        let scope = APIScope.current
        self.init(
            Task {
                let result = await Result(of: call)
                queue.async {
                    if let scope { scope.run { completion(result) } } else { completion(result) }
                }
            })
    }

    private init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Cancels the call. The completion of the cancelled call receives an error of the kind
    /// ``/Fingerpost/APIError/Kind-swift.enum/cancelled``. This method has no effect after the call has ended.
    public func cancel() { task.cancel() }
}

extension Result where Success: Sendable, Failure == APIError {
    /// Creates a result from the value or the error of an asynchronous call.
    init(of call: @Sendable () async throws(APIError) -> Success) async {
        do throws(APIError) { self = .success(try await call()) } catch { self = .failure(error) }
    }
}
