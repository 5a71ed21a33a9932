public import Dispatch
public import Foundation

// For code that is not `async` yet. Every one of these is the `async` method of the same arguments.
extension APIClient {
    /// Sends a route and hands over the decoded value.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - type: what to decode.
    ///   - queue: where the completion runs; the main queue by default.
    ///   - completion: called once, also when the call is cancelled.
    /// - Returns: what cancels the call. It may be let go.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue = .main,
        completion: @escaping @Sendable (Result<Value, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(route, as: type) }
    }

    /// Sends an endpoint and hands over its response.
    @discardableResult
    public func request<E: Endpoint>(
        _ endpoint: E, on queue: DispatchQueue = .main,
        completion: @escaping @Sendable (Result<E.Response, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(endpoint) }
    }

    /// Sends a route whose response has nothing to decode.
    // An endpoint fits here too, and a closure that leaves out its types means the endpoint's response.
    @_disfavoredOverload
    @discardableResult
    public func request(
        _ route: some RouteConvertible, on queue: DispatchQueue = .main,
        completion: @escaping @Sendable (Result<Void, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.send(route) }
    }

    /// Sends a route, puts the body into a file as it comes, and hands over the response: ``download(_:to:)``.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - file: where the body goes.
    ///   - queue: where the completion runs; the main queue by default.
    ///   - completion: called once, also when the call is cancelled.
    /// - Returns: what cancels the call. It may be let go.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, on queue: DispatchQueue = .main,
        completion: @escaping @Sendable (Result<Response<URL>, APIError>) -> Void
    ) -> CallTask {
        CallTask(on: queue, completion) { () async throws(APIError) in try await self.download(route, to: file) }
    }
}

extension RouteConvertible {
    /// Sends this route and hands over the decoded value or the error, on the main queue.
    ///
    /// The error has the status, the server's message and its fields: ``APIError/status``, ``APIError/serverMessage``,
    /// ``APIError/decodeBody(as:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - client: what sends it; ``APIClient/shared`` by default.
    ///   - success: gets the value.
    ///   - failure: gets the error, also when the call is cancelled.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, through client: APIClient = .shared,
        success: @escaping @Sendable (Value) -> Void, failure: @escaping @Sendable (APIError) -> Void
    ) -> CallTask {
        client.request(self, as: type) { result in
            switch result {
            case .success(let value): success(value)
            case .failure(let error): failure(error)
            }
        }
    }

    /// Sends this route, whose response has nothing to decode, and calls back on the main queue.
    ///
    /// - Parameters:
    ///   - client: what sends it; ``APIClient/shared`` by default.
    ///   - success: called when the server accepted.
    ///   - failure: gets the error, also when the call is cancelled.
    @discardableResult
    public func request(
        through client: APIClient = .shared, success: @escaping @Sendable () -> Void,
        failure: @escaping @Sendable (APIError) -> Void
    ) -> CallTask {
        request(as: NoContent.self, through: client) { _ in
            success()
        } failure: {
            failure($0)
        }
    }
}

extension Endpoint {
    /// Sends this endpoint and hands over its response or the error, on the main queue.
    ///
    /// - Parameters:
    ///   - client: what sends it; ``APIClient/shared`` by default.
    ///   - success: gets the response.
    ///   - failure: gets the error, also when the call is cancelled.
    @discardableResult
    public func request(
        through client: APIClient = .shared, success: @escaping @Sendable (Response) -> Void,
        failure: @escaping @Sendable (APIError) -> Void
    ) -> CallTask {
        request(as: Response.self, through: client, success: success, failure: failure)
    }
}
