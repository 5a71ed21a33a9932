import FingerpostFiles

/// What JSON, XML, a URL or a program's text contains in place of a character.
struct Escape {
    /// The bytes of the character, the first of them in the lowest bits.
    let bytes: UInt32
    /// The offset after the escape.
    let end: Int

    /// The bytes with which an escape begins. A plus is a space in forms.
    static let starts = Array("\\&%".utf8)
    static let space = UInt8(ascii: "+")

    /// The escape at an offset; nil if there is none. In UTF-16, zeros are between its characters.
    init?(at offset: Int, in text: UnsafeRawBufferPointer) {
        var rest = Rest(text: text, offset: offset + 1)
        let bytes: UInt32? =
            switch text[offset] {
            case UInt8(ascii: "\\"): Self.afterBackslash(&rest)
            case UInt8(ascii: "&"): Self.reference(&rest)
            // A byte of a character.
            case UInt8(ascii: "%"): rest.number(digits: 2)
            case Self.space: 0x20
            default: nil
            }
        guard let bytes else { return nil }
        self.bytes = bytes
        end = rest.offset
    }

    /// The escapes of JSON (RFC 8259 section 7), and those of JavaScript and property lists.
    private static func afterBackslash(_ rest: inout Rest) -> UInt32? {
        switch rest.next() {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "x"): return rest.number(digits: 2).flatMap(utf8)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            guard let unit = rest.number(digits: 4) else { return nil }
            guard 0xD800..<0xDC00 ~= unit else { return utf8(unit) }
            guard rest.next() == UInt8(ascii: "\\"), rest.next() == UInt8(ascii: "u"), let low = rest.number(digits: 4),
                0xDC00..<0xE000 ~= low
            else { return nil }
            return utf8(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        // The line goes on.
        case let end? where end == 0x0A || end == 0x0D: return UInt32(end)
        case let mark? where 0x21..<0x7F ~= mark && !mark.isASCIILetter && !mark.isASCIIDigit: return UInt32(mark)
        default: return nil
        }
    }

    /// A character or entity reference (XML 1.0 section 4.1).
    private static func reference(_ rest: inout Rest) -> UInt32? {
        var name = ""
        while let byte = rest.next(), byte != UInt8(ascii: ";") {
            guard byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "#"), name.utf8.count < 10 else {
                return nil
            }
            name.unicodeScalars.append(Unicode.Scalar(byte))
        }
        if let character = entities[name] { return character }
        let digits = name.lowercased()
        if digits.begins(with: "#x") { return UInt32(digits.dropFirst(2), radix: 16).flatMap(utf8) }
        return digits.begins(with: "#") ? UInt32(digits.dropFirst()).flatMap(utf8) : nil
    }

    private static let entities: [String: UInt32] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

    private static func utf8(_ code: UInt32) -> UInt32? {
        if code < 0x80 { return code }
        return Unicode.Scalar(code).map { String($0).utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters of a text from an offset on.
    private struct Rest {
        let text: UnsafeRawBufferPointer
        var offset: Int

        mutating func next() -> UInt8? {
            var place = offset
            // UTF-32 has three zeros between two characters.
            while place < text.count, place < offset + 3, text[place] == 0 { place += 1 }
            guard place < text.count else { return nil }
            offset = place + 1
            return text[place]
        }

        mutating func number(digits: Int) -> UInt32? {
            var number: UInt32 = 0
            for _ in 0..<digits {
                guard let byte = next(), byte.isHexadecimalDigit else { return nil }
                number = number << 4 | UInt32(byte.isASCIIDigit ? byte & 0xF : byte & 0xF + 9)
            }
            return number
        }
    }
}
