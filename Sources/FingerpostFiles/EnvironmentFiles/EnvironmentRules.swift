import Foundation

/// The rules for an environment's keys, merged from every layer. Reserved keys, which start with `$`, set the rules.
package struct EnvironmentRules: Sendable {
    /// The reserved keys.
    package enum Key: String, CaseIterable, Sendable {
        /// Lists the secret keys: their values must not be in a committed file, and messages never show these values.
        case secrets = "$secrets"
        /// Lists the secrets that an installed app gets from its `SecretSource`.
        case provided = "$provided"
        /// Lists the keys that an environment may omit.
        case optional = "$optional"
        /// Names the environment whose values this environment inherits.
        case extends = "$extends"
        /// Lists the keys of lower layers that this layer removes.
        case unset = "$unset"
        /// Sets how calls are answered: see ``Network``.
        case network = "$network"
        /// Sets how queries are encoded: see ``Dialect``.
        case dialect = "$dialect"
        /// Sets the timeout of each call, in seconds.
        case timeout = "$timeout"
        /// Sets how often a call is retried after a failure: `"standard"`, `"off"`, or the number of attempts,
        /// including the first.
        case retry = "$retry"
        /// Sets which modules may use the generated Swift code: see ``Access``.
        case access = "$access"
        /// True if an installed app may switch to another environment.
        case switchable = "$switchable"
        /// Sets which calls are logged: see ``Log``.
        case log = "$log"
    }

    /// The valid values of `$network`.
    package enum Network: String, CaseIterable, Sendable {
        case live, sealed, mocksThenLive
    }

    /// The valid values of `$dialect`.
    package enum Dialect: String, CaseIterable, Sendable {
        case standard, rails, java, indexed
    }

    /// The valid values of `$access`: the access level of the generated Swift code. `package` is not valid,
    /// because `package` imports would make the imports of the module's other files ambiguous.
    package enum Access: String, CaseIterable, Sendable {
        case `internal`, `public`
    }

    /// The valid values of `$log`: which calls are logged.
    package enum Log: String, CaseIterable, Sendable {
        case off, failures, calls
    }

    /// The values of the reserved keys. For each key, the value from the highest layer that sets it applies. Secrets
    /// files cannot set these values.
    private(set) var values = Setting.Members()
    /// The dotted paths that `$secrets` lists.
    package private(set) var secrets: Set<String> = []
    /// The dotted paths that `$provided` lists.
    package private(set) var provided: Set<String> = []
    /// The dotted paths that `$optional` lists.
    package private(set) var optional: Set<String> = []
    /// The dotted paths that `$unset` lists in any layer.
    package private(set) var unset: Set<String> = []

    /// Makes a key secret although `$secrets` does not list the key.
    mutating func hide(_ path: String) { secrets.insert(path) }

    /// The reserved keys that a file contains only for editors and people.
    package static let ignored = ["$schema", "$comment"]

    /// Merges a file's reserved keys into these rules.
    ///
    /// - Parameter isSecretsFile: true for a secrets file, which may set no reserved key except `$secrets`. Only
    ///   committed files, which everybody can review, decide where calls go. The other reserved keys are not read,
    ///   because a problem would quote their values.
    /// - Returns: the problems of the reserved keys.
    mutating func read(_ document: Document, isSecretsFile: Bool) -> [FileProblem] {
        var problems: [FileProblem] = []
        for entry in document.root.entries ?? [] where entry.key.utf8.first == UInt8(ascii: "$") {
            if Self.ignored.contains(entry.key) { continue }
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                let fix = "use one of \(names.joined(separator: ", ")); other keys do not start with $"
                problems.append(document.problem(at: entry.keyOffset, entry.unknown(among: names, fix: fix)))
                continue
            }
            if isSecretsFile, key != .secrets {
                problems.append(
                    document.problem(
                        at: entry.keyOffset ?? entry.node.offset, "a secrets file cannot set \"\(key.rawValue)\"",
                        fix: key == .extends
                            ? "remove it"
                            : "move it to " + (key == .access ? EnvironmentFile.ofBase : "a committed file")))
                continue
            }
            if !isSecretsFile {
                values.change(entry.key) { _ in
                    Setting(entry.node, ValueSource.file(document, offset: nil).moved(to: entry))
                }
            }
            let texts = entry.node.texts.map(\.text)
            switch key {
            case .secrets: secrets.formUnion(texts)
            case .provided: provided.formUnion(texts)
            case .optional: optional.formUnion(texts)
            case .unset: unset.formUnion(texts)
            default: break
            }
            problems += key.problems(of: entry, in: document).map { $0.ofValue(at: entry.key) }
        }
        return problems
    }
}

extension EnvironmentRules.Key {
    /// The problems in the value of a reserved key.
    package func problems(of entry: Node.Entry, in document: Document) -> [FileProblem] {
        let keys = "write [\"key\", \"nested.key\"]"
        let attempts = "write \"standard\", \"off\", or the number of attempts"
        let lists: [Self] = [.secrets, .provided, .optional, .unset]
        let texts = entry.node.elements ?? [entry.node]
        if let text = texts.first(where: { $0.string?.hasInvisible == true }) {
            return [document.problem(at: text.offset, .invisible("\"\(entry.key)\" "))]
        }
        if lists.contains(self), let elements = entry.node.elements {
            return elements.filter { $0.string == nil }
                .map { document.problem(at: $0.offset, entry.misfit($0, of: "keys", fix: keys)) }
        }
        let problem: FileProblem? =
            switch (self, entry.node.value) {
            case (.secrets, _), (.provided, _), (.optional, _), (.unset, _): entry.mismatch("a list of keys", fix: keys)
            case (.timeout, _): entry.misfitOfSeconds
            case (.retry, .integer(1...100)), (.extends, .string), (.switchable, .boolean): nil
            case (.retry, .string): entry.misfit(in: ["standard", "off"], fix: attempts)
            case (.retry, _): entry.mismatch("a number of attempts from 1 to 100", fix: attempts)
            case (.extends, _): entry.mismatch("text", fix: "write the name of an environment in quotes")
            case (.network, _): entry.misfit(in: EnvironmentRules.Network.allCases.map(\.rawValue))
            case (.dialect, _): entry.misfit(in: EnvironmentRules.Dialect.allCases.map(\.rawValue))
            case (.access, _): entry.misfit(in: EnvironmentRules.Access.allCases.map(\.rawValue))
            case (.log, _): entry.misfit(in: EnvironmentRules.Log.allCases.map(\.rawValue))
            case (.switchable, _): entry.mismatch("true or false", fix: "write true or false without quotes")
            }
        return problem.map { [document.problem(at: entry.node.offset, $0)] } ?? []
    }
}

extension Set<String> {
    /// Returns true if the set contains the dotted path of a key, or of a dictionary around the key.
    package func covers(_ path: String) -> Bool {
        var path = path[...]
        while !contains(String(path)) {
            guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
            path = path[..<dot]
        }
        return true
    }
}

extension Document {
    /// The value of a reserved key.
    package subscript(key: EnvironmentRules.Key) -> Node? { root[key.rawValue] }
}

extension Node {
    /// The strings in a list, each with its offset.
    package var texts: [(text: String, offset: Int?)] {
        (elements ?? []).compactMap { element in element.string.map { ($0, element.offset) } }
    }
}
