package import Foundation

/// Decides which texts count as URLs.
package enum URLText {
    /// The URL that a text represents, or nil for plain text. A text counts as a URL if it starts with a scheme and
    /// `://`: `https://api.example.com` is a URL, whereas `mailto:a@b` and `a: b` are plain text.
    package static func url(_ text: String) -> URL? {
        guard let scheme = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[scheme...].starts(with: "://".utf8),
            text.utf8[..<scheme].first.map({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }) == true,
            let url = URL(string: text), url.scheme != nil
        else { return nil }
        return url
    }

    /// The text shown instead of a credential.
    package static let placeholder = "<redacted>"

    /// A URL with ``placeholder`` in place of its user information, which can contain a password. Other text is
    /// returned unchanged.
    package static func hidingUserInfo(_ text: String) -> String {
        var text = text
        if let range = userInfo(of: text) { text.replaceSubrange(range, with: placeholder) }
        return text
    }

    /// The position of a URL's user information (RFC 3986 section 3.2.1); nil for other text.
    package static func userInfo(of text: String) -> Range<String.Index>? {
        guard let scheme = text.range(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.lastIndex(of: "@").map { authority.startIndex..<$0 }
    }

    /// True for a host name or address of this machine: `localhost` (RFC 6761 section 6.3), `127.0.0.0/8` and `::1`.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        return ipv4(host).map { $0 >> 24 == 127 } ?? false
    }

    /// An IPv4 address as a number; nil for any other host.
    ///
    /// An address consists of four decimal numbers without leading zeros (RFC 3986 section 3.2.2). Other spellings,
    /// such as `127.1` and `127.-0.0.1`, count as names, which might be looked up on another machine.
    package static func ipv4(_ host: some StringProtocol) -> UInt32? {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4 else { return nil }
        var address: UInt32 = 0
        for text in numbers {
            guard let number = UInt8(text), "\(number)" == text else { return nil }
            address = address << 8 | UInt32(number)
        }
        return address
    }

    /// False when a URL contains an invalid port, such as `99999`, which Foundation accepts. True for a URL without a
    /// port.
    package static func hasValidPort(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(hasValidPort)
    }

    /// Like `hasValidPort` for a string, but takes the string's UTF-8 bytes.
    package static func hasValidPort(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let scheme = text.firstIndex(of: UInt8(ascii: ":")), text[scheme...].starts(with: "://".utf8) else {
            return true
        }
        let authority = text[(scheme + 3)...].prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        // A colon in the user information or in an IPv6 address does not start a port.
        let host = authority.lastIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "]") } ?? authority.startIndex
        guard let colon = authority[host...].lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = authority[(colon + 1)...]
        // RFC 3986 section 3.2.3 allows an empty port.
        return port.isEmpty
            || port.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                && (UInt16(String(decoding: port, as: UTF8.self)) ?? 0) > 0
    }
}
