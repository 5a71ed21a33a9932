/// Middleware that runs a test's closure.
package struct ClosureMiddleware: Middleware {
    private let run: @Sendable (URLRequest, Route, Next) async throws -> Response<Data>

    package init(_ run: @escaping @Sendable (URLRequest, Route, Next) async throws -> Response<Data>) {
        self.run = run
    }

    package func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try await run(request, route, next)
    }
}
