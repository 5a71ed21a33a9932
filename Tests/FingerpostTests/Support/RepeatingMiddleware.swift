import Fingerpost
import Foundation

/// Sends each request several times.
struct RepeatingMiddleware: Middleware {
    var count = 2
    /// Receives each response but the last one.
    var between: @Sendable (Response<Data>) throws -> Void = { _ in }
    /// Runs before the first request.
    var first: @Sendable (URLRequest) throws -> Void = { _ in }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try first(request)
        for _ in 1..<count { try await between(next(request)) }
        return try await next(request)
    }
}
