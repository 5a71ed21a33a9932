import FingerpostFiles
import Foundation

/// Finds values under the names of credentials in text other than JSON, forms and streams. The search covers XML, HTML,
/// CSV, YAML, and other text with one key per line.
struct NamedText {
    /// The length in bytes of the shortest value that may be a credential.
    static let shortest = 8

    /// Returns the first value under the name of a credential.
    ///
    /// - Parameter type: the value of `Content-Type`. Nil if the response has no such header.
    static func first(in text: [UInt8], _ type: String?) -> NamedValues.Value? {
        let type = type.map { MediaType(contentType: $0).rawValue } ?? ""
        let found =
            markup(in: text)
            + NamedText(text: text, isTable: type.contains(bytesOf: "csv") || type.ends(with: "-values")).inRows
            + NamedText(text: text).inLines(isMapping: type.contains(bytesOf: "yaml"))
        return found.filter { isCredential(text[$0.place]) }.min { $0.place.lowerBound < $1.place.lowerBound }
    }

    /// Returns the text with `<redacted>` in place of each credential in XML or HTML.
    static func withoutMarkup(_ text: String) -> String {
        guard text.hasAny(of: "<") else { return text }
        let bytes = Array(text.utf8)
        return text.replacing(
            markup(in: bytes).filter { isCredential(bytes[$0.place]) }.map { ($0.place, SensitiveName.placeholder) })
    }

    /// Returns the values in XML or HTML whose names describe a credential, such as `AccessKeyId`.
    static func described(in text: Data) -> Set<String> {
        let bytes = [UInt8](text)
        let found = markup(in: bytes) { SensitiveName.isDescription($0) && !SensitiveName.isIssued($0) }
        return Set(found.map { String(decoding: bytes[$0.place], as: UTF8.self) })
    }

    private static func markup(
        in text: [UInt8], named isSecret: (String) -> Bool = SensitiveName.isIssued
    ) -> [NamedValues.Value] {
        text.contains(UInt8(ascii: "<")) ? NamedValues.markup(in: Data(text).searchedText, named: isSecret) : []
    }

    /// Returns true if a value may be a credential. A short value, several ordinary words, a placeholder of a template
    /// and a mask are not credentials.
    static func isCredential(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count >= shortest, Set(value).count > 1 else { return false }
        let templates: [StaticString] = ["{{", "${", "<%", "<redacted>", "<secret "]
        if templates.contains(where: { value.begins(with: $0) }) { return false }
        let words = value.split(separator: 0x20)
        return words.count == 1
            || words.contains { $0.count >= 20 || $0.count >= shortest && $0.contains(where: \.isASCIIDigit) }
    }

    private let text: [UInt8]
    /// True if the text has the media type of a table.
    private let isTable: Bool

    private init(text: [UInt8], isTable: Bool = false) { (self.text, self.isTable) = (text, isTable) }

    /// Returns the name in a table field or before a colon, without quotes. Returns nil if the name is not that of a
    /// credential.
    private func name(_ place: Range<Int>) -> String? {
        let name = text[unquoted(place)]
        guard 3...72 ~= name.count, name.allSatisfy({ $0 >= 0x20 }) else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        return SensitiveName.isIssued(text) ? text : nil
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let rest = text[range].drop { $0 <= 0x20 }
        return rest.startIndex..<(rest.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? rest.startIndex)
    }

    private func unquoted(_ range: Range<Int>) -> Range<Int> {
        let place = trimmed(range)
        guard place.count >= 2, let quote = text[place].first, quote.isOne(of: "\"'"), text[place].last == quote else {
            return place
        }
        return place.lowerBound + 1..<place.upperBound - 1
    }

    /// The first line of a table must end within this number of bytes. The same is true for a text with one key per
    /// line.
    private static let longestHead = 4096

    // MARK: Tables

    /// The values in a table under the name of a credential. The name is the first field of the value's column, or the
    /// first field of a row with two fields. Unless the media type is that of a table, rows whose number of fields
    /// differs from that of the first row are skipped.
    private var inRows: [NamedValues.Value] {
        // A text without line breaks is not a table.
        guard
            text.count < Self.longestHead || text.prefix(Self.longestHead).contains(where: { $0 == 0x0A || $0 == 0x0D })
        else { return [] }
        var (rest, head): (Int, [Range<Int>]) = (0, [])
        var separator = UInt8(ascii: ",")
        repeat {
            let start = rest
            for candidate in Array(",;\t|".utf8) {
                var index = start
                let fields = fields(at: &index, candidate)
                if fields.count > head.count { (head, separator, rest) = (fields, candidate, index) }
            }
            // Skip empty lines, comments, and the line in which a spreadsheet names its separator.
            let isComment = head.first.map { text[$0].begins(with: "sep=") || isTable && text[$0].begins(with: "#") }
            if isComment == false, head != [start..<start] { break }
            head = []
        } while rest < text.count
        let columns = head.map(name)
        let hasNames = columns.contains { $0 != nil }
        // Unless the media type is that of a table, a single field is a name only if it is one word.
        if !isTable, head.count == 1, !head.allSatisfy({ text[$0].allSatisfy { $0 > 0x20 && !$0.isOne(of: "<:=") } }) {
            return []
        }
        guard hasNames || isTable else { return [] }
        var found: [NamedValues.Value] = []
        if !hasNames || columns.count == 2, isTable, head.count == 2, let name = columns[0], columns[1] == nil {
            found.append((name, unquoted(head[1])))
        }
        while rest < text.count {
            let fields = fields(at: &rest, separator)
            guard isTable || fields.count == head.count else { continue }
            for (name, field) in zip(columns, fields) {
                if let name { found.append((name, unquoted(field))) }
            }
            if isTable, fields.count == 2, let name = name(fields[0]) { found.append((name, unquoted(fields[1]))) }
        }
        return found
    }

