package import FingerpostFiles
import Foundation

/// Finds problems in the files of one environment: names of keys, secrets in committed files, and values that
/// `$secrets` does not list. Developers should correct these problems, but an app still runs with them.
struct EnvironmentCheck {
    private let environment: LayeredEnvironment
    /// The top-level keys that are secret or contain secrets.
    private let topSecrets: Set<String>
    private var problems: [FileProblem] = []

    private init(_ environment: LayeredEnvironment) {
        self.environment = environment
        topSecrets = Set(
            environment.rules.secrets.map { path in
                path.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(path[..<$0]) } ?? path
            })
    }

    static func problems(of environment: LayeredEnvironment) -> [FileProblem] {
        var check = EnvironmentCheck(environment)
        for document in environment.documents {
            var reader = ObjectReader(document)
            reader.checkKeys(of: document.root)
            check.problems += reader.problems
        }
        for (document, origin) in environment.layers {
            switch origin {
            case .repository:
                check.checkLiteralSecrets(document)
                check.checkAccess(document)
            case .secrets: check.problems += check.strangers(in: document)
            case .elsewhere: break
            }
        }
        check.checkSecretNames()
        check.checkProvidedNames()
        check.checkUnsetNames()
        check.checkSwitchable()
        return check.problems
    }

    private mutating func checkLiteralSecrets(_ document: Document) {
        for entry in document.root.entries ?? [] where topSecrets.contains(entry.key) {
            entry.forEachLeaf { path, leaf in
                if leaf.node.value.isNull || leaf.node.string?.isEmpty == true { return }
                let path = path()
                guard environment.rules.secrets.contains(path) else { return }
                problems.append(
                    document.problem(
                        at: leaf.node.offset, "the secret \"\(path)\" is in a committed file",
                        fix:
                            "\(document.isPropertyList ? "leave it empty" : "write null") here, and put the value in \(document.environment)\(EnvironmentFile.secretsSuffix).json or "
                            + EnvironmentVariables.name(for: path)
                    ).ofValue(at: path))
            }
        }
    }

    /// Reports keys in a secrets file that are not listed in `$secrets`, because messages and logs would show their
    /// values.
    private func strangers(in document: Document) -> [FileProblem] {
        if environment.isIncomplete { return [] }
        var strangers: [(path: String, leaf: Node.Entry)] = []
        let secrets = environment.rules.secrets
        for entry in document.root.entries ?? [] where !entry.key.hasPrefix("$") {
            entry.forEachLeaf { path, leaf in
                let path = path()
                if !secrets.contains(path) { strangers.append((path, leaf)) }
            }
        }
        // Most secrets files contain no unlisted keys, so the search of the committed files below is rarely needed.
        if strangers.isEmpty { return [] }
        let committed = environment.committedDocuments.map(Setting.init)
        let hints = NameHints()
        return strangers.map { path, leaf in
            let isDeclared = committed.contains { $0[path: path] != nil }
            return document.problem(
                at: leaf.keyOffset ?? leaf.node.offset,
                isDeclared
                    ? "\"\(path)\" is in the secrets file, but \"$secrets\" does not list it"
                    : "\"\(path)\" is only in the secrets file" + hints.hint(path, in: environment.rules.secrets),
                fix: isDeclared
                    ? "list it in \"$secrets\", or move the value to a committed file"
                    : "correct its name, or list it in \"$secrets\""
            ).ofValue(at: path)
        }
    }

    /// Reports misspelled entries of `$secrets`, and entries that name a dictionary or the description.
    private mutating func checkSecretNames() {
        let hints = NameHints()
        for (path, document, offset) in environment.names(in: .secrets) {
            let flaw: String
            let fix: String
            if path == LayeredEnvironment.descriptionKey {
                (flaw, fix) = ("which messages show", "remove it")
            } else if let setting = environment.root[path: path] {
                guard setting.isDictionary else { continue }
                (flaw, fix) = ("which is a dictionary", "list its secret keys instead")
            } else {
                if environment.isIncomplete || environment.rules.unset.covers(path) { continue }
                flaw = "which no layer declares" + hints.hint(path, in: environment.paths)
                fix = "correct the name, or declare it \(document.isPropertyList ? "with an empty text" : "as null")"
            }
            problems.append(
                document.problem(at: offset, "\"$secrets\" names \"\(path)\", " + flaw, fix: fix).ofValue(at: path))
        }
    }

    /// Reports entries of `$provided` that `$secrets` does not list.
    private mutating func checkProvidedNames() {
        for (path, document, offset) in environment.names(in: .provided)
        where !environment.rules.secrets.contains(path) && environment.rules.provided.contains(path) {
            problems.append(
                document.problem(
                    at: offset,
                    "\"$provided\" names \"\(path)\", which \"$secrets\" does not list"
                        + NearestName.hint(path, in: environment.rules.secrets),
                    fix: "list it in \"$secrets\" too, or correct the name"
                ).ofValue(at: path))
        }
    }

    /// Reports entries of `$unset` that remove nothing.
    private mutating func checkUnsetNames() {
        // This check merges the layers again, so the check runs only for the few environments with an `$unset` key.
        if environment.isIncomplete || environment.rules.unset.isEmpty { return }
        let hints = NameHints()
        _ = environment.merging { document, origin, lower in
            for (path, offset) in origin == .secrets ? [] : document[.unset]?.texts ?? []
            where lower.root[path: path] == nil && !environment.rules.secrets.contains(path) {
                problems.append(
                    document.problem(
                        at: offset,
                        "\"$unset\" names \"\(path)\", which no lower layer contains"
                            + hints.hint(path, in: lower.settingPaths),
                        fix: "correct or remove it"
                    ).ofValue(at: path))
            }
        }
    }

    /// Reports `$access` in the file of one environment, because all environments share the generated code.
    private mutating func checkAccess(_ document: Document) {
        guard let access = document[.access],
            document.environment != EnvironmentFolder.base
        else { return }
        problems.append(
            document.problem(
                at: access.offset, "one environment cannot set \"$access\", because all share the generated code",
                fix: "move it to \(EnvironmentFolder.base)\(EnvironmentFile.suffix)"
            ).ofValue(at: EnvironmentRules.Key.access.rawValue))
    }

    /// Reports `$switchable` in a file that is not committed, because nobody reviews such a file.
    private mutating func checkSwitchable() {
        guard let setting = environment[.switchable], !environment.isCommitted(setting) else { return }
        problems.append(
            setting.source.problem(
                "\"$switchable\" counts only in a committed file", fix: "move it to a file <Name>-Env"))
    }
}

