import Fingerpost
import Foundation

/// Changes each request before it is sent.
struct ChangingMiddleware: Middleware {
    let change: @Sendable (inout URLRequest) -> Void

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        var request = request
        change(&request)
        return try await next(request)
    }
}
