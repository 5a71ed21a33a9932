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
        return end != path.startIndex && path[end...].starts(with: "://".utf8)
    }
}
