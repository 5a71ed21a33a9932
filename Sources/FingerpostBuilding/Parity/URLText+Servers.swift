package import FingerpostFiles
import Foundation

extension URLText {
    /// The URL's host in one spelling, followed by the port if it is not the default one; nil if the text is not a URL
    /// with a host. It is the same for all spellings of a server.
    package static func authority(of text: String) -> String? {
        guard let url = url(text), let host = url.host, !host.isEmpty else { return nil }
        let isDefault =
            switch url.scheme?.lowercased() {
            case "https", "wss": url.port == 443
            case "http", "ws": url.port == 80
            default: false
            }
        return name(of: host) + (isDefault ? "" : url.port.map { ":\($0)" } ?? "")
    }

    /// A host in one spelling: a name in lowercase, without the dot at its end that says that it is complete, or an
    /// address as RFC 5952 writes it.
    private static func name(of host: String) -> String {
        guard var address = address(of: host) else {
            let name = host.lowercased()
            return name.ends(with: ".") ? name.withoutEnd(".") : name
        }
        if address.starts(with: mapped) { return address.suffix(4).map { "\($0)" }.joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return "[\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))]"
    }

    /// The 16 bytes of the address that the system reads in a host; nil for a name. It also reads spellings such as
    /// `127.1` and `0x7f000001`. An IPv4 address has the bytes of `::ffff:127.0.0.1`.
    package static func address(of host: String) -> [UInt8]? {
        let name = host.ends(with: ".") ? host.withoutEnd(".") : host
        var (address, short) = (in6_addr(), in_addr())
        if name.utf8.contains(UInt8(ascii: ":")) {
            let text = name.begins(with: "[") ? String(name.dropFirst().prefix(before: "]%")) : name
            return inet_pton(AF_INET6, text, &address) == 1 ? withUnsafeBytes(of: &address) { Array($0) } : nil
        }
        // The function ignores what follows a space.
        guard name.utf8.first?.isASCIIDigit == true,
            name.utf8.allSatisfy({ $0.isHexadecimalDigit || "xX.".utf8.contains($0) }), inet_aton(name, &short) != 0
        else { return nil }
        return mapped + withUnsafeBytes(of: &short.s_addr) { Array($0) }
    }

    /// The first bytes of an IPv4 address in IPv6 (RFC 4291 section 2.5.5.2).
    package static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// True if a request to the URL cannot reach a real server, because its host is a loopback address or a host name
    /// that RFC 2606 reserves (`.invalid`, `.test`, `.example`, `.localhost`).
    static func staysHere(_ text: String) -> Bool {
        guard let host = URL(string: text)?.host else { return true }
        let name = name(of: host)
        if isLoopback(name) || name == "0.0.0.0" || name == "invalid" { return true }
        return [".invalid", ".test", ".example", ".localhost"].contains(where: name.hasSuffix)
    }
}
