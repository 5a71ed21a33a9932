import Foundation

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

    /// True for a key that `$secrets` lists, and for every key inside one.
    func isSecret(_ path: String) -> Bool { secrets.contains(pathOrParentOf: path) }

    /// Makes a key secret that `$secrets` does not list.
    mutating func hide(_ path: String) { secrets.insert(path) }

    /// Merges a file's reserved keys into these rules.
    ///
    /// - Parameter isSecretsFile: true for a file that may set no reserved key except `$secrets`. `EnvironmentLoader`
    ///   reports the others. Their values are not read, because a problem would quote them.
    /// - Returns: false when a reserved key that decides which keys the environment has could not be read.
    mutating func read(_ document: Document, isSecretsFile: Bool, problems: inout [FileProblem]) -> Bool {
        var isComplete = true
        for entry in document.root.entries ?? [] where entry.key.utf8.first == UInt8(ascii: "$") {
            guard let key = Key(rawValue: entry.key) else {
                let names = Key.allCases.map(\.rawValue)
                let fix = "use one of \(names.joined(separator: ", ")); other keys do not start with $"
                problems.append(document.problem(at: entry.keyOffset, entry.unknown(among: names, fix: fix)))
                isComplete = false
                continue
            }
            if isSecretsFile, key != .secrets { continue }
            switch key {
            case .secrets: secrets.formUnion(entry.node.texts.map(\.text))
            case .provided: provided.formUnion(entry.node.texts.map(\.text))
            case .optional: optional.formUnion(entry.node.texts.map(\.text))
            case .unset: unset.formUnion(entry.node.texts.map(\.text))
            default: break
            }
            let found = key.misfits(of: entry)
            problems += found.map { document.problem(at: $0.offset, $0.problem) }
            if !found.isEmpty, key.decidesKeys { isComplete = false }
        }
        return isComplete
    }
}

extension EnvironmentRules.Key {
    /// A reserved key that the text of a file contains twice; nil if there is none. Foundation keeps one of the two
    /// values, and which one must not decide where calls go.
    static func repeated(in file: Data) -> String? {
        let text = [UInt8](file)
        var seen: Set<String> = []
        for start in text.indices where text[start] == UInt8(ascii: "$") && start > 0 {
            let name = text[start...].prefix { $0 == text[start] || $0.isASCIILetter }
            let rest = text[name.endIndex...]
            // `"$network" :` in JSON, `<key>$network</key>` in a property list.
            let isKey =
                switch text[start - 1] {
                case UInt8(ascii: "\""):
                    rest.first == text[start - 1]
                        && rest.dropFirst().first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == UInt8(ascii: ":")
                case UInt8(ascii: ">"): rest.begins(with: "</key>")
                default: false
                }
            let key = String(decoding: name, as: UTF8.self)
            if isKey, EnvironmentRules.Key(rawValue: key) != nil, !seen.insert(key).inserted { return key }
        }
        return nil
    }

    /// The problems of the key's value, each with its offset.
    fileprivate func misfits(of entry: Node.Entry) -> [(offset: Int?, problem: FileProblem)] {
        let problem: FileProblem?
        switch self {
        case .secrets, .provided, .optional, .unset:
            let fix = "write [\"key\", \"nested.key\"]"
            if let elements = entry.node.elements {
                return elements.filter { $0.string == nil }.map { ($0.offset, entry.misfit($0, of: "keys", fix: fix)) }
            }
            problem = entry.mismatch("a list of keys", fix: fix)
        case .timeout: problem = entry.misfitOfSeconds
        case .retry:
            let fix = "write \"standard\", \"off\", or the number of attempts"
            problem =
                switch entry.node.value {
                case _ where EnvironmentRules.Retry(entry.node.value) != nil: nil
                case .string: entry.misfit(in: ["standard", "off"], fix: fix)
                default: entry.mismatch("a number of attempts from 1 to \(EnvironmentRules.Retry.maximum)", fix: fix)
                }
        case .extends:
            problem =
                entry.node.string == nil
                ? entry.mismatch("text", fix: "write the name of an environment in quotes") : nil
        case .network: problem = entry.misfit(in: EnvironmentRules.Network.allCases.map(\.rawValue))
        case .dialect: problem = entry.misfit(in: EnvironmentRules.Dialect.allCases.map(\.rawValue))
        case .access: problem = entry.misfit(in: EnvironmentRules.Access.allCases.map(\.rawValue))
        case .log: problem = entry.misfit(in: EnvironmentRules.Log.allCases.map(\.rawValue))
        case .switchable:
            let isFlag = if case .boolean = entry.node.value { true } else { false }
            problem = isFlag ? nil : entry.mismatch("true or false", fix: "write true or false without quotes")
        }
        return problem.map { [(entry.node.offset, $0)] } ?? []
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

extension Node {
    /// The strings in a list, each with its offset.
    package var texts: [(text: String, offset: Int?)] {
        (elements ?? []).compactMap { element in element.string.map { ($0, element.offset) } }
    }
}
