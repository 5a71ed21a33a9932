import FingerpostFiles
import Foundation

/// The process variables that configure proxies. On Linux, `URLSession` obeys them by the rules of libcurl (lib/url.c
/// and lib/noproxy.c).
struct ProxyVariables {
    private let variable: (_ name: String) -> String?

    /// - Parameter value: the value of a variable; by default, of a variable of the process, as libcurl asks for it: a
    ///   copy of all variables would take longer than the rest of a request. An empty variable counts as not set.
    init(_ value: @escaping (_ name: String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        variable = { name in value(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// A host as `no_proxy` lists it: without the brackets of an IPv6 address.
    static func entry(for host: String) -> String { host.trimmingCharacters(in: ["[", "]"]) }

    /// The name of the variable that sets a proxy for a host; nil when calls to the host are direct.
    func name(for host: String, scheme: String) -> String? {
        let scheme = scheme.lowercased()
        // HTTP_PROXY is not obeyed, because CGI programs receive the request header `Proxy` in this variable.
        let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme.uppercased())_PROXY"])
        // Most processes have none of them, and every call of a test asks.
        guard let name = (names + ["all_proxy", "ALL_PROXY"]).first(where: { variable($0) != nil }) else { return nil }
        return isExempt(Self.entry(for: host).lowercased()) ? nil : name
    }

    private func isExempt(_ host: String) -> Bool {
        guard let exempt = variable("no_proxy") ?? variable("NO_PROXY") else { return false }
        // An asterisk exempts all hosts only if it is the whole value.
        if exempt == "*" { return true }
        let address = URLText.ipv4(host)
        let entries = exempt.lowercased().words(between: ", \t")
        return entries.contains { entry in
            if let address { return Self.isAddress(address, in: entry) }
            var name = String(entry)
            if name.ends(with: ".") { name = name.withoutEnd(".") }
            if !name.begins(with: ".") { name = "." + name }
            return name.utf8.count > 1 && ".\(host)".ends(with: name)
        }
    }

    /// True if an IPv4 address is the given address, or is in the given network, such as `127.0.0.0/8`.
    private static func isAddress(_ address: UInt32, in network: Substring) -> Bool {
        let (first, length) = network.cut(at: "/") ?? (network, "")
        guard let other = URLText.ipv4(String(first)) else { return false }
        // As with `atoi`, text after the digits is ignored, and a length without digits is 0.
        let text = Array(length.utf8)
        let sign = text.prefix(1).filter { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        let digits = text.dropFirst(sign.count).prefix(while: \.isASCIIDigit)
        guard let length = digits.isEmpty ? 0 : Int(String(decoding: sign + digits, as: UTF8.self)), 0...32 ~= length
        else { return false }
        // A length of 0 counts as no length.
        return length == 0 ? address == other : (address ^ other) >> (32 - length) == 0
    }
}
