import FingerpostFiles
import Foundation

/// Keeps the calls of tests on this machine. Calls may go to other machines only if the test's scope names an
/// environment that is not sealed.
enum LoopbackGuard {
    /// - Throws: ``APIError`` of the kind `mock` for a request that must not leave this machine.
    static func check(_ request: URLRequest, for route: Route) throws(APIError) {
        guard TestProcess.isCurrent else { return }
        let scope = APIScope.current
        guard let refusal = refusal(in: scope) else { return }
        guard let url = request.url, let host = url.host, URLText.isLoopback(host) else {
            // If there is a scope, the scope's test fails anyway, so no report is needed: see ``CallRecord``.
            if scope == nil { TestProcess.report(refusal, for: route) }
            throw refusal
        }
        #if canImport(FoundationNetworking)
            if let refusal = Self.refusal(ofProxyFor: host, { getenv($0).map { String(cString: $0) } }) {
                throw refusal
            }
        #endif
    }

    /// The error for a call that may go through a proxy, although its URL names this machine. The value is nil if no
    /// environment variable sets a proxy, or if `no_proxy` is `*` or lists the host. On Linux, `URLSession` obeys these
    /// variables.
    ///
    /// - Parameter value: returns the value of one variable. Copying all variables would take longer than a request.
    static func refusal(ofProxyFor host: String, _ value: (_ variable: String) -> String?) -> APIError? {
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard let name = variables.first(where: { value($0)?.isEmpty == false }) else { return nil }
        let exempt = value("no_proxy") ?? value("NO_PROXY") ?? ""
        let host = host.trimmingCharacters(in: ["[", "]"]).lowercased()
        if exempt == "*" || exempt.lowercased().words(between: ", \t").contains(Substring(host)) { return nil }
        return APIError(
            .mock, "the environment variable \(name) may lead the test's call to another machine; nothing was sent",
            fix: "unset it, or set no_proxy=\(host)")
    }

    /// The error for a request to another machine; nil if the scope permits such requests.
    private static func refusal(in scope: APIScope?) -> APIError? {
        guard let scope else { return .unscoped }
        if Environment.Network.strictest(scope.environment, scope) == .sealed { return .sealedTest }
        return scope.environment.map { $0.contents.isGuess } ?? true ? .unnamed : nil
    }
}

extension APIError {
    /// The error for a call without a scope in a test process.
    static let unscoped = APIError(
        .mock,
        "the call has no scope in a test process, so it was not sent",
        fix: """
            give the test or its suite the trait .mocks. A call from Task.detached, a Dispatch queue or a delegate does \
            not inherit it: create the client inside the test, or run the work in its APIScope.current. If both are so, \
            there are two copies of the library: link Fingerpost into one module of the app only, and FingerpostTesting \
            into its test target only. If that module is a framework, add it to Link Binary With Libraries of the \
            test target too
            """)

    /// The error for a request to another machine, if a sealed test sends this request without a client.
    static let sealedTest = APIError(
        .mock, "the test is sealed, so its requests reach only this machine; nothing was sent",
        fix: "send a route that has a mock, or call a server with .network(.live) and .environment(…)")

    /// The error for a live call in a test that does not name the environment.
    static let unnamed = APIError(
        .mock,
        """
        the test does not name the environment whose servers it calls, so its requests reach only this machine; \
        nothing was sent
        """,
        fix: "add the trait .environment(…), pass an environment to the scope, or set APP_ENVIRONMENT")

    /// The error for a call in the scope of a test that has ended.
    static let late = APIError(
        .mock, "the call belongs to a test that has ended, so it was not sent",
        fix: "await the call in the test, or cancel it and await its end")
}

extension TestProcess {
    /// Makes the test run fail because of a call that belongs to no running test. Without this report, the error of the
    /// call could remain unnoticed.
    ///
    /// - Parameter environment: the environment whose secrets are removed from the report.
    static func report(_ error: APIError, for route: Route, in environment: Environment? = nil) {
        let message = CallSecrets(environment).hide("\(route.name): \(error.message)")
        StandardError.warn(message)
        reporter?.report(message + (error.fix.map { ". Fix: \($0)" } ?? ""))
    }
}
