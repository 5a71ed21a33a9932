import Foundation

extension LayeredEnvironment {
    /// A value, formatted for messages. A secret is shown as `<secret path>`, where `path` is the secret's dotted path.
    package func shown(_ value: Node.Value, at path: String) -> String {
        // A secret that is null is shown as `null`, because a missing value reveals nothing.
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

    /// True for a required secret of a sealed environment: if the secret is null, a placeholder text is read instead.
    /// A sealed environment may omit its secrets, because mocks need no credentials.
    package func hasStandIn(for key: String) -> Bool {
        rules.secrets.contains(key) && isSealed && !rules.optional.contains(key)
    }

    /// All secret values as text, so that they can be redacted from logs and messages.
    package var secretTexts: [(key: String, text: String)] {
        rules.secrets.sorted().flatMap { key in
            (root[path: key]?.node.secretTexts ?? []).filter { !$0.isEmpty }.map { (key, $0) }
        }
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
