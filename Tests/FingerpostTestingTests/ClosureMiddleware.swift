/// Middleware of one test.
struct ClosureMiddleware: Middleware {
    let run: @Sendable (URLRequest, Route, Next) async throws -> Response<Data>

    static let passing = ClosureMiddleware { request, _, next in try await next(request) }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try await run(request, route, next)
    }
}
