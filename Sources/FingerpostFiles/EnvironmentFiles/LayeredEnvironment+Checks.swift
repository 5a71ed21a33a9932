import Foundation

extension LayeredEnvironment {
    /// Checks the merged values after all layers have been added. Without the strict parser, the checks find only
    /// problems that could send calls to another server or show a secret. The strict parser also finds other mistakes
    /// that people should correct.
    ///
    /// - Parameter committed: the values merged from the committed files only; nil if there are no other files.
    mutating func checkValues(against committed: Setting? = nil, readsSecrets: Bool = true) {
        problems = (parser?.problems(in: self) ?? []) + problems
        checkCases(root)
        checkDescription()
        problems += valueProblems(of: root, at: "", against: committed, readsSecrets: readsSecrets)
        problems = problems.inOrder
    }

    /// The error for a value whose type differs from the type in the committed files, because the generated Swift code
    /// relies on the types in these files.
    private func typeProblem(of setting: Setting, at place: Setting.Place, over committed: Setting?) -> FileProblem? {
        // A key that is null in the committed files can have any type.
        guard let committed, !isCommitted(setting), let before = committed[path: place.path], !before.isNull
        else { return nil }
        let type = KeyType(before.value)
        if type.joined(with: KeyType(setting.value)) == type { return nil }
        return setting.source.problem(
            "\"\(place.path)\" is \(type.demand) in \(before.source), "
                + "but \(setting.value.kind) of an incompatible type here",
            fix: "write the value in the same form as in the files")
    }

    mutating func checkDescription() {
        let setting = root[Self.descriptionKey]
        let source = setting?.source ?? documents.last.map { .file($0, offset: $0.root.offset) } ?? .code
        if let setting, !setting.isNull, setting.node.string == nil {
            problems.append(
                source.problem(
                    "the key \"description\" is \(setting.value.kind) where text is expected", fix: "put it in quotes"))
            return
        }
        // The description `Testing` seals an environment. If the author of a file writes `testing` instead, calls go to
        // a server although the author expects mocks. When the environment's own file sets `$network`, the description
        // does not affect how calls are answered.
        let shown = String(description.unicodeScalars.filter { !$0.isInvisible && !$0.properties.isWhitespace })
        guard ownNetwork == nil, !isSealed, shown.unicodeScalars.count == Self.sealedDescription.count,
            shown.compare(Self.sealedDescription, options: [.caseInsensitive, .widthInsensitive]) == .orderedSame
        else { return }
        problems.append(
            source.problem(
                "the description \"\(description.visible)\" is not \"\(Self.sealedDescription)\", "
                    + "so calls would be sent to the server",
                fix: "write \"description\": \"\(Self.sealedDescription)\" to answer from mocks, or set \"$network\""
            ))
    }

    /// The problems found in a value, or in all values of a dictionary.
    func valueProblems(
        of setting: Setting, at path: String, against committed: Setting? = nil, readsSecrets: Bool = true
    ) -> [FileProblem] {
        var problems: [FileProblem?] = []
        setting.forEachPlace(below: path) { place, setting in
            func report(_ problem: FileProblem?) { problems.append(problem?.ofValue(at: place.path)) }
            if setting.isNull { return report(missingValue(setting, at: place.path, readsSecrets: readsSecrets)) }
            var problem = problem(of: setting.value, at: place)
            if problem == nil {
                report(typeProblem(of: setting, at: place, over: committed))
                if case .string(let text) = setting.value { problem = urlProblem(text, at: place) }
            }
            if let problem {
                report(setting.source.problem("\"\(place.path)\" \(problem.message)", fix: problem.fix))
            }
        }
        return problems.compactMap { $0 }
    }

