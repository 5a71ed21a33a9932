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
    }

    package private(set) var secrets: Set<String> = []
    package private(set) var optional: Set<String> = []

    mutating func read(_ document: Document, isCommitted: Bool, problems: inout [FileProblem]) {
        for entry in document.root.entries ?? [] where entry.key.hasPrefix("$") {
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                problems.append(
                    document.problem(
                        at: entry.keyOffset, "unknown key \"\(entry.key)\"" + NearestName.hint(entry.key, in: names),
                        fix: "use one of \(names.joined(separator: ", ")); other keys do not start with $"))
                continue
            }
            switch key {
            case .secrets, .optional, .unset:
                if !entry.node.isListOfTexts {
                    problems.append(
                        document.problem(
                            at: entry.node.offset,
                            "\"\(entry.key)\" is \(entry.node.value.kind) where a list of keys is expected",
                            fix: "write [\"key\", \"nested.key\"]"))
                }
            case .extends, .network, .dialect:
                if entry.node.string == nil {
                    problems.append(
                        document.problem(
                            at: entry.node.offset,
                            "\"\(entry.key)\" is \(entry.node.value.kind) where text is expected", fix: nil))
                }
            }
            if key == .secrets { secrets.formUnion(entry.node.texts.map(\.text)) }
            if key == .optional { optional.formUnion(entry.node.texts.map(\.text)) }
        }
    }
}

extension Node {
    /// The texts of a list, with their places.
    var texts: [(text: String, offset: Int?)] {
        guard case .array(let elements) = value else { return [] }
        return elements.compactMap { element in element.string.map { ($0, element.offset) } }
    }

    fileprivate var isListOfTexts: Bool {
        guard case .array(let elements) = value else { return false }
        return elements.allSatisfy { $0.string != nil }
    }
}
