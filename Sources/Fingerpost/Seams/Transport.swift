public import Foundation

// On Linux, the module FoundationNetworking contains `URLRequest`. Fingerpost exports that module, so that middleware
// and transports need the same imports on all platforms.
#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif

/// Sends one request and returns its response.
///
/// The library has two transports: ``URLSessionTransport`` for the network, and a transport that answers from mocks. To
/// send with another HTTP client, write your own transport. To change requests, inspect responses or send a request
/// again, write a ``Middleware`` instead, which works with every transport and with mocks.
///
/// Implement one of the two methods: ``send(_:for:)`` if your HTTP client returns whole bodies, and
/// ``send(_:for:into:)`` if it delivers them in chunks. Each method has a default implementation that calls the other
/// method.
///
/// The client decides which requests are retried. A retry needs a ``RetryPolicy`` and a request that is safe to send
/// twice. A request is safe to send twice if its method is idempotent (RFC 9110 section 9.2.2), if it has an
/// idempotency key, or if its route sets a retry policy. The client retries a safe request after a status of the
/// policy, and after the following errors of a transport:
///
/// | Error | Meaning |
/// |---|---|
/// | `URLError(.networkConnectionLost)` | the connection was lost, before or within the response |
/// | `URLError(.cannotConnectToHost)` | the host refuses the connection |
/// | `URLError(.cannotFindHost)`, `.dnsLookupFailed` | the name of the host was not resolved |
/// | `URLError(.notConnectedToInternet)` | the device has no network |
/// | `URLError(.timedOut)` | a time limit of the HTTP client, such as one for connecting, has passed |
/// | `URLError(.badServerResponse)` | the connection ended before the response's head |
/// | an `NSError` of POSIX: `ECONNRESET`, `ECONNABORTED`, `ENOTCONN`, `ETIMEDOUT`, `EPROTO` | the connection was lost |
///
/// After any other error, the client does not retry the request. Convert the errors of your HTTP client to these
/// errors, above all the error for a lost connection: `throw URLError(.networkConnectionLost, userInfo:
/// [NSUnderlyingErrorKey: error])`.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response. Return a response with any status; the client decides which
    /// statuses are errors. End promptly when the task is cancelled. The client also cancels the task at the deadline,
    /// and a cancelled call no longer counts towards ``ClientConfiguration/maximumCallsPerHost``.
    ///
    /// The default implementation calls ``send(_:for:into:)`` and collects the body in memory.
    ///
    /// - Parameters:
    ///   - request: the complete request. The bytes of a file, a stream or a large form are in `httpBodyStream`, and
    ///     the bytes of other bodies are in `httpBody`. Your HTTP client sets the headers `Content-Length`,
    ///     `Transfer-Encoding` and `Host`. The property `request.bodySize` is the length of the body.
    ///   - route: the route that the request was built from, for its name, mock and settings.
    /// - Returns: the response to this request. Do not follow redirects, because the client follows them.
    /// - Throws: an error if no response arrives. A thrown ``APIError`` keeps its kind. A `CancellationError` or the
    ///   code of a `URLError` determines the kind of the call's error. Any other error becomes an ``APIError`` of the
    ///   kind `transport`. The table of ``Transport`` lists the errors after which the client can send the request
    ///   again.
    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data>

    /// Sends a request and pushes the response into a sink: the head, then the body.
    ///
    /// The client calls this method. The default implementation calls ``send(_:for:)`` and pushes the whole body in one
    /// chunk. Implement this method if your HTTP client delivers the body in chunks. In this case, streams are read as
    /// they arrive, large downloads do not go through memory, and a body that exceeds
    /// ``ClientConfiguration/maximumResponseSize`` ends early.
    ///
    /// - Parameters:
    ///   - request: the complete request.
    ///   - route: the route that the request was built from.
    ///   - sink: receives the response. An error that the sink throws ends the call. After this method has returned or
    ///     the call has ended, the sink accepts no more bytes.
    /// - Throws: the same errors as ``send(_:for:)``, and the errors of the sink.
    func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws
}

extension Transport {
    /// Calls ``send(_:for:into:)`` and collects the body in memory.
    public func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        let sink = Transfer(of: Self.self)
        try await send(request, for: route, into: sink)
        return try sink.response()
    }

    /// Calls ``send(_:for:)`` and pushes the body into the sink in one chunk.
    ///
    /// - Throws: ``APIError`` if the transport implements neither method.
    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        // The other default implementation has called this one, so the transport implements neither method.
        if let sink = sink as? Transfer, sink.owner == Self.self {
            throw APIError(.transport, "\(Self.self) implements no method of Transport", fix: "implement one of them")
        }
        let response = try await send(request, for: route)
        try sink.begin(response.head)
        if !response.data.isEmpty { try sink.receive(response.data) }
    }
}

extension URLRequest {
    /// The size of the body in bytes; zero without a body. The size is nil for a stream of unknown size: a stream of
    /// `RequestBody.stream` without a `length`, and a stream that other code has set. A ``Transport`` for another HTTP
    /// client sends this size as `Content-Length`, as `URLSession` does by itself.
    public var bodySize: Int64? {
        if httpBodyStream == nil { return Int64(httpBody?.count ?? 0) }
        return bodyLength?.bytes
    }
}
