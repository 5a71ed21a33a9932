package import Foundation

/// Decides which texts count as URLs.
@usableFromInline package enum URLText {
    /// The URL that a text represents, or nil for plain text. A text counts as a URL if it starts with a scheme and
    /// `://`: `https://api.example.com` is a URL, whereas `mailto:a@b` and `a: b` are plain text. A text with a
    /// character that a URL cannot contain is plain text too, such as the template `https://example.com/{id}`.
    package static func url(_ text: String) -> URL? { text.withBytes { isAbsolute($0) } ? absolute(text) : nil }

    /// Returns the URL that a text represents by RFC 3986, if the URL has a scheme, such as `mailto:a@b`. Returns nil
    /// for other text.
    ///
    /// This method checks the bytes itself, because `URL(string:)` is not a check: since iOS 17 and macOS 14, and on
    /// Linux, this initializer escapes characters that older systems reject.
    package static func absolute(_ text: String) -> URL? {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else { return nil }
        var rest = bytes[(colon + 1)...]
        if rest.begins(with: "//") {
            rest = rest.dropFirst(2)
            guard hasAuthority(rest) else { return nil }
            rest = rest.drop(while: isOfAuthority)
        }
        let fragment = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        guard isEscaped(rest[..<fragment]), isEscaped(rest[fragment...].dropFirst()) else { return nil }
        return URL(string: text)
    }

    /// True for text that starts with `scheme://`, as an absolute URL does (RFC 3986 section 4.3).
    // This function is inlinable, because every path is checked.
    @inlinable package static func isAbsolute(_ text: some Collection<UInt8>) -> Bool {
        guard let end = text.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }) else {
            return false
        }
        return text[end...].begins(with: "://") && isScheme(text[..<end])
    }

    /// True for the name of a scheme: letters, digits, `+`, `-` and `.`, starting with a letter (RFC 3986 section 3.1).
    @inlinable static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.first.map(\.isASCIILetter) == true
            && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0.isOne(of: "+-.") }
    }

    private static func isOfAuthority(_ byte: UInt8) -> Bool { !byte.isOne(of: "/?#") }

    /// True if a text begins with `user@host:port`, up to a `/`, `?` or `#`. The user and the port are optional
    /// (RFC 3986 section 3.2).
    package static func hasAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        let bytes = text.prefix(while: isOfAuthority)
        let at = bytes.firstIndex(of: UInt8(ascii: "@"))
        guard at.map({ isEscaped(bytes[..<$0]) }) ?? true else { return false }
        let place = bytes[(at.map { $0 + 1 } ?? bytes.startIndex)...]
        let port: ArraySlice<UInt8>
        if place.first == UInt8(ascii: "[") {
            let address = place.dropFirst().prefix { $0.isHexadecimalDigit || $0.isOne(of: ":.") }
            guard place[address.endIndex...].first == UInt8(ascii: "]") else { return false }
            port = place[(address.endIndex + 1)...]
        } else {
            let host = place.prefix { $0 != UInt8(ascii: ":") }
            guard !host.contains(UInt8(ascii: "@")), isEscaped(host) else { return false }
            port = place[host.endIndex...]
        }
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    /// True if the text consists of characters that need no escape, and of escapes such as `%20`.
    private static func isEscaped(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexadecimalDigit) else { return false }
                rest.removeFirst(2)
            } else if !isCharacter(byte) {
                return false
            }
        }
        return true
    }

    /// True for a character that a path or a query may contain (RFC 3986 sections 3.3 and 3.4). Every character that a
    /// host or a user may contain is one of these characters.
    package static func isCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-._~!$&'()*+,;=:@/?")
    }

    /// The text that is shown instead of a credential.
    static let placeholder = "<redacted>"

    /// A URL with ``placeholder`` in place of user information, which can contain a password. URLs in the path of the
    /// URL lose their user information too. Other text is returned unchanged.
    package static func hidingUserInfo(_ text: String) -> String {
        var (shown, rest) = ("", text[...])
        while let scheme = rest.firstRange(ofBytes: "://") {
            shown += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            guard let at = rest.prefix(before: "/?#").utf8.lastIndex(of: UInt8(ascii: "@")) else { continue }
            shown += placeholder
            rest = rest[at...]
        }
        return shown + rest
    }

    /// The position of a URL's user information (RFC 3986 section 3.2.1); nil for other text.
    package static func userInfo(of text: String) -> Range<String.Index>? {
        guard let authority = writtenAuthority(of: text) else { return nil }
        return authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.startIndex..<$0 }
    }

    private static func writtenAuthority(of text: String) -> Substring? {
        text.firstRange(ofBytes: "://").map { text[$0.upperBound...].prefix(before: "/?#") }
    }

    /// The host of an absolute URL, verbatim and with the brackets of an address; nil for other text.
    package static func host(of text: String) -> Substring? {
        guard let authority = writtenAuthority(of: text) else { return nil }
        let start = userInfo(of: text).map { text.utf8.index(after: $0.upperBound) } ?? authority.startIndex
        let place = authority[start...]
        guard let end = place.utf8.firstIndex(of: UInt8(ascii: "]")) else { return place.prefix(before: ":") }
        return place[...end]
    }

    /// Returns true for a host: a name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 section 3.2.2). An
    /// IPv6 address may have a zone (RFC 6874). Letters outside ASCII are allowed. Escapes are not allowed, because no
    /// server's name contains an escape.
    package static func isHost(_ text: Substring) -> Bool {
        guard text.utf8.first == UInt8(ascii: "[") else {
            return !text.isEmpty && text.utf8.allSatisfy { $0 >= 128 || isOfName($0) }
        }
        guard text.utf8.last == UInt8(ascii: "]") else { return false }
        let place = text.utf8.dropFirst().dropLast()
        let address = place.prefix { $0 != UInt8(ascii: "%") }
        let zone = place[address.endIndex...]
        var bytes = in6_addr()
        return inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &bytes) == 1
            && (zone.isEmpty
                || zone.count > 3 && zone.begins(with: "%25") && zone.dropFirst().allSatisfy(isOfName))
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-._~")
    }

    /// Converts escaped letters outside ASCII in the host to punycode. Foundation converts only raw letters, although
    /// both spellings mean the same name (RFC 3986 section 3.2.2).
    package static func resolvingHost(of url: URL) -> URL {
        let text = url.absoluteString
        guard let host = host(of: text), host.utf8.contains(UInt8(ascii: "%")),
            let name = String(host).removingPercentEncoding, isHost(name[...])
        else { return url }
        return URL(string: text[..<host.startIndex] + name + text[host.endIndex...]) ?? url
    }

    /// True for a host name or address of this machine: `localhost` (RFC 6761 section 6.3), `127.0.0.0/8` and `::1`.
    ///
    /// Names such as `api.localhost` do not count, although the RFC reserves them: the resolver of macOS sends them to
    /// its DNS server, whose answer can be any address.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        return ipv4(host).map { $0 >> 24 == 127 } ?? false
    }

    /// An IPv4 address as a number; nil for any other host.
    ///
    /// An address consists of four decimal numbers without leading zeros (RFC 3986 section 3.2.2). Other spellings,
    /// such as `127.1` and `127.-0.0.1`, count as names, which might be looked up on another machine.
    static func ipv4(_ host: String) -> UInt32? {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 ? UInt32(bigEndian: address.s_addr) : nil
    }

    /// Returns false for a URL with an invalid port, such as `99999`, which Foundation accepts. Returns true for a URL
    /// without a port.
    package static func hasValidPort(_ text: String) -> Bool {
        guard let authority = writtenAuthority(of: text) else { return true }
        // A colon in the user information or in an IPv6 address does not start a port.
        let host = authority.utf8.lastIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "]") }
        let place = authority[(host ?? authority.startIndex)...]
        guard let colon = place.utf8.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = Substring(place.utf8[colon...].dropFirst())
        // RFC 3986 section 3.2.3 allows an empty port.
        return port.isEmpty || UInt16(digits: port) ?? 0 > 0
    }
}
