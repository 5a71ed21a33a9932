extension NamedValues {
    /// Elements that contain a value of the name that the element around them has.
    private static let values: Set = [
        "array", "data", "element", "i4", "int", "integer", "item", "li", "string", "text", "value",
    ]
    /// Elements of HTML whose text is no value of their name.
    private static let fields: Set = [
        "a", "button", "fieldset", "form", "iframe", "img", "input", "label", "map", "meta", "object", "output",
        "select", "slot",
    ]

    /// The values by their names in XML and HTML, in order: the content of an element, an attribute, and what an
    /// element or an attribute before it names, as in `<key>token</key><string>…</string>` and
    /// `<input name="token" value="…">`. None of them is empty.
    package static func markup(
        in text: String, named isSecret: (String) -> Bool = SensitiveName.isPassword
    ) -> [Value] {
        let tag = /<(\/?)(?:[\w.\-]+:)?([\w.\-]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*+)>/.matchingSemantics(.unicodeScalar)
        let attribute = /(?:[\w.\-]+:)?([\w.\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/
            .matchingSemantics(.unicodeScalar)
        var (found, known, hasMoreSections) = ([Value](), [String: Bool](), true)
        /// The name of the values that follow, and the element at whose end they end.
        var current: (name: String, element: String)?
        /// The name that the element before has named, and true if any element contains its value.
        var announced: (name: String, isKey: Bool)?

        func isKnown(_ name: Substring) -> Bool {
            guard 3...72 ~= name.utf8.count else { return false }
            let name = String(name)
            if known[name] == nil { known[name] = isSecret(name) }
            return known[name] == true
        }
        func add(_ name: String, _ text: Substring) {
            var value = Substring(text.utf8.drop { $0 <= 0x20 })
            while let last = value.utf8.last, last <= 0x20 { value = Substring(value.utf8.dropLast()) }
            let start = value.base.utf8.distance(from: value.base.startIndex, to: value.startIndex)
            if !value.isEmpty { found.append((name, start..<start + value.utf8.count)) }
        }

        for match in text.matches(of: tag) {
            let (_, end, element, inside) = match.output
            if !end.isEmpty {
                if let name = current?.element, name.isSame(as: element) { current = nil }
                continue
            }
            let attributes = inside.matches(of: attribute).map { ($0.1, $0.2 ?? $0.3 ?? $0.4 ?? "") }
            // What the library shows of a secret.
            if element == "redacted" || element == "secret" && !inside.isEmpty && attributes.isEmpty { continue }
            let names = attributes.filter { ["name", "key", "property"].contains($0.0) }.map(\.1)
            let (named, before) = (names.last(where: isKnown).map(String.init), announced)
            for (name, value) in attributes {
                if isKnown(name) { add(String(name), value) }
                if let named, ["value", "content", "default"].contains(name) { add(named, value) }
            }
            announced = nil
            if inside.ends(with: "/") { continue }
            let lowercased = element.lowercased()
            if isKnown(element) {
                current = (String(element), String(element))
            } else if let named, !fields.contains(lowercased) {
                current = (named, String(element))
            } else if let before, before.isKey || lowercased == "value" {
                current = (before.name, String(element))
            } else if !names.isEmpty || !values.contains(lowercased) {
                current = nil
            }
            let rest = text[match.range.upperBound...]
            var (content, sections) = (rest.prefix(before: "<"), rest.without(leading: " \t\r\n"))
            if lowercased == "key" || lowercased == "name", isKnown(content), !content.hasAny(of: " \t\r\n/\\") {
                announced = (String(content), element == "key")
            }
            guard let current else { continue }
            if hasMoreSections, sections.begins(with: "<![CDATA[") {
                sections = Substring(sections.utf8.dropFirst(9))
                let end = sections.firstRange(ofBytes: "]]>")
                hasMoreSections = end != nil
                content = sections[..<(end?.lowerBound ?? sections.startIndex)]
            } else if !rest[content.endIndex...].begins(with: "</"),
                content.endIndex < text.endIndex || content.hasAny(of: " ")
            {
                // In `expected <password> but got`, the name is no tag.
                continue
            }
            add(current.name, content)
        }
        return found
    }
}
