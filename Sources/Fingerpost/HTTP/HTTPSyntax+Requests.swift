import FingerpostFiles

extension HTTPSyntax {
    /// True for the fields that set the message's length or its host. A request could smuggle in a second request if an
    /// app set these fields by hand (RFC 9112 section 11.2).
    static func isReserved(_ name: HTTPHeaders.Name) -> Bool {
        switch name.rawValue.utf8.count {
        case 4: name == .host
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }

    /// True for an absolute URL, which starts with `scheme://` (RFC 3986 section 4.3).
    static func isAbsolute(_ path: some Collection<UInt8>) -> Bool {
        guard let end = path.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }) else {
            return false
        }
        return path[end] == UInt8(ascii: ":") && path[end...].starts(with: "://".utf8) && isScheme(path[..<end])
    }

    /// True for the scheme of a URL: letters, digits, `+`, `-` and `.`, starting with a letter (RFC 3986 section 3.1).
    static func isScheme(_ text: some Collection<UInt8>) -> Bool {
        let isLetter = { (byte: UInt8) in UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        return text.first.map(isLetter) == true
            && text.allSatisfy { byte in
                isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }
}
