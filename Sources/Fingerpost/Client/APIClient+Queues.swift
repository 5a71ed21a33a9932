public import Dispatch
public import Foundation

// The methods of APIClient+Callbacks.swift for completions that run on a queue instead of the main actor.
extension APIClient {
    /// Sends a route and passes the decoded value or the error to a completion on a queue. To update views in the
    /// completion, use ``request(_:as:progress:completion:)`` instead, whose completion runs on the main actor.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - type: the type to decode.
    ///   - queue: where the completion runs.
    ///   - progress: called on the queue, one at a time, while bodies are transferred: see ``TransferProgress``.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, progress, completion) { (progress) async throws(APIError) in
            try await self.send(route, as: type, progress: progress)
        }
    }

    /// Sends an endpoint and passes its decoded response or the error to a completion on a queue, which is called
    /// exactly once.
    @discardableResult
    public func request<E: Endpoint>(
        _ endpoint: E, on queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<E.Response, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, progress, completion) { (progress) async throws(APIError) in
            try await self.send(endpoint, progress: progress)
        }
    }

    /// Sends a route without decoding the response body, and calls the completion on a queue exactly once.
    // Disfavored for the same reason as the overload without a queue.
    @_disfavoredOverload
    @discardableResult
    public func request(
        _ route: some RouteConvertible, on queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Void, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, progress, completion) { (progress) async throws(APIError) in
            try await self.send(route, progress: progress)
        }
    }

    /// Sends a route, writes the body to a file as it arrives, and passes the response to a completion on a queue.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - file: the file to write.
    ///   - queue: where the completion runs.
    ///   - progress: called on the queue, one at a time, while bodies are transferred: see ``TransferProgress``.
    ///   - completion: called exactly once, even if the call is cancelled.
    /// - Returns: a handle that cancels the call. Releasing the handle does not cancel the call.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, on queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Response<URL>, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, progress, completion) { (progress) async throws(APIError) in
            try await self.download(route, to: file, progress: progress)
        }
    }
}
