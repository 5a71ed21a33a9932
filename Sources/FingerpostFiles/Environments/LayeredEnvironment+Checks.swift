import Foundation

extension LayeredEnvironment {
    /// Checks the merged values once all layers have been added.
    mutating func checkValues(readsSecrets: Bool) {
        for document in committedDocuments { checkLiteralSecrets(document) }
        for document in secretsDocuments { report(strangers(in: document)) }
        checkRuleNames()
        checkProvidedNames()
        checkSwitchable()
        checkCases(root)
        report(descriptionProblems)
        report(valueProblems(of: root, at: "", readsSecrets: readsSecrets))
        sortProblems()
    }

    /// Checks that values from secrets files and process variables have the types declared in the committed files,
    /// because the generated Swift code relies on those types.
    ///
    /// - Parameter committed: the values merged from the committed files only.
    mutating func checkTypes(against committed: Setting) {
        var found: [FileProblem] = []
        root.forEachReplacement(of: committed) { path, setting, before in
            // A key that is null in the committed files can have any type. Invalid values are reported by
            // `checkValues`.
            if setting.isNull || before.isNull || ValueCheck.problem(of: setting.value, placeholder: nil) != nil {
                return
            }
            let type = KeyType(before.value)
            guard type.joined(with: KeyType(setting.value)) != type else { return }
            found.append(
                setting.source.problem(
                    "\"\(path)\" is \(type.demand) in \(before.source), "
                        + "but \(setting.value.kind) of an incompatible type here",
                    fix: "write the value in the same form as in the files"))
        }
        report(found)
    }

    private var descriptionProblems: [FileProblem] {
        let setting = root[Self.descriptionKey]
        let source = setting?.source ?? documents.last.map { .file($0, offset: $0.root.offset) } ?? .code
        if let setting, !setting.isNull, setting.node.string == nil {
            return [
                source.problem(
                    "the key \"description\" is \(setting.value.kind) where text is expected", fix: "put it in quotes")
            ]
        }
        // The description `Testing` seals an environment. If its author writes `testing`, calls go to a server although
        // the author expects mocks. When the own file sets `$network`, the description does not affect how calls are
        // answered.
        guard ownNetwork == nil, !isSealed, description != Self.sealedDescription,
            description.trimmingCharacters(in: .whitespaces).lowercased() == Self.sealedDescription.lowercased()
        else { return [] }
        return [
            source.problem(
                "the description \"\(description)\" is not \"\(Self.sealedDescription)\", "
                    + "so calls would be sent to the server",
                fix: "write \"description\": \"\(Self.sealedDescription)\" to answer from mocks, or set \"$network\"")
        ]
    }

    /// The problems found in a value, or in all values of a dictionary.
    func valueProblems(of setting: Setting, at path: String, readsSecrets: Bool = true) -> [FileProblem] {
        var problems: [FileProblem] = []
        setting.forEachLeaf(below: path) { path, setting in
            if setting.isNull {
                if let problem = missingValue(setting, at: path(), readsSecrets: readsSecrets) {
                    problems.append(problem)
                }
                return
            }
            // Most values are valid, so a path is built only for an invalid value and for a text that may be wrong.
            var problem: FileProblem?
            if ValueCheck.problem(of: setting.value, placeholder: nil) != nil {
                let placeholder = isSecret(path()) ? "<secret \(path())>" : nil
                problem = ValueCheck.problem(of: setting.value, placeholder: placeholder)
            } else if case .string(let text) = setting.value {
                problem = urlProblem(text, of: setting, at: path)
            }
            if let problem {
                problems.append(setting.source.problem("\"\(path())\" \(problem.message)", fix: problem.fix))
            }
        }
        return problems
    }

