/// Finds values by their names in XML and HTML: the content of an element, an attribute, and what an element or an
/// attribute before it names, as in `<key>token</key><string>…</string>` and `<input name="token" value="…">`.
package struct NamedMarkup {
    package typealias Value = (name: String, place: Range<Int>)

    /// The text with `<redacted>` in place of each value whose name is that of a credential.
    package static func hidden(in text: String) -> String {
        text.replacing(passwords(in: text).map { ($0.place, SensitiveName.placeholder) })
    }

    /// The values whose names are those of credentials.
    package static func found(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return passwords(in: text).map { String(decoding: bytes[$0.place], as: UTF8.self) }
    }

    private static func passwords(in text: String) -> [Value] {
        text.contains(bytesOf: "<") ? values(in: Array(text.utf8), named: SensitiveName.isPassword) : []
    }

    /// The values whose names fulfill a condition, in order. None of them is empty.
    package static func values(in text: [UInt8], named isSecret: (String) -> Bool) -> [Value] {
        withoutActuallyEscaping(isSecret) { isSecret in
            var search = NamedMarkup(text: text, isSecret: isSecret)
            search.run()
            return search.found
        }
    }

    // MARK: Search

    private let text: [UInt8]
    private let isSecret: (String) -> Bool
    private var known: [String: Bool] = [:]
    private var found: [Value] = []
    /// The name of the values that follow, and the depth of the element whose end is theirs.
    private var current: (name: String, depth: Int)?
    private var depth = 0
    /// The name that the element before has named, and true if any element contains its value.
    private var announced: (name: String, isKey: Bool)?
    /// The name of the element that has just begun, if it can name the next one.
    private var naming: String?
    private var hasMoreEnds = true

    private init(text: [UInt8], isSecret: @escaping (String) -> Bool) {
        (self.text, self.isSecret) = (text, isSecret)
    }

    /// Elements that contain a value of the name that the element around them has.
    private static let values: Set = [
        "array", "data", "element", "i4", "int", "integer", "item", "li", "string", "text", "value",
    ]
    /// Elements of HTML whose text is no value of their name.
    private static let fields: Set = [
        "a", "button", "fieldset", "form", "iframe", "img", "input", "label", "map", "meta", "object", "output",
        "select", "slot",
    ]
    /// The longest name, in bytes.
    private static let longestName = 72

    /// Each byte is read once: a tag ends before the next `<`, also inside of quotes.
    private mutating func run() {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            content(index..<start)
            index = tag(at: start)
        }
        content(index..<text.count)
    }

    private mutating func isSecret(_ name: some Collection<UInt8>) -> Bool {
        guard 3...Self.longestName ~= name.count else { return false }
        let name = String(decoding: name, as: UTF8.self)
        let isKnown = known[name] ?? isSecret(name)
        known[name] = isKnown
        return isKnown
    }

    /// Reads the text between two tags.
    private mutating func content(_ range: Range<Int>) {
        let place = trimmed(range)
        if place.isEmpty { return }
        if let naming {
            let isName = text[place].allSatisfy { $0 > 0x20 && !$0.isOne(of: "/\\") }
            announced =
                isName && isSecret(text[place])
                ? (String(decoding: text[place], as: UTF8.self), naming.isSame(as: "key")) : nil
        }
        // In `expected <password> but got`, the name is no tag.
        let isClosed = text[range.upperBound...].begins(with: "</") || range.upperBound == text.count
        if let current, isClosed, range.upperBound < text.count || !text[range].contains(0x20) {
            found.append((current.name, place))
        }
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let rest = text[range].drop { $0 <= 0x20 }
        return rest.startIndex..<(rest.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? rest.startIndex)
    }

    /// Reads a tag, and returns the index after it.
    private mutating func tag(at start: Int) -> Int {
        var index = start + 1
        if text[index...].begins(with: "![CDATA[") { return section(at: index + 8) }
        let isEnd = text[index...].first == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let name = name(at: &index)
        guard let first = name.first, first.isASCIILetter || first == UInt8(ascii: "_") || first >= 0x80 else {
            return start + 1
        }
        let element = String(decoding: local(name), as: UTF8.self)
        if isEnd {
            end()
            return text[index...].firstIndex { $0.isOne(of: "<>") }.map { text[$0] == 0x3E ? $0 + 1 : $0 } ?? text.count
        }
        var attributes: [(name: ArraySlice<UInt8>, value: Range<Int>?)] = []
        while let attribute = attribute(at: &index) { attributes.append(attribute) }
        // What the library shows of a secret.
        if element == "redacted" || element == "secret" && attributes.contains(where: { $0.value == nil }) {
            return index + (index < text.count && text[index] == 0x3E ? 1 : 0)
        }
        let isEmpty = index > start && text[index - 1] == UInt8(ascii: "/")
        let isWhole = index < text.count && text[index] == 0x3E
        begin(element, attributes, isEmpty: isEmpty || !isWhole)
        return isWhole ? index + 1 : index
    }

    /// Reads `<![CDATA[…]]>`, of which the content begins at an index.
    private mutating func section(at start: Int) -> Int {
        var end: Int?
        if hasMoreEnds {
            end = text[start...].indices.first { text[$0] == UInt8(ascii: "]") && text[$0...].begins(with: "]]>") }
            hasMoreEnds = end != nil
        }
        guard let end else { return start }
        let place = trimmed(start..<end)
        if let current, !place.isEmpty { found.append((current.name, place)) }
        return end + 3
    }

    private mutating func end() {
        depth -= 1
        if let current, depth < current.depth { self.current = nil }
        naming = nil
    }

    private mutating func begin(
        _ element: String, _ attributes: [(name: ArraySlice<UInt8>, value: Range<Int>?)], isEmpty: Bool
    ) {
        let lowercased = element.lowercased()
        var (named, isNamed) = (String?.none, false)
        for (name, value) in attributes {
            guard let value, !value.isEmpty else { continue }
            if isSecret(local(name)) { found.append((String(decoding: name, as: UTF8.self), value)) }
            if [ArraySlice("name".utf8), ArraySlice("key".utf8), ArraySlice("property".utf8)].contains(name) {
                isNamed = true
                if isSecret(text[value]) { named = String(decoding: text[value], as: UTF8.self) }
            }
        }
        if let named {
            for (name, value) in attributes {
                guard let value, !value.isEmpty,
                    ["value", "content", "default"].contains(where: { name.elementsEqual($0.utf8) })
                else { continue }
                found.append((named, value))
            }
            if Self.fields.contains(lowercased) { isNamed = false }
        }
        let before = announced
        announced = nil
        if isEmpty { return }
        depth += 1
        naming = lowercased == "key" || lowercased == "name" ? element : nil
        if isSecret(Array(element.utf8)) {
            current = (element, depth)
        } else if let named, isNamed {
            current = (named, depth)
        } else if let before, before.isKey || lowercased == "value" {
            current = (before.name, depth)
        } else if isNamed || !Self.values.contains(lowercased) {
            current = nil
        }
    }

    // MARK: Names

    private func name(at index: inout Int) -> ArraySlice<UInt8> {
        let name = text[index...].prefix { $0 > 0x20 && !$0.isOne(of: "/<>=\"'") }
        index = name.endIndex
        return name
    }

    /// The name without its namespace.
    private func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    }

    /// Reads the next attribute of a tag; nil at its end.
    private func attribute(at index: inout Int) -> (name: ArraySlice<UInt8>, value: Range<Int>?)? {
        index = text[index...].firstIndex { $0 > 0x20 && $0 != UInt8(ascii: "/") } ?? text.count
        let start = index
        var name = name(at: &index)
        if name.isEmpty {
            // A quote that belongs to no attribute.
            guard index < text.count, !text[index].isOne(of: "<>") else { return nil }
            index += 1
            name = text[start..<index]
        }
        var end = text[index...].firstIndex { $0 > 0x20 } ?? text.count
        guard end < text.count, text[end] == UInt8(ascii: "=") else { return (name, nil) }
        end = text[(end + 1)...].firstIndex { $0 > 0x20 } ?? text.count
        index = end
        guard end < text.count else { return (name, nil) }
        let quote = text[end]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = text[end...].prefix { $0 > 0x20 && !$0.isOne(of: "<>") }
            index = value.endIndex
            return (name, value.indices)
        }
        let value = text[(end + 1)...].prefix { $0 != quote && $0 != UInt8(ascii: "<") }
        index = value.endIndex
        if index < text.count, text[index] == quote { index += 1 }
        return (name, trimmed(value.indices))
    }
}
