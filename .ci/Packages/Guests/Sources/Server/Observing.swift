import Fingerpost
import Foundation
import Logging

struct TraceParent: Middleware {
    @TaskLocal static var current: String?

    func intercept(
        _ request: URLRequest, for route: Route, next: Next
    ) async throws -> Response<Data> {
        var request = request
        request.setValue(
            Self.current, forHTTPHeaderField: "traceparent")
        return try await next(request)
    }
}

func makeClient() throws -> APIClient {
    let logger = Logger(label: "api")
    return try APIClient {
        $0.observers = [CallLogger { logger.info("\($0)") }]
        $0.middleware = [TraceParent()]
        $0.maximumCallsPerHost = 64
    }
}
