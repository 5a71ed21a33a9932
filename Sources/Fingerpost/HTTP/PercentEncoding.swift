/// Percent-encoding (RFC 3986 section 2), byte by byte into one buffer.
///
/// Written out here because Foundation's URL types either leave `+` alone or escape `%` twice, and because building
/// requests is what this library is for.
enum PercentEncoding {
    /// A set of ASCII bytes.
    struct Bytes: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        init(_ characters: StaticString) {
            characters.withUTF8Buffer { for byte in $0 { insert(byte) } }
        }

        private mutating func insert(_ byte: UInt8) {
            let bit = 1 &<< UInt64(byte & 63)
            if byte < 64 { low |= bit } else { high |= bit }
        }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            // A masking shift: the plain one handles shifts that cannot be here, at every byte.
            let bit = 1 &<< UInt64(byte & 63)
            return byte < 128 && (byte < 64 ? low : high) & bit != 0
        }

        /// True when the text has no other bytes.
        @inline(__always)
        func containsAll(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            for byte in bytes where !contains(byte) { return false }
            return true
        }

        /// True when the text has no other bytes.
        @inline(__always)
        func containsAll(of text: String) -> Bool {
            text.withBytes(containsAll)
        }
    }

    /// Safe in every part of a URL (RFC 3986 section 2.3).
    static let unreserved = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// What may stand up to the path of a URL as it is, without `%`: brackets only here, around an IPv6 address (RFC 3986
    /// section 3.2.2).
    static let authority = Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/[]")

    /// A name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 section 3.2.2).
    static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.utf8.dropFirst().dropLast().allSatisfy { unreserved.contains($0) || $0 == UInt8(ascii: ":") }
        }
        return !text.isEmpty && text.utf8.allSatisfy { unreserved.contains($0) || $0 >= 128 }
    }

    /// What may stand in a URL from its host on that has neither user, query nor fragment.
    static let hostAndPath = Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:/[]%")

    /// What text that is a path or a query already may contain as it is (RFC 3986 section 3.4), without `%`. Values that become part of
    /// a query are escaped further: see ``unreserved``, which leaves out `+`.
    static let writtenURL = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?")
}

extension [UInt8] {
    /// Appends text with every byte outside `allowed` escaped.
    @inline(__always)
    mutating func append(_ text: String, escapingAllBut allowed: PercentEncoding.Bytes) {
        append(text) { bytes, index in !allowed.contains(bytes[index]) }
    }

    /// Appends text that is already part of a URL: bytes outside `allowed` are escaped, `%41` stays, a `%` that starts
    /// no escape becomes `%25`.
    mutating func append(_ text: String, completingEscapes allowed: PercentEncoding.Bytes) {
        append(text) { bytes, index in
            if allowed.contains(bytes[index]) { return false }
            let isEscape =
                bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].isHexadecimalDigit && bytes[index + 2].isHexadecimalDigit
            return !isEscape
        }
    }

    /// What needs no escape is appended in one piece.
    @inline(__always)
    private mutating func append(
        _ text: String, escapingWhere needsEscape: (UnsafeBufferPointer<UInt8>, Int) -> Bool
    ) {
        text.withBytes { bytes in
            var start = bytes.startIndex
            for index in bytes.indices where needsEscape(bytes, index) {
                append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                append(escaped: bytes[index])
                start = index + 1
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    mutating func append(escaped byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexadecimalDigit)
        append((byte & 15).hexadecimalDigit)
    }

    @inline(__always)
    mutating func append(_ text: String) {
        text.withBytes { append(contentsOf: $0) }
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }

    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}
