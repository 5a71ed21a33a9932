package import FingerpostFiles

extension LayeredEnvironment {
    /// Explains where a value comes from: its source, and the lower layers whose values it replaces.
    ///
    /// - Parameter key: the dotted path of the key.
    /// - Returns: the key's value, followed by its sources, one per line. For an unknown key, the text names the
    ///   `$unset` entry that removed the key, or suggests a similar key. The text ends with a list of the invalid
    ///   environment variables.
    package func explanation(of key: String) -> String {
        guard let setting = self[key] else {
            let missing = "\(key) is not in any layer" + NearestName.hint(key, in: paths)
            return ([removal(of: key) ?? missing] + refusedVariables).joined(separator: "\n")
        }
        var lines = ["\(key) = \(shown(setting.value, at: key).printable)", "  from \(setting.source)"]
        lines += sources(of: key).dropFirst().map { "  over \($0)" }
        if setting.isDictionary {
            lines += setting.keys.sorted().map { "  has \(key).\($0)" }
        } else if documents.contains(where: { $0 === setting.source.document }), !key.hasPrefix("$"),
            key != Self.descriptionKey
        {
            let name = EnvironmentVariables.name(for: key)
            if !problems.contains(where: { $0.path == ValueSource.variable(name).description }) {
                lines.append("  \(name) is not set")
            }
        }
        return (lines + refusedVariables).joined(separator: "\n")
    }

    /// The environment variables that are set although the app refuses them.
    private var refusedVariables: [String] {
        problems.filter { $0.path?.begins(with: ValueSource.variable("").description) == true }.map { "  \($0)" }
    }

    /// The source of a key's value, followed by the sources of the values that it replaced, nearest layer first.
    func sources(of key: String) -> [ValueSource] {
        guard let setting = root[path: key] else { return self[key].map { [$0.source] } ?? [] }
        var sources: [ValueSource] = []
        func add(_ source: ValueSource?) {
            guard let source, source.description != sources.first?.description else { return }
            sources.insert(source, at: 0)
        }
        let merged = merging { document, origin, lower in
            add(lower.root[path: key]?.source)
            let unset = Set(document[.unset]?.texts.map(\.text) ?? [])
            if origin != .secrets, unset.covers(key) { sources = [] }
        }
        add(merged.root[path: key]?.source)
        add(setting.source)
        return sources
    }

    /// A value, formatted for messages. A secret is shown as `<secret path>`, where `path` is the secret's dotted path.
    /// The user information of a URL is not shown, because it can contain a password.
    package func shown(_ value: Node.Value, at path: String) -> String {
        // A secret that is null is shown as `null`, because a missing value reveals nothing.
        if isSecret(path), !value.isNull { return "<secret \(path)>" }
        return switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): URLText.hidingUserInfo(text)
        case .date(let date): ISO8601Text.text(of: date)
        case .data(let data): "\(data.count) bytes"
        case .array(let elements): "a list of \(elements.count)"
        case .dictionary: "a dictionary"
        }
    }

    /// If an `$unset` entry removed a key that a lower layer sets, describes this entry. Returns nil when no layer
    /// removed the key.
    fileprivate func removal(of key: String) -> String? {
        for (index, document) in documents.enumerated().reversed() {
            let texts = document[.unset]?.texts ?? []
            guard let (_, offset) = texts.first(where: { key == $0.text || key.hasPrefix($0.text + ".") }),
                let lower = documents[..<index].last(where: { $0.root.descendant(key) != nil })
            else { continue }
            return """
                \(key) is removed
                  by \(ValueSource.file(document, offset: offset))
                  over \(ValueSource.file(lower, offset: lower.root.descendant(key)?.offset))
                """
        }
        return nil
    }
}

extension Node {
    /// The value at a dotted path.
    func descendant(_ path: String) -> Node? {
        path.words(between: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}