    /// Returns the problem with a value. The message continues a sentence that starts with the key's name. Without the
    /// strict parser, only base URLs and secrets are checked.
    private func problem(of value: Node.Value, at place: Setting.Place) -> FileProblem? {
        if let parser { return parser.problem(of: value) { placeholder(at: place) } }
        guard case .string(let text) = value, text.holdsVariable, isSecret(place.path) || BaseURLKey.isNamed(place.key)
        else { return nil }
        return FileProblem(unreplacedIn: text, placeholder: placeholder(at: place))
    }

    /// The text that is shown in place of a secret value; nil for other values.
    private func placeholder(at place: Setting.Place) -> String? {
        isSecret(place.path) ? "<secret \(place.path)>" : nil
    }

    /// The problem with the text of a base URL; nil for any other key.
    private func urlProblem(_ text: String, at place: Setting.Place) -> FileProblem? {
        guard BaseURLKey.isNamed(place.key) else { return nil }
        if text.hasInvisible { return .invisible() }
        guard let url = URLText.url(text) else {
            return BaseURLKey.problem(ofPlainText: text, placeholder: placeholder(at: place), parser: parser)
        }
        let scheme = url.scheme?.lowercased() ?? ""
        if scheme == "https" || scheme == "http" { return BaseURLKey.problem(ofFragmentIn: text) }
        // Only the default key must hold a URL for HTTP. Base URLs with other keys can be for other protocols.
        guard place.path == BaseURLKey.standard else { return nil }
        return FileProblem(
            isSecret(place.path) ? "is not an http or https URL" : "has the scheme \"\(scheme)\"",
            fix: "start it with https:// or http://")
    }

    private func missingValue(_ setting: Setting, at path: String, readsSecrets: Bool) -> FileProblem? {
        if rules.optional.contains(path) || isIncomplete { return nil }
        guard rules.secrets.contains(path) else {
            // If `$secrets` lists a dictionary, the entry in `$secrets` is reported instead of the dictionary's values.
            if rules.secrets.covers(path) { return nil }
            return setting.source.problem(
                "\"\(path)\" is declared but has no value",
                fix: "give it a value in this environment, or list it in \"$secrets\" or \"$optional\"")
        }
        if !readsSecrets || isSealed { return nil }
        let isProvided = rules.provided.contains(path)
        if isProvided, asksForSecrets == nil { return nil }
        let empty = emptyVariables[path]
        let message =
            "the secret \"\(path)\" has no value"
            + (empty.map { " (the environment variable \($0) is set, but empty)" } ?? "")
        if isProvided {
            return setting.source.problem(
                message + (asksForSecrets == true ? ", and the app's SecretSource has none" : ""),
                fix: asksForSecrets == true
                    ? "let the source return it, or list the key in \"$optional\""
                    : "call APIEnvironment.bootstrap(secrets:) at launch, before the environment is used")
        }
        let variable = EnvironmentVariables.name(for: path)
        if origin(of: setting.source) == nil { return setting.source.problem(message, fix: "give it a value") }
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
                + (empty.map { "give the environment variable \($0) a value" }
                    ?? "set the environment variable \(variable)")
                + " (in Xcode: in the scheme)"
                + (rules.secrets.contains { $0 != path && root[path: $0]?.isNull == false }
                    ? "; if the calls of this run do without it, list it in \"$optional\"" : "")
                + (secretsHint.file == nil
                    ? "; for an installed app, list it in \"$provided\" and call APIEnvironment.bootstrap(secrets:)"
                    : ""))
    }

    // MARK: Keys

    /// Reports keys that differ only in letter case between layers: `timeOut` and `timeout` are two keys, and code
    /// reads only one of them.
    private mutating func checkCases(_ setting: Setting) {
        var folded = [String: Setting.Members.Element](minimumCapacity: setting.members.list.count)
        for member in setting.members.list {
            if member.setting.isDictionary { checkCases(member.setting) }
            let source = member.setting.source
            // The strict parser reports keys that differ only in letter case within one file.
            guard let other = folded.updateValue(member, forKey: member.key.lowercased()),
                parser == nil || other.setting.source.document !== source.document
            else { continue }
            problems.append(
                source.problem(
                    "the keys \"\(member.key)\" and \"\(other.key)\" of \(other.setting.source) differ only in letter case",
                    fix: "write them the same way"
                ).ofValue(at: member.key))
        }
    }
}

