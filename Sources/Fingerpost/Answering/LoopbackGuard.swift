import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps the calls of tests on this machine, unless the test's scope lets them out by an environment or a network of its own.
enum LoopbackGuard {
    /// - Throws: ``APIError`` of the kind `mock` for a request that would leave this machine without leave.
    static func check(_ request: URLRequest) throws(APIError) {
        guard TestProcess.isCurrent else { return }
        let scope = APIScope.current
        if scope?.network != nil || scope?.environment != nil { return }
        guard let url = request.url, let host = url.host, URLText.isLoopback(host) else { throw .unscoped }
        #if canImport(FoundationNetworking)
            if let variable = ProxyVariables().name(for: host, scheme: url.scheme ?? "http") {
                throw APIError(
                    .mock, "\(variable) would lead the call over a proxy and off this machine, so it was not sent",
                    fix: "set the process variable no_proxy=\(host)")
            }
        #endif
    }
}

/// What the process variables say of proxies, which on Linux `URLSession` follows.
struct ProxyVariables {
    private let variables: [String: String]

    /// - Parameter variables: those of the process by default.
    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables
    }

    /// The variable that leads calls to a host over a proxy; nil where they go straight.
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
