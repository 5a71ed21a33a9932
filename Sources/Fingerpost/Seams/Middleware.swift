public import Foundation

/// A step between the client and its transport. Middleware may change the request, send the request more than once,
/// answer without sending it, and change the response.
///
/// ```swift
/// struct Traced: Middleware {
///     let session: String
///
///     func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
///         var request = request
///         request.setValue("\(session)/\(route.name)", forHTTPHeaderField: "X-Trace")
///         return try await next(request)
///     }
/// }
/// ```
///
/// The errors that `next` throws may contain secrets, such as a token in a URL: do not print them. Descriptions of the
/// errors that the client throws contain no secrets.
///
/// For credentials, use ``ClientConfiguration/authorization`` instead of middleware, because `authorization` does not
/// send the credentials to other servers. To send requests with another HTTP client, write a ``Transport`` instead.
///
/// The first element of ``ClientConfiguration/middleware`` is the outermost middleware. Middleware runs for mocked
/// calls too. Middleware does not see redirects, which are followed deeper in the chain. For a stream (`stream(_:)`),
/// middleware sees the status and headers; the body is empty. The app reads the body of the response to the last
/// request, unless middleware returns a response with a body of its own.
public protocol Middleware: Sendable {
    /// The rest of the call: the next middleware, or else authorization, redirects and the transport.
    typealias Next = @Sendable (URLRequest) async throws -> Response<Data>

    /// Handles one call.
    ///
    /// - Parameters:
    ///   - request: the request, including the changes made by outer middleware.
    ///   - route: the route that the request was built from; its ``Route/name`` identifies the endpoint.
    ///   - next: sends a request and returns its response. The middleware may call `next` any number of times. The
    ///     middleware may make these calls concurrently, unless the client's call writes the response's body to a file
    ///     or a sink, or reports its progress.
    /// - Returns: the response for the outer middleware or the client.
    /// - Throws: any error. The call fails with the thrown error, as it does for an error from a ``Transport``.
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data>
}

/// Middleware that runs after authorization and around redirects. A recorder sees requests with their credentials, and
/// the response after all redirects. Only recorders need to see the credentials: they redact the credentials in the
/// files that they write.
package protocol Recorder: Middleware {
    /// Handles a call that returns when the head of its response arrives. The app reads the body while it arrives, so
    /// the response of `next` has no body yet.
    ///
    /// - Parameter observe: attaches an observer to the body of the last response.
    func intercept(
        _ request: URLRequest, for route: Route, next: Next,
        observe: @escaping @Sendable (any BodyObserver) throws -> Void
    ) async throws -> Response<Data>
}

extension Recorder {
    package func intercept(
        _ request: URLRequest, for route: Route, next: Next,
        observe: @escaping @Sendable (any BodyObserver) throws -> Void
    ) async throws -> Response<Data> { try await intercept(request, for: route, next: next) }
}