extension LayeredEnvironment {
    /// True if it is certain whether the environment is sealed, even if the environment has other problems. This is
    /// certain if the files can be read, if `description`, `$network` and `$extends` are valid, and if no other key
    /// closely resembles one of these keys.
    package var knowsItsSeal: Bool {
        problems.allSatisfy { !$0.isError || $0.details.leavesSealCertain }
            && root.members.list.allSatisfy { $0.key == Self.descriptionKey || !$0.key.resemblesSealKey }
            && !documents.contains(where: \.root.hasInnerReservedKey)
    }
}

extension Node {
    /// True if a dictionary inside this one has a key that starts with `$`, at any depth.
    fileprivate var hasInnerReservedKey: Bool {
        var isFound = false
        for entry in entries ?? [] where !EnvironmentRules.ignored.contains(entry.key) {
            entry.node.forEachEntry { isFound = isFound || $0.key.begins(with: "$") }
        }
        return isFound
    }
}

extension FileProblem {
    /// Creates the error for a misleading key. Such a key resembles a key that decides where calls go, such as
    /// `$network`, but contains white space, invisible characters, or letters of another width. Returns nil for any
    /// other key.
    fileprivate init?(misleadingKey key: String) {
        let shown = key.precomposedStringWithCompatibilityMapping.unicodeScalars.filter {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        }
        let name = String(shown)
        let isReserved = name.begins(with: "$") && !key.begins(with: "$")
        guard isReserved || name == LayeredEnvironment.descriptionKey else { return nil }
        self.init("the key \"\(key.visible)\" is not \"\(name)\", and only looks like it", fix: "write \"\(name)\"")
    }

    /// Creates the error for a key that people cannot distinguish from another key. Returns nil for any other key.
    init?(ofKey key: String) {
        // Nearly all keys consist of these characters.
        if key.withBytes({ $0.allSatisfy { 0x20 < $0 && $0 < 0x7F } }) { return nil }
        if key.hasInvisible { self = .invisible("the key \"\(key.visible)\" ") } else { self.init(misleadingKey: key) }
    }

    /// Marks this problem as a problem with a value. Such a problem does not affect whether the environment is sealed,
    /// unless the value's key is one of the keys that seal an environment, or closely resembles one.
    @inline(never)
    package func ofValue(at key: String) -> FileProblem {
        var problem = self
        problem.details.leavesSealCertain = !key.resemblesSealKey
        return problem
    }
}

extension String {
    fileprivate var resemblesSealKey: Bool {
        NearestName.find(self, in: [LayeredEnvironment.descriptionKey, "$network", "$extends"]) != nil
    }

    /// True for text that contains `$(NAME)` or `${NAME}`, also with a modifier, as in `$(NAME:lower)`.
    package var holdsVariable: Bool {
        // A fast exit, because most texts contain no dollar sign.
        withBytes { $0.contains(UInt8(ascii: "$")) }
            && range(
                of: #"\$(\([A-Za-z_]\w*(:[^()]*)?\)|\{[A-Za-z_]\w*(:[^{}]*)?\})"#, options: .regularExpression) != nil
    }
}

extension FileProblem {
    /// The error for a text that contains a control or format character.
    ///
    /// - Parameter owner: the start of the error's sentence, with a space at its end.
    static func invisible(_ owner: String = "") -> FileProblem {
        FileProblem(owner + "contains a character that nothing shows", fix: "remove it, or write the text again")
    }

    /// Creates the error for a text with a variable that the build has not replaced.
    package init(unreplacedIn text: String, placeholder: String?) {
        self.init(
            "contains a variable that was not replaced: \(placeholder ?? URLText.hidingUserInfo(text).printable)",
            fix: "write the value, or have the build replace it")
    }
}
