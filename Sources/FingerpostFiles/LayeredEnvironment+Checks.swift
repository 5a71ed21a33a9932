import Foundation

extension LayeredEnvironment {
    /// Looks at the values as a whole, when all layers are there.
    mutating func checkValues(readsSecrets: Bool) {
        for document in committedDocuments { checkLiteralSecrets(document) }
        checkRuleNames()
        var found: [FileProblem] = []
        root.forEachLeaf { path, setting in
            if let problem = Self.problem(of: setting, at: path) { found.append(problem) }
            guard case .null = setting.value, !rules.optional.contains(path) else { return }
            if !rules.secrets.contains(path) {
                found.append(
                    setting.source.problem(
                        "\"\(path)\" is declared and has no value",
                        fix: "give it one in this environment, or list it in \"$optional\""))
            } else if readsSecrets, !isSealed {
                found.append(
                    setting.source.problem(
                        "the secret \"\(path)\" has no value",
                        fix: "set \(EnvironmentVariables.name(for: path)), or put it into the file of secrets"))
            }
        }
        for problem in found { report(problem) }
    }

    /// Values from outside the repository must be of the types that the committed files promise to the code.
    ///
    /// - Parameter committed: the values before the others were laid over them.
    mutating func checkTypes(against committed: Setting) {
        var found: [FileProblem] = []
        root.forEachLeaf { path, setting in
            guard !setting.replaced.isEmpty, let before = committed[path: path], !before.isDictionary,
                before.replaced.count < setting.replaced.count
            else { return }
            if case .null = setting.value { return }
            let type = KeyType(before.value)
            guard type.joined(with: KeyType(setting.value)) != type else { return }
            found.append(
                setting.source.problem(
                    "\"\(path)\" is \(type.demand) in \(before.source), and this is \(setting.value.kind) that cannot be one",
                    fix: "write the value as the files do"))
        }
        for problem in found { report(problem) }
    }

    /// True where mocks answer, which need no secrets.
    package var isSealed: Bool {
        (reserved[.network]?.node.string ?? (root["description"]?.node.string == "Testing" ? "sealed" : "live"))
            == "sealed"
    }

    private mutating func checkLiteralSecrets(_ document: Document) {
        for path in rules.secrets.sorted() {
            let node = path.split(separator: ".").reduce(Optional(document.root)) { $0?[String($1)] }
            guard let node else { continue }
            if case .null = node.value { continue }
            report(
                document.problem(
                    at: node.offset, "the secret \"\(path)\" stands in a file that is committed",
                    fix:
                        "write null here, and the value into <Target>-Secrets.json or \(EnvironmentVariables.name(for: path))"
                ))
        }
    }

    /// Rules about keys that nobody declares are slips.
    private mutating func checkRuleNames() {
        let known = paths
        for (key, names) in [(EnvironmentRules.Key.secrets, rules.secrets), (.optional, rules.optional)] {
            for name in names.sorted() where root[path: name] == nil && key == .secrets {
                report(
                    (reserved[key]?.source ?? root.source).problem(
                        "\"\(key.rawValue)\" names \"\(name)\", which no layer declares"
                            + NearestName.hint(name, in: known),
                        fix: "declare it with null, or correct the name"))
            }
        }
    }

    /// What build settings leave behind, and URLs that lead nowhere.
    private static func problem(of setting: Setting, at path: String) -> FileProblem? {
        guard case .string(let text) = setting.value else { return nil }
        if text.range(of: #"\$[({][A-Za-z_][A-Za-z0-9_]*[)}]"#, options: .regularExpression) != nil {
            return setting.source.problem(
                "\"\(path)\" holds a variable that was not replaced: \(text)",
                fix: "write the value, or have the build replace it")
        }
        let scheme = text.lowercased()
        if ["http:", "https:"].contains(scheme) {
            return setting.source.problem(
                "\"\(path)\" is \"\(text)\" alone; in an .xcconfig file // starts a comment",
                fix: "write https:/$()/host there, or the URL here")
        }
        if scheme.hasPrefix("http://") || scheme.hasPrefix("https://"), URL(string: text)?.host?.isEmpty ?? true {
            return setting.source.problem("\"\(path)\" is a URL without a host", fix: "write it in full")
        }
        return nil
    }
}
