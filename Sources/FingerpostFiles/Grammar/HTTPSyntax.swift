/// The syntax rules for methods and header fields (RFC 9110). They are inlinable because every request is checked.
@usableFromInline package enum HTTPSyntax {
    /// True if the text is a token (section 5.6.2). Methods and header names must be tokens.
    @inlinable package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.withBytes { $0.allSatisfy(isTokenByte) }
    }

    /// The problem with a method in lower case, or with a registered one in another case (section 9.1): Foundation
    /// sends some of them in upper case and others as they are. Nil for any other.
    package static func problem(ofMethod name: String) -> FileProblem? {
        guard name.utf8.contains(where: { $0 >= UInt8(ascii: "a") && $0.isASCIILetter }) else { return nil }
        let upper = name.uppercased()
        guard registered.contains(upper) || name.isSame(as: name.lowercased()) else { return nil }
        return FileProblem("methods are case-sensitive, and servers do not know \"\(name)\"", fix: "write \(upper)")
    }

    private static let registered: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]

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
