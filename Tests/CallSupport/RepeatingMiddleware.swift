/// Sends each request several times.
package struct RepeatingMiddleware: Middleware {
    package var count: Int
    /// Receives each response but the last one.
    package var between: @Sendable (Response<Data>) throws -> Void
    /// Runs before the first request.
    package var first: @Sendable (URLRequest) throws -> Void

    package init(
        count: Int = 2, between: @escaping @Sendable (Response<Data>) throws -> Void = { _ in },
        first: @escaping @Sendable (URLRequest) throws -> Void = { _ in }
    ) {
        (self.count, self.between, self.first) = (count, between, first)
    }

    package func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try first(request)
        for _ in 1..<count { try await between(next(request)) }
        return try await next(request)
    }
}