    /// The problem with text that should be a URL: the text of a base URL, or text that replaces a URL of a lower
    /// layer. Also the problem with a base URL that is not an http or https URL.
    private func urlProblem(_ text: String, of setting: Setting, at path: () -> String) -> FileProblem? {
        if let url = URLText.url(text) {
            guard let scheme = url.scheme?.lowercased(), scheme != "https", scheme != "http" else {
                return BaseURLKey.isNamed(path()) ? BaseURLKey.problem(ofFragmentIn: text) : nil
            }
            return BaseURLKey.problem(ofScheme: isSecret(path()) ? nil : scheme, at: path())
        }
        if BaseURLKey.isNamed(path()) { return BaseURLKey.problem(ofPlainText: text, isSecret: isSecret(path())) }
        // A value from a secrets file or a process variable is compared by `checkTypes`.
        guard let url = setting.replaced.first(where: { $0.value.isURL }), case .file(let document, _) = setting.source,
            committedDocuments.contains(where: document.isSame)
        else { return nil }
        return FileProblem(
            "is a URL in \(url.source), but has no scheme here", fix: "start it with https:// or http://")
    }

    private func missingValue(_ setting: Setting, at path: String, readsSecrets: Bool) -> FileProblem? {
        if rules.optional.contains(path) || isIncomplete { return nil }
        guard rules.secrets.contains(path) else {
            // If `$secrets` lists a dictionary, the entry in `$secrets` is reported instead of the dictionary's values.
            if rules.isSecret(path) { return nil }
            return setting.source.problem(
                "\"\(path)\" is declared but has no value",
                fix: "give it a value in this environment, or list it in \"$optional\"")
        }
        if !readsSecrets || isSealed { return nil }
        let isProvided = rules.provided.contains(path)
        if isProvided, asksForSecrets == nil { return nil }
        let empty = emptyVariables[path]
        let message =
            "the secret \"\(path)\" has no value"
            + (empty.map { " (the process variable \($0) is set, but empty)" } ?? "")
        if isProvided {
            return setting.source.problem(
                message + (asksForSecrets == true ? ", and the app's SecretSource has none" : ""),
                fix: asksForSecrets == true
                    ? "let the source return it, or list the key in \"$optional\""
                    : "call APIEnvironment.bootstrap(secrets:) at launch, before the environment is used")
        }
        let variable = EnvironmentVariables.name(for: path)
        if case .code = setting.source { return setting.source.problem(message, fix: "give it a value") }
        guard let secretsHint else {
            return setting.source.problem(
                message,
                fix: committedDocuments.isEmpty
                    ? "give it a value, or list it in \"$optional\""
                    : "load the environment by its name, so that its secrets file and \(variable) are read")
        }
        return setting.source.problem(
            "\(message); looked in \(secretsHint.lookedIn)",
            fix: (secretsHint.file.map { "add it to \($0), or " } ?? "")
                + (empty.map { "give the process variable \($0) a value" } ?? "set the process variable \(variable)")
                + " (in Xcode: in the scheme)"
                + (secretsHint.file == nil
                    ? "; for an installed app, list it in \"$provided\" and call APIEnvironment.bootstrap(secrets:)"
                    : ""))
    }

    // MARK: Secrets

    private mutating func checkLiteralSecrets(_ document: Document) {
        let target = EnvironmentFile.target(ofFileNamed: URL(fileURLWithPath: document.path).lastPathComponent)
        for entry in document.root.entries ?? [] where rules.namesSecrets(in: entry.key) {
            entry.forEachLeaf(at: entry.key) { path, leaf in
                if leaf.node.value.isNull || leaf.node.string?.isEmpty == true { return }
                guard rules.secrets.contains(path) else { return }
                report(
                    document.problem(
                        at: leaf.node.offset, "the secret \"\(path)\" is in a committed file",
                        fix:
                            "\(document.isPropertyList ? "leave it empty" : "write null") here, and put the value in \(target)\(EnvironmentFile.secretsSuffix).json or "
                            + EnvironmentVariables.name(for: path)))
            }
        }
    }