    /// Reads a row (RFC 4180). Quoted fields can contain separators and line breaks.
    private func fields(at index: inout Int, _ separator: UInt8) -> [Range<Int>] {
        var (fields, start, isQuoted): ([Range<Int>], Int, Bool) = ([], index, false)
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\""), isQuoted || start == index { isQuoted.toggle() }
            if !isQuoted, byte == separator || byte == 0x0A || byte == 0x0D {
                fields.append(start..<index)
                start = index + 1
                if byte != separator { break }
            }
            index += 1
        }
        if index == text.count { fields.append(start..<index) }
        index += 1
        return fields
    }

    // MARK: Lines

    /// A line with a key: `  - token: abc`.
    private struct Entry {
        let indent: Int
        let key: Range<Int>
        let value: Range<Int>
    }

    /// Returns the values under the names of credentials in YAML, and in other text in which every line has a key.
    private func inLines(isMapping: Bool) -> [NamedValues.Value] {
        // The first line is checked first, because this line usually shows whether the text has keys.
        let first = text.indices.prefix(Self.longestHead).prefix { text[$0] != 0x0A && text[$0] != 0x0D }
        guard isMapping || first.isEmpty || isPart(first, entry(first)) else { return [] }
        var (lines, start): ([Range<Int>], Int) = ([], text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        for line in text.lines {
            lines.append(start..<start + line.text.count)
            start = line.end
        }
        lines = lines.filter { !trimmed($0).isEmpty }
        let entries = lines.map(entry)
        guard isMapping || lines.count > 1 && zip(lines, entries).allSatisfy({ isPart($0, $1) }) else { return [] }
        var found: [NamedValues.Value] = []
        /// `block` contains the name that applies to all values in more deeply indented lines. `named` is the name from
        /// the preceding line `name: …`.
        var (block, named): ((name: String, indent: Int)?, String?)
        for (line, entry) in zip(lines, entries) {
            let indent = indent(line)
            if let open = block, indent <= open.indent, !text[trimmed(line)].begins(with: "- ") { block = nil }
            guard let entry else {
                if let block { found.append((block.name, value(trimmed(line)))) }
                continue
            }
            let key = text[unquoted(entry.key)]
            if key.elementsEqual("value".utf8), let name = named ?? block?.name {
                found.append((name, value(entry.value)))
            }
            let isName = key.elementsEqual("name".utf8) || key.elementsEqual("key".utf8)
            named = isName ? name(value(entry.value)) : nil
            guard let name = name(entry.key) else { continue }
            let value = value(entry.value)
            let isBlock = value.isEmpty || text[value].first.map { $0.isOne(of: "|>&") } == true && value.count < 20
            if isBlock { block = (name, entry.indent) } else { found.append((name, value)) }
        }
        return found
    }

    private func indent(_ line: Range<Int>) -> Int { text[line].prefix { $0 == 0x20 || $0 == 0x09 }.count }

    /// Returns true if a line can occur in a text with one key per line. Such a line contains a key, a comment, a
    /// section, a list item or the continuation of a value.
    private func isPart(_ line: Range<Int>, _ entry: Entry?) -> Bool {
        let line = text[line]
        return entry != nil || line.first?.isOne(of: "#;![ \t-") == true || line.begins(with: "...")
    }

    private func entry(_ line: Range<Int>) -> Entry? {
        var start = trimmed(line).lowerBound
        while text[start..<line.upperBound].begins(with: "- ") {
            start = trimmed(start + 2..<line.upperBound).lowerBound
        }
        let isKey = { (byte: UInt8) in
            byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "_-.\"'")
        }
        let key = text[start..<line.upperBound].prefix(while: isKey)
        let rest = text[key.endIndex..<line.upperBound].drop { $0 == 0x20 || $0 == 0x09 }
        guard !key.isEmpty, let sign = rest.first, sign.isOne(of: ":=") else { return nil }
        let value = rest.dropFirst()
        // In a time or an address, the text before the colon is not a key.
        if sign == UInt8(ascii: ":"), let next = value.first, next > 0x20 { return nil }
        return Entry(indent: indent(line), key: key.indices, value: value.indices)
    }

    /// Returns a value without quotes, without the `-` of a list item, and without the comment after the value.
    private func value(_ range: Range<Int>) -> Range<Int> {
        var place = trimmed(range)
        if text[place].begins(with: "- ") { place = trimmed(place.lowerBound + 2..<place.upperBound) }
        if let quote = text[place].first, quote.isOne(of: "\"'") {
            let end = text[place].dropFirst().firstIndex(of: quote) ?? place.upperBound
            return place.lowerBound + 1..<end
        }
        let comment = text[place].indices.first { text[$0] == 0x20 && text[$0...].begins(with: " #") }
        return trimmed(place.lowerBound..<(comment ?? place.upperBound))
    }
}
