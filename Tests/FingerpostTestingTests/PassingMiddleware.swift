/// Changes nothing.
struct PassingMiddleware: Middleware {
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try await next(request)
    }
}
