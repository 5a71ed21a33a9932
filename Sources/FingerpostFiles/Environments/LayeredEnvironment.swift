/// An environment put together from its layers, and everything that is wrong with them.
///
/// Dictionaries merge; scalars and lists replace. A value may not change its type from one layer to the next, but for whole and
/// real numbers, and for text that stands for a date or for data.
package struct LayeredEnvironment: Sendable {
    /// What stands before `-Env` in the file's name.
    package let name: String
    /// The merged values: a dictionary of all keys, those that start with `$` left out.
    package private(set) var root: Setting
    /// The reserved keys whose last value counts.
    package private(set) var reserved: [EnvironmentRules.Key: Setting] = [:]
    package private(set) var rules = EnvironmentRules()
    package private(set) var problems: [FileProblem] = []
    /// The files, the lowest layer first.
    package private(set) var documents: [Document] = []
    /// The files that are in the repository.
    private(set) var committedDocuments: [Document] = []
    /// The file of secrets.
    private(set) var secretsDocument: Document?
    /// True when a file could not be read, so that what nobody declares may well be declared there.
    private(set) var isIncomplete = false

    package init(name: String) {
        self.name = name
        root = Setting(.code)
    }

    /// One document alone, without other layers.
    package init(_ document: Document, name: String, from origin: Origin = .elsewhere) {
        self.init(name: name)
        add(document, from: origin)
        checkValues(readsSecrets: true)
    }

    /// Lays a file over what is there.
    ///
    /// - Parameter origin: what the file may hold depends on where it comes from.
    package mutating func add(_ document: Document, from origin: Origin = .repository) {
        rules.read(document, problems: &problems)
        if documents.isEmpty { root.source = .file(document, offset: document.root.offset) }
        documents.append(document)
        switch origin {
        case .repository: committedDocuments.append(document)
        case .secrets: secretsDocument = document
        case .elsewhere: break
        }
        unset(document)
        for entry in document.root.entries ?? [] {
            let setting = Setting(entry.node, ValueSource.file(document, offset: nil).moved(to: entry))
            if entry.key.utf8.first != UInt8(ascii: "$") {
                root.lay(setting, as: entry.key, in: "", &problems)
            } else if let key = EnvironmentRules.Key(rawValue: entry.key) {
                reserved[key] = setting
            }
        }
    }

    /// Where a file comes from.
    package enum Origin: Sendable {
        /// It is committed, so that it may hold no secret.
        case repository
        /// It is the file of secrets, and may hold nothing else.
        case secrets
        /// It is not known to be in a repository.
        case elsewhere
    }

    /// Lays one value over what is there, from outside the files. The key exists.
    mutating func replace(_ path: String, with node: Node, from source: ValueSource) {
        root.lay(Setting(node, at: path.split(separator: ".").map(String.init)[...], source), &problems)
    }

    /// The same with one value replaced by code, and with only the problems of that.
    package func setting(_ path: String, to node: Node) -> LayeredEnvironment {
        var environment = self
        environment.problems = []
        guard root[path: path] != nil else {
            environment.report(
                ValueSource.code.problem(
                    "the environment has no key \"\(path)\"" + NearestName.hint(path, in: settingPaths),
                    fix: "declare it in a file, or correct its name"))
            return environment
        }
        environment.replace(path, with: node, from: .code)
        if let setting = environment.root[path: path] {
            environment.problems += environment.valueProblems(of: setting, at: path)
        }
        return environment
    }

    mutating func report(_ problem: FileProblem) {
        problems.append(problem)
    }

    mutating func report(_ found: [FileProblem]) {
        problems += found
    }

    mutating func reportUnreadable(_ problem: FileProblem) {
        isIncomplete = true
        report(problem)
    }

    /// Each problem once, in the order of the files and their lines.
    mutating func sortProblems() {
        problems = problems.inOrder
    }

    /// The value of a key by its dotted path; of reserved keys too.
    package subscript(path: String) -> Setting? {
        EnvironmentRules.Key(rawValue: path).flatMap { reserved[$0] } ?? root[path: path]
    }

    /// Every key that is no dictionary, by its dotted path.
    package var paths: [String] {
        var paths: [String] = []
        root.forEachLeaf { path, _ in paths.append(path()) }
        return paths
    }

    /// Every key, dictionaries too.
    package var settingPaths: Set<String> {
        paths.reduce(into: []) { paths, path in
            let parts = path.split(separator: ".")
            for count in 1...max(1, parts.count) { paths.insert(parts.prefix(count).joined(separator: ".")) }
        }
    }

    /// Takes keys of the layers below away.
    private mutating func unset(_ document: Document) {
        guard let node = document.root[EnvironmentRules.Key.unset.rawValue] else { return }
        for (path, offset) in node.texts where !root.remove(path: path.split(separator: ".")) && !isIncomplete {
            problems.append(
                document.problem(
                    at: offset,
                    "\"$unset\" names \"\(path)\", which no lower layer has" + NearestName.hint(path, in: settingPaths),
                    fix: "correct or remove it"))
        }
    }
}
