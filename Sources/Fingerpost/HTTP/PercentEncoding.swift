import FingerpostFiles

/// Percent-encodes text (RFC 3986 section 2.1), byte by byte, into one buffer.
///
/// This library has its own implementation because Foundation's URL types either leave `+` unescaped or escape `%`
/// twice. The implementation must also be fast, because it runs for every request.
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
            // The masking shift `&<<` avoids the overflow handling of `<<` on every byte.
            let bit = 1 &<< UInt64(byte & 63)
            return byte < 128 && (byte < 64 ? low : high) & bit != 0
        }

        /// True if every byte of the text is in this set.
        @inline(__always)
        func containsAll(of bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.allSatisfy { contains($0) } }
    }

    /// Bytes that need no escaping in any part of a URL (RFC 3986 section 2.3).
    static let unreserved = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The unreserved bytes and the space, because a form writes a space as `+`.
    static let unescapedInForms = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~ ")

    /// Bytes, except `%`, that need no escape in the host and the path of a URL.
    static let hostAndPath = Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=/")

    /// Bytes, except `%`, that are left unescaped in text that is already a URL, a path or a query (RFC 3986 section
    /// 3.4). In values inserted into a query, only ``unreserved`` bytes are left unescaped, so `+` is escaped.
    static let writtenURL = Bytes(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#[]")

    /// Bytes of ``writtenURL`` that have a meaning only in an absolute URL: the start of the fragment, and the brackets
    /// around an IPv6 address. In a path, these bytes are escaped.
    static let keptInText = Bytes("#[]")
}

extension [UInt8] {
    /// Appends text and escapes every byte outside `allowed`.
    @inline(never)
    mutating func append(_ text: String, escapingAllBut allowed: PercentEncoding.Bytes) {
        append(text) { bytes, index in !allowed.contains(bytes[index]) }
    }

    /// Appends text that may already contain escapes. Bytes outside of ``PercentEncoding/writtenURL`` are escaped,
    /// existing escapes such as `%41` are kept, and a `%` that does not start an escape becomes `%25`.
    mutating func append(completingEscapesOf text: String) {
        append(text) { bytes, index in
            if PercentEncoding.writtenURL.contains(bytes[index]) { return false }
            let isEscape =
                bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].isHexadecimalDigit && bytes[index + 2].isHexadecimalDigit
            return !isEscape
        }
    }

    /// Appends text and escapes the bytes for which `needsEscape` returns true. Consecutive bytes that need no escaping
    /// are copied together.
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

    mutating func append(_ text: String) { text.withBytes { append(contentsOf: $0) } }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}
