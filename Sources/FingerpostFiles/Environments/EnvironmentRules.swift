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
        /// How calls are answered: a ``Network``.
        case network = "$network"
        /// How queries are written: a ``Dialect``.
        case dialect = "$dialect"
        /// The time for a call, in seconds.
        case timeout = "$timeout"
    }

    /// What `$network` can be.
    package enum Network: String, CaseIterable, Sendable {
        case live, sealed, mocksThenLive
    }

    /// What `$dialect` can be.
    package enum Dialect: String, CaseIterable, Sendable {
        case standard, rails, java
    }

    package private(set) var secrets: Set<String> = []
    package private(set) var optional: Set<String> = []
    /// The keys at the top that are secret or hold secrets.
    private var topsOfSecrets: Set<String> = []

    /// True when a key at the top is secret, or holds secrets.
    func namesSecrets(in key: String) -> Bool { topsOfSecrets.contains(key) }

    /// Checks the keys of one file, and adds what its reserved ones say.
    mutating func read(_ document: Document, problems: inout [FileProblem]) {
        var reader = ObjectReader(document)
        reader.checkKeys(of: document.root, isTop: true)
        for entry in document.root.entries ?? [] where entry.key.utf8.first == UInt8(ascii: "$") {
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                reader.reportUnknown(
                    entry, among: names,
                    fix: "use one of \(names.joined(separator: ", ")); other keys do not start with $")
                continue
            }
            switch key {
            case .secrets:
                for path in reader.keys(entry) where secrets.insert(path).inserted {
                    topsOfSecrets.insert(String(Substring(path.utf8.prefix { $0 != UInt8(ascii: ".") })))
                }
            case .optional: optional.formUnion(reader.keys(entry))
            case .unset: _ = reader.keys(entry)
            case .timeout: reader.checkSeconds(entry)
            case .extends: _ = reader.text(entry, fix: "write the name of an environment in quotes")
            case .network: _ = reader.choice(entry, Network.allCases.map(\.rawValue))
            case .dialect: _ = reader.choice(entry, Dialect.allCases.map(\.rawValue))
            }
        }
        problems += reader.problems
    }
}

extension ObjectReader {
    /// The keys that a reserved key lists.
    fileprivate mutating func keys(_ entry: Node.Entry) -> [String] {
        elements(entry, "keys", fix: "write [\"key\", \"nested.key\"]", as: \.string)
    }

    /// Checks keys at any depth.
    fileprivate mutating func checkKeys(of node: Node, isTop: Bool = false) {
        switch node.value {
        case .array(let elements):
            for element in elements { checkKeys(of: element) }
        case .dictionary(let entries):
            for entry in entries {
                check(entry, isTop: isTop)
                checkKeys(of: entry.node)
            }
            if Set(entries.map { $0.key.lowercased() }).count < entries.count { reportTwins(among: entries) }
        default: break
        }
    }

    private mutating func check(_ entry: Node.Entry, isTop: Bool) {
        let key = entry.key
        if key.isEmpty { return report(entry.keyOffset, "a key is empty", fix: "give it a name") }
        if key.utf8.contains(UInt8(ascii: ".")) {
            report(
                entry.keyOffset, "the key \"\(key)\" contains a dot, which separates nested keys",
                fix: "rename it, or nest it in a dictionary")
        } else if !isTop, key.utf8.first == UInt8(ascii: "$") {
            report(
                entry.keyOffset, "the key \"\(key)\" starts with $, as only keys at the top may",
                fix: "move it to the top level, or rename it")
        }
    }

    private mutating func reportTwins(among entries: [Node.Entry]) {
        checkDuplicates(entries)
        var seen: Set<String> = []
        var folded: [String: String] = [:]
        for entry in entries where seen.insert(entry.key).inserted {
            guard let other = folded.updateValue(entry.key, forKey: entry.key.lowercased()) else { continue }
            report(
                entry.keyOffset, "the keys \"\(other)\" and \"\(entry.key)\" differ only in letter case",
                fix: "rename or remove one of them")
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
