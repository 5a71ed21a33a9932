extension NamedValues {
    /// Elements whose content is a value with the enclosing element's name.
    private static let values: Set = [
        "array", "data", "element", "i4", "int", "integer", "item", "li", "string", "text", "value",
    ]
    /// HTML elements whose text is not the value of the name in their attributes.
    private static let fields: Set = [
        "a", "button", "fieldset", "form", "iframe", "img", "input", "label", "map", "meta", "object", "output",
        "select", "slot",
    ]

    /// Returns the values in XML and HTML that have the names of credentials, in order. A value is the
    /// value of an attribute, the content of an element, or a text whose name is in the element or attribute before it:
    /// `<key>token</key><string>…</string>` and `<input name="token" value="…">`. No value is empty.
    ///
    /// - Parameter limit: the maximum number of values, and of different names, that are searched for.
    package static func markup(
        in text: String, upTo limit: Int = .max, named isSecret: (String) -> Bool = SensitiveName.isPassword
    ) -> [Value] { text.withBytes { Markup(bytes: $0).values(upTo: limit, named: isSecret) } }

    /// Reads tags byte by byte, because regular expressions would take seconds for the largest body of an error.
    private struct Markup {
        typealias Tag = (name: String, isEnd: Bool, end: Int, attributes: [(name: String, value: Range<Int>)])

        let bytes: UnsafeBufferPointer<UInt8>

        func values(upTo limit: Int, named isSecret: (String) -> Bool) -> [Value] {
            var (found, known, index, hasMoreSections) = ([Value](), [String: Bool](), 0, true)
            /// The name of the values that follow, up to the end of the element.
            var current: (name: String, element: String)?
            /// The name that the preceding element contains, as in `<key>token</key>`. `isKey` is true if an element of
            /// any name can contain the value.
            var announced: (name: String, isKey: Bool)?

            func isKnown(_ name: String) -> Bool {
                guard 3...72 ~= name.utf8.count else { return false }
                if known[name] == nil, known.count < limit { known[name] = isSecret(name) }
                return known[name] == true
            }
            func add(_ name: String, _ place: Range<Int>) {
                let start = skipped(place.lowerBound) { $0 <= 0x20 }
                var end = place.upperBound
                while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
                if start < end { found.append((name, start..<end)) }
            }

            while found.count < limit, let open = place(of: "<", from: index) {
                index = open + 1
                guard let (element, isEnd, end, attributes) = tag(at: open) else { continue }
                index = end
                if isEnd {
                    if current?.element == element { current = nil }
                    continue
                }
                // The library itself shows `<secret …>` in place of a secret.
                let isShown = element == "secret" && attributes.isEmpty && bytes[open...].begins(with: "<secret ")
                if isShown || element == "redacted" { continue }
                let names = attributes.filter { ["name", "key", "property"].contains($0.name) }.map { text($0.value) }
                let (named, before) = (names.last(where: isKnown), announced)
                for (name, value) in attributes {
                    if isKnown(name) { add(name, value) }
                    if let named, ["value", "content", "default"].contains(name) { add(named, value) }
                }
                announced = nil
                if bytes[end - 2] == UInt8(ascii: "/") { continue }
                let lowercased = element.lowercased()
                if isKnown(element) {
                    current = (element, element)
                } else if let named, !NamedValues.fields.contains(lowercased) {
                    current = (named, element)
                } else if let before, before.isKey || lowercased == "value" {
                    current = (before.name, element)
                } else if current != nil, !names.isEmpty || !NamedValues.values.contains(lowercased) {
                    current = nil
                }
                let isName = lowercased == "key" || lowercased == "name"
                guard isName || current != nil else { continue }
                let content = end..<(place(of: "<", from: end) ?? bytes.count)
                if isName, content.count <= 72 {
                    let name = text(content)
                    if isKnown(name), !name.hasAny(of: " \t\r\n/\\") { announced = (name, element == "key") }
                }
                guard let current else { continue }
                let section = skipped(end) { $0 <= 0x20 }
                if hasMoreSections, bytes[section...].begins(with: "<![CDATA[") {
                    let end = place(of: "]]>", from: section)
                    hasMoreSections = end != nil
                    if let end { add(current.name, section + 9..<end) }
                } else if bytes[content.upperBound...].begins(with: "</")
                    || content.upperBound == bytes.count && !bytes[content].contains(0x20)
                {
                    // In a text such as `expected <password> but got`, the name is not a tag.
                    add(current.name, content)
                }
            }
            return found
        }

        private func text(_ place: Range<Int>) -> String {
            String(decoding: UnsafeBufferPointer(rebasing: bytes[place]), as: UTF8.self)
        }

        private func place(of part: String, from start: Int) -> Int? {
            part.withBytes { bytes.firstIndex(of: $0, from: start) }
        }

        private func skipped(_ start: Int, _ isSkipped: (UInt8) -> Bool) -> Int {
            var index = start
            while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
            return index
        }

        private func hasByte(_ characters: StaticString, at index: Int) -> Bool {
            index < bytes.count && bytes[index].isOne(of: characters)
        }

        /// Returns the tag at an index with its `name=value` pairs. Returns nil if a quote in the tag is not closed.
        private func tag(at open: Int) -> Tag? {
            let isEnd = hasByte("/", at: open + 1)
            var (index, attributes) = (isEnd ? open + 2 : open + 1, [(name: String, value: Range<Int>)]())
            let element = name(at: &index)
            if element.isEmpty { return nil }
            while index < bytes.count, !hasByte("<>", at: index) {
                let name = name(at: &index)
                let sign = skipped(index) { $0 <= 0x20 }
                let hasValue = !name.isEmpty && hasByte("=", at: sign)
                if hasValue { index = skipped(sign + 1) { $0 <= 0x20 } }
                if hasByte("\"'", at: index) {
                    let (quote, start) = (bytes[index], index + 1)
                    index = skipped(start) { $0 != quote && $0 != UInt8(ascii: "<") }
                    if hasValue { attributes.append((name, start..<index)) }
                    if !hasByte("<", at: index) { index += 1 }
                } else if hasValue {
                    let start = index
                    index = skipped(start) { $0 > 0x20 && !$0.isOne(of: "\"'<>") }
                    attributes.append((name, start..<index))
                } else if name.isEmpty {
                    index += 1
                }
            }
            return hasByte(">", at: index) ? (element, isEnd, index + 1, attributes) : nil
        }

        /// Returns the name at an index without its namespace prefix.
        private func name(at index: inout Int) -> String {
            let isPart = { (byte: UInt8) in
                byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-._")
            }
            var start = index
            index = skipped(start, isPart)
            if index > start, hasByte(":", at: index) {
                let end = skipped(index + 1, isPart)
                if end > index + 1 { (start, index) = (index + 1, end) }
            }
            return text(start..<index)
        }
    }
}