    /// Reports keys in a secrets file that are not listed in `$secrets`, because messages and logs would show their
    /// values.
    private func strangers(in document: Document) -> [FileProblem] {
        if isIncomplete { return [] }
        var strangers: [(path: String, leaf: Node.Entry)] = []
        let secrets = rules.secrets
        for entry in document.root.entries ?? [] where !entry.key.hasPrefix("$") {
            entry.forEachLeaf(at: entry.key) { path, leaf in
                if !secrets.contains(path) { strangers.append((path, leaf)) }
            }
        }
        // Most secrets files have none. The committed files are searched only for a stranger.
        if strangers.isEmpty { return [] }
        let committed = committedDocuments.map(Setting.init)
        let hints = NameHints()
        return strangers.map { path, leaf in
            let isDeclared = committed.contains { $0[path: path] != nil }
            return document.problem(
                at: leaf.keyOffset ?? leaf.node.offset,
                isDeclared
                    ? "\"\(path)\" is in the secrets file, but \"$secrets\" does not list it"
                    : "\"\(path)\" is only in the secrets file" + hints.hint(path, in: rules.secrets),
                fix: isDeclared
                    ? "list it in \"$secrets\", or move the value to a committed file"
                    : "correct its name, or list it in \"$secrets\"")
        }
    }

    /// Reports entries of `$secrets` that name a dictionary, and those that `declareSecrets` took for a typo.
    private mutating func checkRuleNames() {
        // Most entries of `$secrets` are valid. The files are searched only for an invalid entry.
        lazy var layers = documents.map(Setting.init)
        let hints = NameHints()
        for document in documents {
            for (path, offset) in document.root[EnvironmentRules.Key.secrets.rawValue]?.texts ?? [] {
                if path == Self.descriptionKey {
                    report(
                        document.problem(
                            at: offset, "\"$secrets\" names \"\(path)\", which messages show", fix: "remove it"))
                    continue
                }
                if root[path: path]?.isDictionary == false { continue }
                let declared = layers.compactMap { $0[path: path] }
                if declared.contains(where: \.isDictionary) {
                    report(
                        document.problem(
                            at: offset, "\"$secrets\" names \"\(path)\", which is a dictionary",
                            fix: "list its secret keys instead"))
                } else if declared.isEmpty, !isIncomplete, !rules.unset.contains(pathOrParentOf: path) {
                    report(
                        document.problem(
                            at: offset,
                            "\"$secrets\" names \"\(path)\", which no layer declares" + hints.hint(path, in: paths),
                            fix:
                                "correct the name, or declare it \(document.isPropertyList ? "with an empty text" : "as null")"
                        ))
                }
            }
        }
    }

    /// Reports entries of `$provided` that `$secrets` does not list.
    private mutating func checkProvidedNames() {
        for document in documents {
            for (path, offset) in document.root[EnvironmentRules.Key.provided.rawValue]?.texts ?? []
            where rules.provided.contains(path) && !rules.secrets.contains(path) {
                report(
                    document.problem(
                        at: offset,
                        "\"$provided\" names \"\(path)\", which \"$secrets\" does not list"
                            + NearestName.hint(path, in: rules.secrets),
                        fix: "list it in \"$secrets\" too, or correct the name"))
            }
        }
    }

    // MARK: Keys

    /// Reports keys that differ only in letter case between layers: `timeOut` and `timeout` are two keys, and code
    /// reads only one of them.
    private mutating func checkCases(_ setting: Setting) {
        var folded: [String: String] = [:]
        for member in setting.members {
            if member.setting.isDictionary { checkCases(member.setting) }
            let source = member.setting.source
            guard let other = folded.updateValue(member.key, forKey: member.key.lowercased()),
                let otherSource = setting[other]?.source, !otherSource.isSameFile(as: source)
            else { continue }
            report(
                source.problem(
                    "the keys \"\(member.key)\" and \"\(other)\" of \(otherSource) differ only in letter case",
                    fix: "write them the same way"))
        }
    }
}

