/// The rules for an environment's keys, merged from every layer. They are set by the reserved keys, which start with
/// `$`.
package struct EnvironmentRules: Sendable {
    /// The reserved keys.
    package enum Key: String, CaseIterable, Sendable {
        /// Lists the secret keys: their values must not be in a committed file, and messages never show these values.
        case secrets = "$secrets"
        /// Lists the secrets that an installed app gets from its code.
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
        /// Sets how often a call is sent again after a failure: see ``Retry``.
        case retry = "$retry"
        /// Sets which modules may use the generated Swift code: see ``Access``.
        case access = "$access"
        /// True if an installed app may switch to another environment.
        case switchable = "$switchable"
        /// Sets which calls are logged: see ``Log``.
        case log = "$log"

        /// True for the reserved keys that decide which keys an environment has or may omit.
        fileprivate var decidesKeys: Bool {
            switch self {
            case .secrets, .optional, .extends, .unset: true
            case .provided, .network, .dialect, .timeout, .retry, .access, .switchable, .log: false
            }
        }
    }

    /// The valid values of `$network`.
    package enum Network: String, CaseIterable, Sendable {
        case live, sealed, mocksThenLive
    }

    /// The valid values of `$dialect`.
    package enum Dialect: String, CaseIterable, Sendable {
        case standard, rails, java, indexed
    }

    /// The valid values of `$access`: the access level of the generated Swift code. `package` is not one of them,
    /// because its imports would make those of the module's other files ambiguous.
    package enum Access: String, CaseIterable, Sendable {
        case `internal`, `public`
    }

    /// The valid values of `$log`: which calls are logged.
    package enum Log: String, CaseIterable, Sendable {
        case off, failures, calls
    }

    /// The valid values of `$retry`: `"standard"`, `"off"`, or the number of attempts, including the first.
    package enum Retry: Equatable, Sendable {
        case standard, off
        case attempts(Int)

        /// The most attempts that a file may ask for.
        fileprivate static let maximum = 100

        init?(_ value: Node.Value) {
            switch value {
            case .string("standard"): self = .standard
            case .string("off"): self = .off
            case .integer(let number) where 1...Int64(Self.maximum) ~= number: self = .attempts(Int(number))
            default: return nil
            }
        }
    }

    /// The dotted paths that `$secrets` lists.
    package private(set) var secrets: Set<String> = []
    /// The dotted paths that `$provided` lists.
    package private(set) var provided: Set<String> = []
    /// The dotted paths that `$optional` lists.
    package private(set) var optional: Set<String> = []
    /// The dotted paths that `$unset` lists in any layer.
    private(set) var unset: Set<String> = []
    /// The top-level keys that are secret or contain secrets.
    private var topsOfSecrets: Set<String> = []

    /// True for a key that `$secrets` lists, and for every key inside one.
    func isSecret(_ path: String) -> Bool { secrets.contains(pathOrParentOf: path) }

    /// True when a top-level key is secret or contains secrets.
    func namesSecrets(in key: String) -> Bool { topsOfSecrets.contains(key) }

    /// Checks the keys of one file and merges the file's reserved keys into these rules.
    ///
    /// - Parameter isSecretsFile: true for a file that may set no reserved key except `$secrets`. `EnvironmentLoader`
    ///   reports the others. Their values are not read, because a problem would quote them.
    /// - Returns: false when a reserved key that decides which keys the environment has could not be read.
    mutating func read(_ document: Document, isSecretsFile: Bool, problems: inout [FileProblem]) -> Bool {
        var isComplete = true
        var reader = ObjectReader(document)
        reader.checkKeys(of: document.root)
        for entry in document.root.entries ?? [] where entry.key.utf8.first == UInt8(ascii: "$") {
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                reader.reportUnknown(
                    entry, among: names,
                    fix: "use one of \(names.joined(separator: ", ")); other keys do not start with $")
                isComplete = false
                continue
            }
            if isSecretsFile, key != .secrets { continue }
            let count = reader.problems.count
            switch key {
            case .secrets:
                for path in reader.keys(entry) where secrets.insert(path).inserted {
                    topsOfSecrets.insert(String(Substring(path.utf8.prefix { $0 != UInt8(ascii: ".") })))
                }
            case .provided: provided.formUnion(reader.keys(entry))
            case .optional: optional.formUnion(reader.keys(entry))
            case .unset: unset.formUnion(reader.keys(entry))
            case .timeout: reader.checkSeconds(entry)
            case .retry: reader.checkRetry(entry)
            case .extends: _ = reader.text(entry, fix: "write the name of an environment in quotes")
            case .network: _ = reader.choice(entry, Network.allCases.map(\.rawValue))
            case .dialect: _ = reader.choice(entry, Dialect.allCases.map(\.rawValue))
            case .access: _ = reader.choice(entry, Access.allCases.map(\.rawValue))
            case .switchable: _ = reader.boolean(entry, fix: "write true or false without quotes")
            case .log: _ = reader.choice(entry, Log.allCases.map(\.rawValue))
            }
            if reader.problems.count > count, key.decidesKeys { isComplete = false }
        }
        problems += reader.problems
        return isComplete
    }
}

extension Set<String> {
    /// True if the set contains a dotted path, or the path of a dictionary around it.
    func contains(pathOrParentOf path: String) -> Bool {
        var path = path[...]
        while !contains(String(path)) {
            guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
            path = path[..<dot]
        }
        return true
    }
}

extension ObjectReader {
    /// The keys listed in the value of a reserved key.
    fileprivate mutating func keys(_ entry: Node.Entry) -> [String] {
        elements(entry, "keys", fix: "write [\"key\", \"nested.key\"]", as: \.string)
    }

    /// Checks the value of `$retry`.
    fileprivate mutating func checkRetry(_ entry: Node.Entry) {
        let fix = "write \"standard\", \"off\", or the number of attempts"
        guard EnvironmentRules.Retry(entry.node.value) == nil else { return }
        switch entry.node.value {
        case .string: _ = choice(entry, ["standard", "off"], fix: fix)
        default: reportKind(entry, "a number of attempts from 1 to \(EnvironmentRules.Retry.maximum)", fix: fix)
        }
    }

    /// Checks the names of keys at every depth.
    fileprivate mutating func checkKeys(of root: Node) {
        root.visit(0) { node, entry, depth in
            if let entry { check(entry, isTop: depth == 1) }
            if let entries = node.entries, Set(entries.map { $0.key.lowercased() }).count < entries.count {
                reportTwins(among: entries)
            }
            return depth + 1
        }
    }

    private mutating func check(_ entry: Node.Entry, isTop: Bool) {
        let key = entry.key
        if key.isEmpty { return report(entry.keyOffset, "a key is empty", fix: "give it a name") }
        if key.withBytes({ $0.contains(UInt8(ascii: ".")) }) {
            report(
                entry.keyOffset, "the key \"\(key)\" contains a dot, which separates nested keys",
                fix: "rename it, or nest it in a dictionary")
        } else if !isTop, key.utf8.first == UInt8(ascii: "$") {
            report(
                entry.keyOffset, "the nested key \"\(key)\" starts with $, which only top-level keys can",
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
    /// The strings in a list, each with its offset.
    package var texts: [(text: String, offset: Int?)] {
        (elements ?? []).compactMap { element in element.string.map { ($0, element.offset) } }
    }
}
