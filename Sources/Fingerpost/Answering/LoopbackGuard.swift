import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps the calls of tests on this machine, unless the test's scope sets an environment or a network.
enum LoopbackGuard {
    /// - Throws: ``APIError`` of the kind `mock` for a request that must not leave this machine.
    static func check(_ request: URLRequest) throws(APIError) {
        guard TestProcess.isCurrent else { return }
        let scope = APIScope.current
        if scope?.network != nil || scope?.environment != nil { return }
        guard let url = request.url, let host = url.host, URLText.isLoopback(host) else { throw .unscoped }
        #if canImport(FoundationNetworking)
            if let variable = ProxyVariables().name(for: host, scheme: url.scheme ?? "http") {
                throw APIError(
                    .mock, "\(variable) routes the call through a proxy, off this machine; nothing was sent",
                    fix: "set the process variable no_proxy=\(host)")
            }
        #endif
    }
}

/// The process variables that configure proxies. On Linux, `URLSession` obeys them.
struct ProxyVariables {
    private let variables: [String: String]

    /// - Parameter variables: the environment variables; those of the process by default.
    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables
    }

    /// The name of the variable that sets a proxy for a host; nil when calls to the host are direct.
    func name(for host: String, scheme: String) -> String? {
        let names = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let name = (names + ["all_proxy", "ALL_PROXY"]).first { variables[$0]?.isEmpty == false }
        return isExempt(host) ? nil : name
    }

    private func isExempt(_ host: String) -> Bool {
        let exempt = (variables["no_proxy"] ?? variables["NO_PROXY"] ?? "").lowercased()
        let host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        return exempt.split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }
            return entry == "*" || host == name || host.hasSuffix("." + name)
        }
    }
}

extension APIError {
    /// The error for a call without a scope in a test process.
    static let unscoped = APIError(
        .mock,
        """
        the call has no scope in a test process, so it was not sent. Either the test lacks a trait, or the call comes \
        from Task.detached, a Dispatch queue or a delegate, which do not inherit the test's scope
        """,
        fix: """
            give the test or its suite the trait .mocks (or .network(.live) with .environment(…) to reach a server). \
            For calls from elsewhere create the client inside the test, or keep `let scope = APIScope.current` and \
            wrap the work in `scope?.run { … }`. If the test does have the trait, its process contains two copies of \
            the library: link Fingerpost into the app only, and FingerpostTesting into its test target only
            """)

    /// The error for a call in the scope of a test that has ended.
    static let late = APIError(
        .mock, "the call belongs to a test that has ended, so it was not sent",
        fix: "await the call in the test, or cancel it and await its end")
}