extension Node {
    /// The value at a dotted path.
    func descendant(_ path: String) -> Node? {
        path.words(between: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}

extension Node.Entry {
    /// Calls the body for every nested value that is not a dictionary, in order, with its dotted path. If this entry is
    /// not a dictionary, calls the body once with the entry itself.
    fileprivate func forEachLeaf(at path: String, _ body: (_ path: String, _ leaf: Node.Entry) -> Void) {
        guard let entries = node.entries else { return body(path, self) }
        for entry in entries { entry.forEachLeaf(at: "\(path).\(entry.key)", body) }
    }
}

extension Node.Value {
    /// True for text that is a URL with a scheme and `://`.
    fileprivate var isURL: Bool {
        if case .string(let text) = self { URLText.url(text) != nil } else { false }
    }
}

/// Finds invalid values: unexpanded build settings, URLs without a host, with an invalid port or in white space, and
/// numbers that are not finite.
private enum ValueCheck {
    /// - Parameter placeholder: shown instead of a secret value.
    /// - Returns: the problem, with a message that continues a sentence starting with the key's name; nil for a valid
    ///   value.
    static func problem(of value: Node.Value, placeholder: String?) -> FileProblem? {
        var first: FileProblem?
        Node(value).visit { node in
            guard first == nil else { return }
            switch node.value {
            case .string(let text): first = problem(of: text, placeholder: placeholder)
            case .real(let number) where !number.isFinite:
                first = FileProblem("is not a finite number", fix: "write a number, or text")
            default: break
            }
        }
        return first
    }

    private static func problem(of text: String, placeholder: String?) -> FileProblem? {
        if holdsVariable(text) {
            return FileProblem(
                "contains a variable that was not replaced: \(placeholder ?? URLText.hidingUserInfo(text).printable)",
                fix: "write the value, or have the build replace it")
        }
        guard text.utf8.count >= 5 else { return nil }
        if isPadded(text) { return problem(ofPadded: text) }
        // A fast exit, because a scheme is compared without letter case.
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "h") else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.elementsEqual(":".utf8) {
            return FileProblem(
                "is only \"\(text)\", because // starts a comment in .xcconfig files",
                fix: "write \(scheme):/$()/host in the .xcconfig file, or the URL here")
        }
        guard rest.begins(with: "://") else { return nil }
        guard URLText.hasValidPort(text) else {
            return FileProblem("has a port that is not in 1...65535", fix: "correct or remove the port")
        }
        guard let url = URLText.url(text) else {
            // A text whose path is no path of a URL is plain text: `https://example.com/{id}` is a template.
            if URLText.hasValidAuthority(text) { return nil }
            return FileProblem("is not a URL", fix: "correct the host")
        }
        if url.host?.isEmpty ?? true { return FileProblem("is a URL without a host", fix: "write the full URL") }
        return URLText.problem(ofHostIn: text)
    }

    /// The problem with a URL that has white space around it; nil for other text.
    private static func problem(ofPadded text: String) -> FileProblem? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.contains(where: \.isWhitespace), URLText.url(trimmed) != nil else { return nil }
        return FileProblem("is a URL with white space around it", fix: "remove the white space")
    }

    private static func isPadded(_ text: String) -> Bool {
        // A fast exit, because most texts begin and end with a visible character of ASCII.
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        if let first = text.utf8.first, let last = text.utf8.last, visible ~= first, visible ~= last { return false }
        return text.first?.isWhitespace == true || text.last?.isWhitespace == true
    }

    /// True for text that contains `$(NAME)` or `${NAME}`.
    private static func holdsVariable(_ text: String) -> Bool {
        // A fast exit, because most texts contain no dollar sign.
        if text.utf8.withContiguousStorageIfAvailable({ $0.contains(UInt8(ascii: "$")) }) == false { return false }
        var rest = text.utf8[...]
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[rest.index(after: dollar)...]
            guard let open = rest.first, open == UInt8(ascii: "(") || open == UInt8(ascii: "{") else { continue }
            let name = rest.dropFirst().prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
            if let first = name.first, !first.isASCIIDigit, name.endIndex < rest.endIndex, rest[name.endIndex] == close
            {
                return true
            }
        }
        return false
    }
}
