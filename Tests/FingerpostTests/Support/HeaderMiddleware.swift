import Fingerpost
import Foundation

/// Adds a header to the request, and a header with the route's name to the response.
struct HeaderMiddleware: Middleware {
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        var request = request
        request.setValue("yes", forHTTPHeaderField: "X-Added")
        let response = try await next(request)
        return Response(
            status: response.status, headers: response.headers.merging(["X-Seen": route.name]), data: response.data,
            request: response.request, source: response.source)
    }
}
