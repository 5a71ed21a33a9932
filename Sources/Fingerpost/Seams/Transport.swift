public import Foundation

/// Sends one request and returns its response.
///
/// The library has two transports: ``URLSessionTransport`` for the network, and a transport that answers from mocks. To
/// send with another HTTP client, write your own transport; ``send(_:for:)`` is the only required method. To change
/// requests, inspect responses or send a request again, write a ``Middleware`` instead, which works with every
/// transport and with mocks.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response. Return a response with any status; the client decides which
    /// statuses are errors. End promptly when the task is cancelled: the client also cancels the task at the deadline,
    /// and counts a cancelled call no longer among ``ClientConfiguration/maximumCallsPerHost``.
    ///
    /// The body of a stream comes as one piece, at its end, unless you implement ``send(_:for:into:)`` too.
    ///
    /// - Parameters:
    ///   - request: the complete request. The bytes of a file, a stream or a large form are in `httpBodyStream`, the
    ///     bytes of other bodies in `httpBody`. The headers `Content-Length`, `Transfer-Encoding` and `Host` are left
    ///     to your HTTP client.
    ///   - route: the route that the request was built from, for its name, mock and settings.
    /// - Returns: the response to this request. Do not follow redirects, because the client follows them.
    /// - Throws: an error when no response arrives. A thrown ``APIError`` keeps its kind. A `CancellationError` or the
    ///   code of a `URLError` determines the kind of the call's error. Any other error becomes an ``APIError`` of the
    ///   kind `transport`.
    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data>

    /// Sends a request and pushes the response into a sink: the head, then the body.
    ///
    /// The client calls this method. The default implementation calls ``send(_:for:)`` and pushes the body in one
    /// piece. Implement this method if your HTTP client delivers the body in pieces, so that streams are read as they
    /// arrive, so that large downloads do not go through memory, and so that a body that exceeds
    /// ``ClientConfiguration/maximumResponseSize`` ends early.
    ///
    /// - Parameters:
    ///   - request: the complete request.
    ///   - route: the route that the request was built from.
    ///   - sink: receives the response. An error that the sink throws ends the call.
    /// - Throws: the same errors as ``send(_:for:)``, and the errors of the sink.
    func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws
}

extension Transport {
    /// Calls ``send(_:for:)`` and pushes the body into the sink in one piece.
    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        let response = try await send(request, for: route)
        try sink.begin(response.head)
        if !response.data.isEmpty { try sink.receive(response.data) }
    }
}
