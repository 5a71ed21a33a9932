/// The syntax rules for methods and header fields (RFC 9110). They are inlinable because every request is checked.
@usableFromInline package enum HTTPSyntax {
    /// True if the text is a token (section 5.6.2). Methods and header names must be tokens.
    @inlinable package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.withBytes { $0.allSatisfy(isTokenByte) }
    }

    @inlinable static func isTokenByte(_ byte: UInt8) -> Bool {
        if byte.isASCIILetter || byte.isASCIIDigit { return true }
        return switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// True if the text can be sent as a header value, because it contains no CR, LF or NUL (section 5.5).
    @inlinable package static func isFieldValue(_ text: String) -> Bool {
        text.withBytes { $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
    }

    /// The statuses of responses (section 15).
    package static let statuses = 100...599
}

extension Int {
    /// True for a successful HTTP status, 2xx (RFC 9110 section 15.3).
    package var isSuccessStatus: Bool { (200..<300).contains(self) }
}
