import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Lets the calls of tests that have no scope reach servers on this machine, and no others.
struct LoopbackTransport: Transport {
    let transport: any Transport

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        guard let url = request.url, let host = url.host, URLText.isLoopback(host) else { throw APIError.unscoped }
        #if canImport(FoundationNetworking)
            if let variable = ProxyVariables().name(for: host, scheme: url.scheme ?? "http") {
                throw APIError(
                    .mock, "\(variable) would lead the call over a proxy and off this machine, so it was not sent",
                    fix: "set the process variable no_proxy=\(host)")
            }
        #endif
        return try await transport.send(request, for: route)
    }
}

extension APIError {
    /// For a call in a test process that no scope covers.
    static let unscoped = APIError(
        .mock,
        """
        this is a test process, and the call has no scope, so it was not sent. A test that should be answered by mocks lacks a trait, or \
        the call comes from Task.detached, a Dispatch queue or a delegate, which do not inherit the scope of the test
        """,
        fix: """
            give the test or its suite the trait .mocks (or .network(.live) with .environment(…) to reach a server); elsewhere make the \
            client inside the test, or keep `let scope = APIScope.current` and wrap the work in `scope?.run { … }`
            """)

    /// For a call in the scope of a test that has ended.
    static let late = APIError(
        .mock, "the test that the call belongs to has ended, so it was not sent",
        fix: "await the call in the test, or cancel it and await that")
}
