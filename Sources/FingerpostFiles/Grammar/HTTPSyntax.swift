import Foundation

/// The syntax rules for methods and header fields (RFC 9110). The rules are inlinable, because every request is
/// checked.
@usableFromInline package enum HTTPSyntax {
    /// True if the text is a token (section 5.6.2). Methods and header names must be tokens.
    @inlinable package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.withBytes { $0.allSatisfy(isTokenByte) }
    }

    @inlinable static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "!#$%&'*+-.^_`|~")
    }

    /// True if the text can be sent as a header value, that is, if it contains no CR, LF or NUL (section 5.5).
    @inlinable package static func isFieldValue(_ text: String) -> Bool {
        text.withBytes { $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
    }

    /// Returns the members of a comma-separated list. Commas inside quotes do not separate members (section 5.6.1).
    static func members(of list: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return list[...].split(keepsEmpty: true) { byte in
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            return byte == UInt8(ascii: ",") && !isQuoted
        }
    }

    /// Removes the next parameter, such as `; rel="next"`, from the text of a field's value (section 5.6.6). Returns
    /// the name in lower case, and the value. A parameter may have no value.
    ///
    /// - Returns: nil if no parameter follows. The text is then unchanged, even if the text contains an unclosed quote.
    package static func parameter(in rest: inout Substring) -> (name: String, value: String?)? {
        var text = rest.without(leading: " \t")
        guard text.utf8.first == UInt8(ascii: ";") else { return nil }
        text = Substring(text.utf8.dropFirst()).without(leading: " \t")
        let name = text.prefix(before: "=;,")
        text = text[name.endIndex...]
        let key = name.trimmingCharacters(in: .whitespaces).lowercased()
        guard text.utf8.first == UInt8(ascii: "=") else {
            rest = text
            return (key, nil)
        }
        text = Substring(text.utf8.dropFirst()).without(leading: " \t")
        guard text.utf8.first == UInt8(ascii: "\"") else {
            let value = text.prefix(before: ";,")
            rest = text[value.endIndex...]
            return (key, value.trimmingCharacters(in: .whitespaces))
        }
        var (bytes, value): (Substring.UTF8View, [UInt8]) = (text.utf8.dropFirst(), [])
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\"") {
                rest = Substring(bytes)
                return (key, String(decoding: value, as: UTF8.self))
            }
            value.append(byte == UInt8(ascii: "\\") ? bytes.popFirst() ?? byte : byte)
        }
        return nil
    }
}

extension Int {
    /// True for a successful HTTP status, 2xx (RFC 9110 section 15.3).
    package var isSuccessStatus: Bool { (200..<300).contains(self) }
}
