import FingerpostFiles

/// Finds values that no call knows, in texts of any form, by the names before them: what follows `token=`, `password: `
/// or `"apiKey": `, and the user information of URLs.
package enum NamedValues {
    /// The text with `<redacted>` in place of each value whose name is that of a credential.
    package static func hidden(in text: String) -> String {
        text.replacing(places(in: Array(text.utf8)).map { ($0, SensitiveName.placeholder) })
    }

    /// The values whose names are those of credentials, without the signs of numbers.
    static func found(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return places(in: bytes).map { String(decoding: bytes[$0].drop { $0 == UInt8(ascii: "-") }, as: UTF8.self) }
    }

    private static func places(in text: [UInt8]) -> [Range<Int>] {
        var (found, index) = ([Range<Int>](), 0)
        while let mark = text[index...].firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) {
            let value = userInfo(in: text, at: mark) ?? value(in: text, after: mark)
            if let value { found.append(value) }
            index = value?.upperBound ?? mark + 1
        }
        return found
    }

    /// The user information of the URL whose scheme ends at an index; nil if there is none.
    private static func userInfo(in text: [UInt8], at colon: Int) -> Range<Int>? {
        guard text[colon...].begins(with: "://") else { return nil }
        let start = colon + 3
        let authority = text[start...].prefix { $0 > 0x20 && !$0.isOne(of: "/?#\"'<>`") }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    /// The name before a colon or an equals sign, and whether it is that of an item of a URL or of a form.
    static func name(before sign: Int, in text: [UInt8]) -> (text: String, isItem: Bool) {
        let before = text[..<sign].suffix(72).reversed().drop { $0.isOne(of: " \"'\\]") }
        let word = before.prefix { $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || $0.isOne(of: "-._") }
        let isItem = word.endIndex != before.endIndex && before[word.endIndex].isOne(of: "?&;#")
        return (String(decoding: word.reversed(), as: UTF8.self), isItem)
    }

    /// The value after a colon or an equals sign; nil if the name before it is not that of a credential.
    private static func value(in text: [UInt8], after sign: Int) -> Range<Int>? {
        let (name, isItem) = name(before: sign, in: text)
        guard isItem ? SensitiveName.isSensitive(name) : SensitiveName.isPassword(name) else { return nil }
        var rest = text[(sign + 1)...].drop { $0 == 0x20 }
        if rest.begins(with: "Optional(") { rest = rest.dropFirst("Optional(".utf8.count) }
        let escapes = rest.prefix { $0 == UInt8(ascii: "\\") }
        rest = rest[escapes.endIndex...]
        let quote = rest.first.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
        if quote != nil { rest = rest.dropFirst() }
        let isOfWord = { (byte: UInt8) in byte > 0x20 && !byte.isOne(of: "\"'<>,;&(){}[]\\`#") }
        // A value that is hidden already, and what a known value is only the start of. Keys are short: in a text of
        // placeholders without an end, a search to its end would take quadratic time.
        let start = rest.prefix(256)
        if rest.begins(with: "<redacted>") || rest.begins(with: "<secret "), let end = start.firstIndex(of: 0x3E) {
            let tail = rest[(end + 1)...].prefix(while: isOfWord)
            return tail.contains { $0.isASCIILetter || $0.isASCIIDigit } ? rest.startIndex..<tail.endIndex : nil
        }
        let value: ArraySlice<UInt8>
        if let quote {
            value = quoted(rest, by: quote, isEscaped: !escapes.isEmpty)
        } else if let first = rest.first, first.isOne(of: "[{") {
            value = rest.prefix { $0 != 0x0A }
        } else if !isItem, name.lowercased().ends(with: "authorization") {
            value = rest.prefix { $0 != 0x0A && $0 != UInt8(ascii: "\"") }
        } else {
            value = rest.prefix(while: isOfWord)
            // After a colon, an ordinary word can follow, as in `invalid token: expired`.
            let isLikely = value.count >= 16 || value.contains(where: \.isASCIIDigit)
            if text[sign] == UInt8(ascii: ":"), !isLikely { return nil }
        }
        return value.isEmpty ? nil : value.indices
    }

    /// The text up to the quote that ends it, or to the end of the line.
    private static func quoted(_ text: ArraySlice<UInt8>, by quote: UInt8, isEscaped: Bool) -> ArraySlice<UInt8> {
        var end = text.startIndex
        while end < text.endIndex, text[end] != 0x0A, text[end] != quote {
            let isEscape = text[end] == UInt8(ascii: "\\")
            if isEscape, isEscaped, text[(end + 1)...].first == quote { break }
            end += isEscape ? 2 : 1
        }
        return text[..<min(end, text.endIndex)]
    }
}
