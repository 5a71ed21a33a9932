import FingerpostBuilding
import FingerpostFiles

/// Which hosts nobody but developers can reach.
enum HostKind {
    /// Why users cannot reach a host, as the end of a sentence that begins with "which is"; nil for a public host.
    static func objection(to host: String) -> String? {
        if let address = URLText.address(of: host) { return objection(to: address) }
        let name = host.lowercased()
        let labels = (name.ends(with: ".") ? name.withoutEnd(".") : name).parts(between: ".").map(String.init)
        guard let top = labels.last, !top.isEmpty else { return nil }
        if let reserved = reserved[top] ?? reserved[labels.suffix(2).joined(separator: ".")] { return reserved }
        return labels.count == 1 ? "a name without a domain, which only a local network knows" : nil
    }

    private static let device = "the device that the app runs on"
    private static let localName = "a name that only a local network knows"
    private static let documentation = "a name that is reserved for documentation (RFC 2606)"

    private static let reserved = [
        "localhost": device, "local": localName, "internal": localName, "home.arpa": localName,
        "test": "a name that is reserved for tests (RFC 6761)",
        "invalid": "a name that never leads to a server (RFC 6761)",
        "example": documentation, "example.com": documentation, "example.net": documentation,
        "example.org": documentation,
    ]

    /// - Parameter address: 16 bytes. The last four are those of an IPv4 address if the others say so.
    private static func objection(to address: [UInt8]) -> String? {
        if address.dropLast().allSatisfy({ $0 == 0 }) { return device }
        let isIPv4 = address.starts(with: URLText.mapped)
        return switch isIPv4 ? (address[12], address[13]) : (address[0], address[1]) {
        case (0, _) where isIPv4, (127, _) where isIPv4: device
        case (10, _) where isIPv4, (172, 16...31) where isIPv4, (192, 168) where isIPv4, (169, 254) where isIPv4,
            (0xFC...0xFD, _) where !isIPv4, (0xFE, 0x80...0xFF) where !isIPv4:
            "an address of a private network"
        default: nil
        }
    }
}
