import Foundation

/// Where a value came from, in words.
package struct EnvironmentExplanation: CustomStringConvertible {
    private let environment: LayeredEnvironment
    private let key: String

    package init(_ environment: LayeredEnvironment, key: String) {
        self.environment = environment
        self.key = key
    }

    /// False when no layer has the key.
    package var isKnown: Bool { environment[key] != nil }

    package var description: String {
        guard let setting = environment[key] else {
            return environment.removal(of: key) ?? "\(key) is in no layer"
                + NearestName.hint(key, in: environment.paths)
        }
        var lines = ["\(key) = \(environment.shown(setting.value, at: key))", "  from \(setting.source)"]
        lines += setting.replaced.map { "  over \($0)" }
        if setting.isDictionary {
            lines += setting.members.map(\.key).sorted().map { "  has \(key).\($0)" }
        } else {
            switch setting.source {
            case .file where !key.hasPrefix("$"): lines.append("  \(EnvironmentVariables.name(for: key)) is not set")
            default: break
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension LayeredEnvironment {
    /// A value for people; a secret is not shown.
    package func shown(_ value: Node.Value, at path: String) -> String {
        // That a secret has no value yet is none.
        if rules.secrets.contains(path), !value.isNull { return "<secret \(path)>" }
        return switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): text
        case .date(let date): ISO8601Text.text(of: date)
        case .data(let data): "\(data.count) bytes"
        case .array(let elements): "a list of \(elements.count)"
        case .dictionary: "a dictionary"
        }
    }

    /// Who took a key away that a lower layer has, for people; nil when nobody did.
    fileprivate func removal(of key: String) -> String? {
        for (index, document) in documents.enumerated().reversed() {
            let texts = document.root[EnvironmentRules.Key.unset.rawValue]?.texts ?? []
            guard let (_, offset) = texts.first(where: { key == $0.text || key.hasPrefix($0.text + ".") }),
                let lower = documents[..<index].last(where: { $0.root.descendant(key) != nil })
            else { continue }
            return """
                \(key) is taken away
                  by \(ValueSource.file(document, offset: offset))
                  over \(ValueSource.file(lower, offset: lower.root.descendant(key)?.offset))
                """
        }
        return nil
    }

    /// The values of all secrets as texts, for taking them out of what people read.
    package var secretTexts: [(key: String, text: String)] {
        rules.secrets.sorted().flatMap { key in
            (root[path: key]?.node.secretTexts ?? []).filter { !$0.isEmpty }.map { (key, $0) }
        }
    }

    /// One document alone, without other layers.
    package init(_ document: Document, name: String, from origin: Origin = .elsewhere) {
        self.init(name: name)
        add(document, from: origin)
        checkValues(readsSecrets: true)
    }
}

extension Node {
    fileprivate var secretTexts: [String] {
        switch value {
        case .null, .boolean: []
        case .integer(let number): ["\(number)"]
        case .real(let number): ["\(number)"]
        case .string(let text): [text]
        case .date(let date): [ISO8601Text.text(of: date)]
        case .data(let data): [data.base64EncodedString()] + [String(bytes: data, encoding: .utf8)].compactMap { $0 }
        case .array(let elements): elements.flatMap(\.secretTexts)
        case .dictionary(let entries): entries.flatMap(\.node.secretTexts)
        }
    }
}
