import FingerpostBuilding
import FingerpostFiles

/// Which hosts nobody but developers can reach.
enum HostKind {
    /// Why users cannot reach a host, as the end of a sentence that begins with "which is"; nil for a public host.
    static func objection(to host: String) -> String? {
        if let address = URLText.address(of: host) { return objection(to: address) }
        let labels = labels(of: host)
        guard let top = labels.last, !top.isEmpty else { return nil }
        if top == "localhost" { return device }
        if let reserved = reserved[top] { return reserved }
        let second = labels.suffix(2).joined(separator: ".")
        if ["example.com", "example.net", "example.org"].contains(second) {
            return "a name that is reserved for documentation (RFC 2606)"
        }
        if second == "home.arpa" { return Self.localName }
        return labels.count == 1 ? "a name without a domain, which only a local network knows" : nil
    }

    /// Why users probably cannot reach a host without an objection, in the same words; nil for a public host.
    static func doubt(about host: String) -> String? {
        if let address = URLText.address(of: host) {
            // NAT64 (RFC 6052) puts the address of a server of IPv4 behind this prefix.
            let prefix = URLText.address(of: "64:ff9b::")?.prefix(12)
            return address.prefix(12) == prefix ? objection(to: URLText.mapped + address.suffix(4)) : nil
        }
        let labels = labels(of: host)
        guard let top = labels.last, labels.count > 1 else { return nil }
        if customary.contains(top) { return "a name that is used in local networks alone" }
        return services[labels.suffix(2).joined(separator: ".")]
    }

    private static func labels(of host: String) -> [String] {
        let name = host.lowercased()
        return (name.ends(with: ".") ? name.withoutEnd(".") : name).parts(between: ".").map(String.init)
    }

    /// Top levels that no authority has reserved, and that companies and routers use.
    private static let customary: Set = ["lan", "corp", "home", "intranet", "private", "localdomain"]

    /// Services that lead to a machine of a developer.
    private static let services: [String: String] = {
        let tunnels = [
            "ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev", "trycloudflare.com", "loca.lt",
            "localtunnel.me", "serveo.net", "localhost.run", "lhr.life", "pagekite.me", "devtunnels.ms", "bore.pub",
            "pinggy.link",
        ]
        let addresses = ["nip.io", "sslip.io", "xip.io", "lvh.me", "localtest.me"]
        return Dictionary(
            uniqueKeysWithValues: tunnels.map { ($0, "the name of a tunnel to a developer's machine") }
                + addresses.map { ($0, "a name for an address, which is for development") })
    }()

    private static let localName = "a name that only a local network knows"

    private static let reserved = [
        "local": localName, "internal": localName,
        "test": "a name that is reserved for tests (RFC 6761)",
        "example": "a name that is reserved for documentation (RFC 2606)",
        "invalid": "a name that never leads to a server (RFC 6761)",
    ]

    // MARK: Addresses

    private static let device = "the device that the app runs on"
    private static let privateNetwork = "an address of a private network"
    private static let noServer = "an address that no server on the internet has"

    /// The blocks of the IANA registries of special addresses for IPv4 and IPv6 (RFC 6890), with what their addresses
    /// are; nil for public ones. Blocks inside another one come before it. Public addresses of IPv6 are in `2000::/3`.
    private static let blocks: [(block: String, bits: Int, kind: String?)] = [
        ("0.0.0.0", 32, device), ("127.0.0.0", 8, device), ("::", 128, device), ("::1", 128, device),
        ("10.0.0.0", 8, privateNetwork), ("100.64.0.0", 10, privateNetwork), ("169.254.0.0", 16, privateNetwork),
        ("172.16.0.0", 12, privateNetwork), ("192.168.0.0", 16, privateNetwork), ("fc00::", 7, privateNetwork),
        ("fe80::", 9, privateNetwork), ("64:ff9b:1::", 48, privateNetwork),
        ("192.0.2.0", 24, documentation(5737)), ("198.51.100.0", 24, documentation(5737)),
        ("203.0.113.0", 24, documentation(5737)), ("2001:db8::", 32, documentation(3849)),
        ("3fff::", 20, documentation(9637)),
        ("192.0.0.9", 32, nil), ("192.0.0.10", 32, nil), ("192.0.0.0", 24, noServer), ("0.0.0.0", 8, noServer),
        ("192.88.99.0", 24, noServer), ("198.18.0.0", 15, noServer), ("224.0.0.0", 3, noServer), ("0.0.0.0", 0, nil),
        ("2001:1::1", 128, nil), ("2001:1::2", 127, nil), ("2001:3::", 32, nil), ("2001:4:112::", 48, nil),
        ("2001:20::", 27, nil), ("2001::", 23, noServer), ("2000::", 3, nil), ("64:ff9b::", 96, nil),
        ("::", 0, noServer),
    ]

    private static func documentation(_ rule: Int) -> String {
        "an address that is reserved for documentation (RFC \(rule))"
    }

    private static func objection(to address: [UInt8]) -> String? {
        // 6to4 (RFC 3056) leads to the machine whose IPv4 address is behind the prefix.
        if address.starts(with: [0x20, 0x02]) { return objection(to: URLText.mapped + address[2..<6]) }
        let block = blocks.first { block, bits, _ in
            guard let start = URLText.address(of: block) else { return false }
            let isIPv6 = block.utf8.contains(UInt8(ascii: ":"))
            return commonBits(address, start) >= (isIPv6 ? bits : bits + 8 * URLText.mapped.count)
        }
        return block?.kind
    }

    private static func commonBits(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let bytes = zip(one, other).prefix { $0 == $1 }.count
        return bytes == one.count ? 8 * bytes : 8 * bytes + (one[bytes] ^ other[bytes]).leadingZeroBitCount
    }
}
