public import Fingerpost
import FingerpostFiles
public import Foundation

// Calls of the client that report their progress to a closure. The method `download(_:to:resuming:progress:)` already
// has this closure.
extension APIClient {
    /// Sends a route, decodes the body of the response, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - type: the type to decode, as in ``/Fingerpost/APIClient/send(_:as:)``.
    ///   - progress: called on any thread while the bodies of the request and the response are transferred: see
    ///     ``TransferProgress``.
    /// - Throws: ``/Fingerpost/APIError``, also for a status outside 200...299.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) -> Value {
        try await measured(progress) { client throws(APIError) in try await client.send(route, as: type) }
    }

    /// Sends an endpoint, decodes its response, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) -> E.Response {
        try await measured(progress) { client throws(APIError) in try await client.send(endpoint) }
    }

    /// Sends a route, does not decode the body of the response, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    public func send(
        _ route: some RouteConvertible, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) {
        try await measured(progress) { client throws(APIError) in try await client.send(route) }
    }

    /// Sends a route, returns the response body verbatim, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    public func data(
        for route: some RouteConvertible, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) -> Data {
        try await measured(progress) { client throws(APIError) in try await client.data(for: route) }
    }

    /// Sends a route, returns the whole response, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - type: the type to decode, as in ``/Fingerpost/APIClient/send(_:as:)``.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) -> Response<Value> {
        try await measured(progress) { client throws(APIError) in try await client.response(for: route, as: type) }
    }

    /// Sends a request that other code built, and reports the progress of both bodies.
    ///
    /// - Parameters:
    ///   - request: the request, as in ``/Fingerpost/APIClient/response(for:)``.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    public func response(
        for request: URLRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError) -> Response<Data> {
        try await measured(progress) { client throws(APIError) in try await client.response(for: request) }
    }

    /// Makes a call with a copy of this client that reports progress.
    func measured<Value: Sendable>(
        _ progress: @escaping @Sendable (TransferProgress) -> Void,
        _ call: (APIClient) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let reporter = Locked<ProgressReporter?>(nil)
        let client = measured { call, sink, isMocked in
            let new = ProgressReporter(call, into: sink, isMocked: isMocked, progress)
            reporter.withLock { $0 = new }
            return new.note
        }
        let result: Result<Value, APIError> = await withTaskCancellationHandler {
            do throws(APIError) { return .success(try await call(client)) } catch { return .failure(error) }
        } onCancel: {
            reporter.withLock { $0 }?.stop()
        }
        if case .failure = result { reporter.withLock { $0 }?.stop() }
        await reporter.withLock { $0 }?.end()
        return try result.get()
    }
}
