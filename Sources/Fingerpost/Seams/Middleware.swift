public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A step between the client and its transport: it may change the request, send it, send it again, and change the
/// response.
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
/// For credentials use ``ClientConfiguration/authorization``, which keeps them from other servers than the client's.
///
/// The first middleware of ``ClientConfiguration/middleware`` is the outermost. All of them run for mocked calls as for
/// real ones. Redirects are followed below them. To replace what carries the requests, write a ``Transport`` instead.
public protocol Middleware: Sendable {
    /// The rest of the way: the middleware further in, then the transport.
    typealias Next = @Sendable (URLRequest) async throws -> Response<Data>

    /// Handles one call.
    ///
    /// - Parameters:
    ///   - request: as the step before left it.
    ///   - route: what the request was built from; its ``Route/name`` says which endpoint it is.
    ///   - next: sends a request on; may be called any number of times.
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data>
}

extension [any Middleware] {
    /// Takes a request through all of them, and then to the end of the way.
    func pass(
        _ request: URLRequest, for route: Route, _ end: @escaping Middleware.Next
    ) async throws -> Response<Data> {
        guard let first else { return try await end(request) }
        let rest = Array(dropFirst())
        return try await first.intercept(request, for: route) { try await rest.pass($0, for: route, end) }
    }
}
