public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Carries one request to whoever answers it.
///
/// The library has two: ``URLSessionTransport`` for the network, and the mocks of a sealed environment. Write your own to
/// put another HTTP client underneath: one method, ``send(_:for:)``, is enough. To change requests, look at responses or
/// send again, write a ``Middleware`` instead: it works with every transport, and with mocks.
public protocol Transport: Sendable {
    /// Sends the request and waits for the whole response. Any status is an answer: failing on some is the client's work.
    ///
    /// - Parameters:
    ///   - request: ready to be sent.
    ///   - route: what the request was built from, for its name, mock and settings.
    /// - Returns: the response of this request alone. A redirect is returned, not followed: the client follows it.
    /// - Throws: when there is no response. `URLError` and `CancellationError` are told apart by the client; any other
    ///   error becomes an ``APIError`` of the kind `transport`. End promptly when the task is cancelled: the client's
    ///   deadline cancels it too.
    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data>

    /// Sends the request and pushes the response into a sink: the head, then the body. This is what the client calls.
    ///
    /// The default calls ``send(_:for:)`` and pushes the body in one piece. Implement it where the body comes in pieces,
    /// so that large downloads need no memory.
    ///
    /// - Parameters:
    ///   - request: ready to be sent.
    ///   - route: what the request was built from.
    ///   - sink: where the response goes. What it throws ends the call.
    /// - Throws: as ``send(_:for:)``.
    func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws
}

extension Transport {
    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        let response = try await send(request, for: route)
        try sink.begin(response.head)
        if !response.data.isEmpty { try sink.receive(response.data) }
    }
}
