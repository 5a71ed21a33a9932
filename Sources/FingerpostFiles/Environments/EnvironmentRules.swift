/// What the keys that start with `$` say of the others, gathered from every layer.
package struct EnvironmentRules: Sendable {
    /// The reserved keys.
    package enum Key: String, CaseIterable, Sendable {
        /// Keys whose values no committed file may hold and nobody may see.
        case secrets = "$secrets"
        /// Keys that an environment may leave out.
        case optional = "$optional"
        /// The environment whose values this one inherits.
        case extends = "$extends"
        /// Keys of lower layers that this one takes away.
        case unset = "$unset"
        /// How calls are answered.
        case network = "$network"
        /// How queries are written.
        case dialect = "$dialect"
        /// The time for a call, in seconds.
        case timeout = "$timeout"

        /// The texts that it can be; nil for any.
        package var choices: [String]? {
            switch self {
            case .network: ["live", "sealed", "mocksThenLive"]
            case .dialect: ["standard", "rails", "java"]
            default: nil
            }
        }
    }

    package private(set) var secrets: Set<String> = []
    package private(set) var optional: Set<String> = []
    /// The keys at the top that are secret or hold secrets.
    private var topsOfSecrets: Set<String> = []

    /// True when a key at the top is secret, or holds secrets.
    func namesSecrets(in key: String) -> Bool { topsOfSecrets.contains(key) }

    mutating func read(_ document: Document, problems: inout [FileProblem]) {
        for entry in document.root.entries ?? [] where entry.key.utf8.first == UInt8(ascii: "$") {
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                problems.append(
                    document.problem(
                        at: entry.keyOffset, "unknown key \"\(entry.key)\"" + NearestName.hint(entry.key, in: names),
                        fix: "use one of \(names.joined(separator: ", ")); other keys do not start with $"))
                continue
            }
            if let (message, fix) = Self.objection(to: entry.node, of: key) {
                problems.append(document.problem(at: entry.node.offset, message, fix: fix))
            }
            if key == .secrets {
                for (path, _) in entry.node.texts where secrets.insert(path).inserted {
                    topsOfSecrets.insert(String(Substring(path.utf8.prefix { $0 != UInt8(ascii: ".") })))
                }
            }
            if key == .optional { optional.formUnion(entry.node.texts.map(\.text)) }
        }
    }

    /// What is wrong with the value of a reserved key, and the fix.
    private static func objection(to node: Node, of key: Key) -> (String, String)? {
        let name = "\"\(key.rawValue)\""
        switch key {
        case .secrets, .optional, .unset:
            let fix = "write [\"key\", \"nested.key\"]"
            guard case .array(let elements) = node.value else {
                return ("\(name) is \(node.value.kind) where a list of keys is expected", fix)
            }
            guard let stranger = elements.first(where: { $0.string == nil }) else { return nil }
            return ("\(name) lists \(stranger.value.kind) where keys are expected", fix)
        case .timeout:
            switch node.value {
            case .integer(let seconds) where seconds > 0: return nil
            case .real(let seconds) where seconds > 0 && seconds.isFinite: return nil
            case .integer, .real: return ("\(name) is not more than zero seconds", "write a number such as 30 or 2.5")
            default:
                return (
                    "\(name) is \(node.value.kind) where a number of seconds is expected",
                    "write a number such as 30 or 2.5"
                )
            }
        case .extends:
            if node.string != nil { return nil }
            return (
                "\(name) is \(node.value.kind) where text is expected", "write the name of an environment in quotes"
            )
        case .network, .dialect:
            let choices = key.choices ?? []
            let fix = "use \(choices.joined(separator: ", "))"
            guard let text = node.string else {
                return ("\(name) is \(node.value.kind) where text is expected", fix)
            }
            if choices.contains(text) { return nil }
            return ("\"\(text)\" is no value of \(name)" + NearestName.hint(text, in: choices), fix)
        }
    }
}

extension Node {
    /// The texts of a list, with their places.
    var texts: [(text: String, offset: Int?)] {
        guard case .array(let elements) = value else { return [] }
        return elements.compactMap { element in element.string.map { ($0, element.offset) } }
    }
}
