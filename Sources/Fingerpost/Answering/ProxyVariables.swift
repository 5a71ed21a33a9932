import Foundation

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
