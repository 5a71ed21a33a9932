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
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
            return byte < 128 && high & (1 << UInt64(byte & 63)) != 0
        }

        /// True when the text has no other bytes.
        @inline(__always)
        func containsAll(of text: String) -> Bool {
            text.withBytes { $0.allSatisfy(contains) }
        }
    }

    /// Safe in every part of a URL (RFC 3986 section 2.3).
    static let unreserved = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// What may stand in a path as it is (`pchar` and `/`, RFC 3986 section 3.3), without `%`.
    static let path = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/")

    /// What may stand in a whole URL reference (RFC 3986 section 4.1), without `%` and `#`.
    static let location = Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?[]")

    /// What may stand in a query as it is (RFC 3986 section 3.4), without `%`.
    static let query = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?")
}

extension [UInt8] {
    /// Appends text with every byte outside `allowed` escaped.
    @inline(__always)
    mutating func append(_ text: String, escapingAllBut allowed: PercentEncoding.Bytes) {
        text.withBytes { bytes in
            for byte in bytes {
                if allowed.contains(byte) { append(byte) } else { append(escaped: byte) }
            }
        }
    }

    /// Appends text that is already part of a URL: bytes outside `allowed` are escaped, `%41` stays, a `%` that starts
    /// no escape becomes `%25`.
    mutating func append(_ text: String, completingEscapes allowed: PercentEncoding.Bytes) {
        text.withBytes { bytes in
            for (index, byte) in bytes.enumerated() {
                let isEscape =
                    byte == UInt8(ascii: "%") && index + 2 < bytes.count
                    && bytes[index + 1].isHexadecimalDigit && bytes[index + 2].isHexadecimalDigit
                if allowed.contains(byte) || isEscape { append(byte) } else { append(escaped: byte) }
            }
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
