public import Dispatch
import FingerpostTransfers
public import Foundation

// Methods for code that is not `async` yet. Each of them wraps the `async` method with the same arguments. The
// completions run on the main actor, so they can update views. To report progress or to resume a download, use the
// `async` methods.
extension APIClient {
    /// Sends a route and passes the decoded value or the error to a completion on the main actor. In code that is not
    /// `async`, use this method instead of `send(_:as:)`.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - type: the type to decode.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void
    ) -> CallTask {
        CallTask(completion) { () async throws(APIError) in try await self.send(route, as: type) }
    }

    /// Sends an endpoint and passes the decoded response or the error to a completion on the main actor. The completion
    /// is called exactly once.
    @discardableResult
    public func request<E: Endpoint>(
        _ endpoint: E, completion: @escaping @MainActor @Sendable (Result<E.Response, APIError>) -> Void
    ) -> CallTask {
        CallTask(completion) { () async throws(APIError) in try await self.send(endpoint) }
    }

    /// Sends a route without decoding the response body, and calls the completion on the main actor exactly once.
    // This overload is disfavored because endpoints match it too. For an endpoint, a closure without type annotations
    // must receive the decoded response.
    @_disfavoredOverload
    @discardableResult
    public func request(
        _ route: some RouteConvertible,
        completion: @escaping @MainActor @Sendable (Result<Void, APIError>) -> Void
    ) -> CallTask {
        CallTask(completion) { () async throws(APIError) in try await self.send(route) }
    }

    /// Sends a route, writes the body to a file as it arrives, and passes the response to a completion on the main
    /// actor. In code that is not `async`, use this method instead of `download(_:to:)`.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - file: the file to write.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL,
        completion: @escaping @MainActor @Sendable (Result<Response<URL>, APIError>) -> Void
    ) -> CallTask {
        CallTask(completion) { () async throws(APIError) in try await self.download(route, to: file) }
    }
}

extension RouteConvertible {
    /// Sends this route and calls one of two closures on the main actor. To get the result on a queue instead, call
    /// `APIClient.request(_:as:on:completion:)`.
    ///
    /// The error contains the status and the server's message, and can decode the error body:
    /// ``/Fingerpost/APIError/status``, ``/Fingerpost/APIError/serverMessage``,
    /// ``/Fingerpost/APIError/decodeBody(as:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - client: the client to use; ``/Fingerpost/APIClient/shared`` by default.
    ///   - success: called with the value.
    ///   - failure: called with the error, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, through client: APIClient = .shared,
        success: @escaping @MainActor @Sendable (Value) -> Void,
        failure: @escaping @MainActor @Sendable (APIError) -> Void
    ) -> CallTask {
        client.request(self, as: type) { result in
            switch result {
            case .success(let value): success(value)
            case .failure(let error): failure(error)
            }
        }
    }

    /// Sends this route without decoding the response body, and calls one of two closures on the main actor.
    ///
    /// - Parameters:
    ///   - client: the client to use; ``/Fingerpost/APIClient/shared`` by default.
    ///   - success: called when the call succeeds.
    ///   - failure: called with the error, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request(
        through client: APIClient = .shared,
        success: @escaping @MainActor @Sendable () -> Void,
        failure: @escaping @MainActor @Sendable (APIError) -> Void
    ) -> CallTask {
        request(as: NoContent.self, through: client) { _ in
            success()
        } failure: {
            failure($0)
        }
    }
}

extension Endpoint {
    /// Sends this endpoint and calls one of two closures on the main actor.
    ///
    /// - Parameters:
    ///   - client: the client to use; ``/Fingerpost/APIClient/shared`` by default.
    ///   - success: called with the decoded response.
    ///   - failure: called with the error, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request(
        through client: APIClient = .shared,
        success: @escaping @MainActor @Sendable (Response) -> Void,
        failure: @escaping @MainActor @Sendable (APIError) -> Void
    ) -> CallTask {
        request(as: Response.self, through: client, success: success, failure: failure)
    }
}

// The same methods with completions that run on a queue instead of the main actor.
extension APIClient {
    /// Sends a route and passes the decoded value or the error to a completion on a queue. To update views in the
    /// completion, use `APIClient.request(_:as:completion:)` instead: its completion runs on the main actor.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - type: the type to decode.
    ///   - queue: where the completion runs.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(route, as: type) }
    }

    /// Sends an endpoint and passes the decoded response or the error to a completion on a queue. The completion is
    /// called exactly once.
    @discardableResult
    public func request<E: Endpoint>(
        _ endpoint: E, on queue: DispatchQueue, completion: @escaping @Sendable (Result<E.Response, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(endpoint) }
    }

    /// Sends a route without decoding the response body, and calls the completion on a queue exactly once.
    // This overload is disfavored for the same reason as the overload without a queue.
    @_disfavoredOverload
    @discardableResult
    public func request(
        _ route: some RouteConvertible, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Void, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(route) }
    }

    /// Sends a route, writes the body to a file as it arrives, and passes the response to a completion on a queue.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - file: the file to write.
    ///   - queue: where the completion runs.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Response<URL>, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.download(route, to: file) }
    }
}

/// A handle that cancels a call. Methods with callbacks, such as `APIClient.request(_:as:completion:)`, return a
/// handle. Releasing the handle does not end the call.
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
