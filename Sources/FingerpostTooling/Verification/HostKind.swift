import FingerpostFiles
import Foundation

/// Which hosts nobody but developers can reach.
enum HostKind {
    /// Why users cannot reach a host, as the end of a sentence that begins with "which is"; nil for a public host.
    static func objection(to host: String) -> String? {
        let name = name(host)
        if let address = address(name) { return objection(to: address) }
        if let bytes = ipv6(name) { return objection(to: bytes) }
        let labels = name.parts(between: ".").map(String.init)
        guard let top = labels.last, !top.isEmpty else { return nil }
        if name == "localhost" || top == "localhost" { return "the device that the app runs on" }
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
        let name = name(host)
        // NAT64 (RFC 6052) puts the address of a server of IPv4 behind this prefix.
        if let bytes = ipv6(name) {
            return bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) ? objection(toLast: bytes) : nil
        }
        let labels = name.parts(between: ".").map(String.init)
        guard let top = labels.last, labels.count > 1 else { return nil }
        if customary.contains(top) { return "a name that is used in local networks alone" }
        return services[labels.suffix(2).joined(separator: ".")]
    }

    private static func name(_ host: String) -> String {
        let name = host.lowercased()
        return name.ends(with: ".") ? name.withoutEnd(".") : name
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

    /// The address that the system reads in a host. It also reads spellings such as `127.1` and `0x7f000001`.
    private static func address(_ host: String) -> UInt32? {
        if let address = URLText.ipv4(host) { return address }
        guard host.utf8.first?.isASCIIDigit == true,
            host.utf8.allSatisfy({ $0.isHexadecimalDigit || "x.".utf8.contains($0) })
        else { return nil }
        var address = in_addr()
        return inet_aton(host, &address) == 0 ? nil : UInt32(bigEndian: address.s_addr)
    }

    private static func ipv6(_ host: String) -> [UInt8]? {
        let text = host.begins(with: "[") ? String(host.dropFirst().prefix(before: "]%")) : host
        guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1 ? withUnsafeBytes(of: &address) { Array($0) } : nil
    }

    private static func objection(to address: UInt32) -> String? {
        /// True if the first bits of the address are those of a block.
        func isIn(_ block: UInt32, _ bits: UInt32) -> Bool { (address ^ block) >> (32 - bits) == 0 }
        if address == 0 || isIn(0x7F00_0000, 8) { return "the device that the app runs on" }
        if isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16) { return privateAddress }
        if isIn(0xA9FE_0000, 16) || isIn(0x6440_0000, 10) { return privateAddress }
        let documentation: [UInt32] = [0xC000_0200, 0xC633_6400, 0xCB00_7100]
        return documentation.contains { isIn($0, 24) }
            ? "an address that is reserved for documentation (RFC 5737)" : nil
    }

    /// The objection to the IPv4 address at the end of another.
    private static func objection(toLast address: [UInt8]) -> String? {
        objection(to: address.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    private static let privateAddress = "an address of a private network"

    private static func objection(to address: [UInt8]) -> String? {
        let isMapped = address.prefix(10).allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
        if isMapped { return objection(toLast: address) }
        if address.prefix(15).allSatisfy({ $0 == 0 }), address[15] <= 1 { return "the device that the app runs on" }
        if address[0] & 0xFE == 0xFC || address[0] == 0xFE && address[1] & 0xC0 == 0x80 { return privateAddress }
        let documentation: [UInt8] = [0x20, 0x01, 0x0D, 0xB8]
        return address.starts(with: documentation) ? "an address that is reserved for documentation (RFC 3849)" : nil
    }
}
