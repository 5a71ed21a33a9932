/// The rules of RFC 9110 and RFC 3986 that requests are checked against.
enum HTTPSyntax {
    private static let tokenBytes = PercentEncoding.Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")

    /// A token (RFC 9110 section 5.6.2): what methods and header names are made of.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && tokenBytes.containsAll(of: text)
    }

    /// No CR, LF or NUL (RFC 9110 section 5.5).
    static func isFieldValue(_ text: String) -> Bool {
        text.withBytes { $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
    }

    /// Fields that say where a message starts and ends, or where it goes: setting them by hand can smuggle a second
    /// request (RFC 9112 section 11.2).
    static func isReserved(_ name: HTTPHeaders.Name) -> Bool {
        switch name.rawValue.utf8.count {
        case 4: name == .host
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }

    /// `scheme://…` (RFC 3986 section 4.3).
    static func isAbsolute(_ path: some Collection<UInt8>) -> Bool {
        guard let end = path.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }) else {
            return false
        }
        return end != path.startIndex && path[end...].starts(with: "://".utf8)
    }

    /// Text from elsewhere in an error message: in quotes, with control characters made visible.
    static func quoted(_ text: String) -> String {
        "\"\(printable(text))\""
    }

    /// Text with control characters made visible, so that it cannot steer a terminal or start another line of a log.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return text.unicodeScalars.map {
            $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0)
        }
        .joined()
    }
}