extension Document {
    /// The name of the environment that the file belongs to.
    package var environment: String {
        EnvironmentFile.target(ofFileNamed: URL(fileURLWithPath: path).lastPathComponent)
    }
}

extension Node.Entry {
    /// Calls the body for every nested value that is not a dictionary, in order, with its dotted path. If this entry is
    /// not a dictionary, calls the body once with the entry itself.
    ///
    /// - Parameter path: the path of the dictionary around this entry; empty at the top.
    fileprivate func forEachLeaf(in path: String = "", _ body: (_ path: () -> String, _ leaf: Node.Entry) -> Void) {
        guard let entries = node.entries else { return body({ Setting.path(of: key, in: path) }, self) }
        let path = Setting.path(of: key, in: path)
        for entry in entries { entry.forEachLeaf(in: path, body) }
    }
}

extension ObjectReader {
    /// Checks the names of keys at every depth.
    // This method does not use `visit(_:)`. That method is generic code of another module, and would take a third of
    // this check's time.
    fileprivate mutating func checkKeys(of node: Node, isTop: Bool = true) {
        for element in node.elements ?? [] { checkKeys(of: element, isTop: false) }
        guard let entries = node.entries else { return }
        var folded: [String] = []
        folded.reserveCapacity(entries.count)
        // An index avoids a copy of each entry.
        for index in entries.indices {
            check(entries[index], isTop: isTop)
            folded.append(entries[index].key.lowercased())
            if isTop, EnvironmentRules.ignored.contains(entries[index].key) { continue }
            checkKeys(of: entries[index].node, isTop: false)
        }
        if Self.hasTwins(folded) { reportTwins(among: entries) }
    }

    /// Returns true if a text occurs twice. For a few texts, a search is faster than a set.
    private static func hasTwins(_ texts: [String]) -> Bool {
        if texts.count > 16 { return Set(texts).count < texts.count }
        return texts.indices.contains { texts[..<$0].contains(texts[$0]) }
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
