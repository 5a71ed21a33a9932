/// Builds an environment from its layers, lowest first: `Base`, the environments named by `$extends`, the target's own
/// file, the secrets files of all of these in the same order, process variables (environment variables of the process),
/// and the secrets that the app's code gives.
package struct EnvironmentLoader: Sendable {
    private let folder: EnvironmentFolder
    private let variables: EnvironmentVariables?
    private let provider: SecretProvider?
    private let desk: (any Desk.Type)?

    /// - Parameters:
    ///   - variables: the process variables to apply above the files; nil to read only the files.
    ///   - provider: gives the secrets without a value; nil for a tool, which cannot ask the app.
    ///   - desk: reads and checks the files; nil in an app without one.
    package init(
        _ folder: EnvironmentFolder, variables: EnvironmentVariables?, provider: SecretProvider? = nil,
        desk: (any Desk.Type)?
    ) {
        self.folder = folder
        self.variables = variables
        self.provider = provider
        self.desk = desk
    }

    /// Merges a target's layers. The result's `problems` list everything that is wrong in any layer.
    ///
    /// - Parameter readsSecrets: false to skip the secrets files, for builds on machines that do not have them.
    package func load(_ target: String, readsSecrets: Bool = true) -> LayeredEnvironment {
        var environment = LayeredEnvironment(name: target, desk: desk)
        let targets = chain(of: target, &environment)
        environment.declareSecrets()
        let committed = environment.root
        if readsSecrets { addSecrets(of: targets, over: committed, &environment) }
        variables?.apply(to: &environment)
        provider?.apply(to: &environment)
        environment.checkTypes(against: committed)
        environment.checkValues(readsSecrets: readsSecrets)
        return environment
    }

    /// Adds the committed files that form a target's layers.
    ///
    /// - Returns: the environments of the layers, from `Base` to the target.
    private func chain(of target: String, _ environment: inout LayeredEnvironment) -> [String] {
        var documents: [Document] = []
        var names = [target]
        while let document = read(names[names.count - 1], isCommitted: true, &environment) {
            documents.insert(document, at: 0)
            guard let parent = parent(of: document, after: names, &environment) else { break }
            if parent == EnvironmentFolder.base { break }
            names.append(parent)
        }
        for document in documents { rejectAccess(in: document, &environment) }
        if let base = read(EnvironmentFolder.base, isCommitted: true, &environment) {
            rejectExtends(in: base, &environment)
            documents.insert(base, at: 0)
        }
        for document in documents { environment.add(document) }
        return [EnvironmentFolder.base] + names.reversed()
    }

    /// Adds the secrets files of a target and of the environments that it inherits from.
    ///
    /// - Parameters:
    ///   - targets: the environments, from `Base` to the target.
    ///   - committed: the values merged from the committed files.
    private func addSecrets(
        of targets: [String], over committed: Setting, _ environment: inout LayeredEnvironment
    ) {
        // A sealed environment needs no secrets. If it inherited them, tests would see other values on the machines of
        // developers than on a CI machine.
        let targets = environment.isSealed ? Array(targets.suffix(1)) : targets
        for target in targets {
            guard let secrets = read(target, isCommitted: false, &environment) else { continue }
            rejectRules(in: secrets, &environment)
            environment.add(secrets, from: .secrets)
        }
        environment.unsetAgain(over: committed)
        environment.declareSecrets()
        environment.secretsHint = folder.secrets.hint(for: targets.reversed())
    }

    /// The environment that a file extends. nil when the file extends no environment, or when the extended environment
    /// is unknown or already in the chain.
    ///
    /// - Parameter names: the environments in the chain so far, ending with the file's own environment.
    private func parent(
        of document: Document, after names: [String], _ environment: inout LayeredEnvironment
    ) -> String? {
        guard let extends = document.root[EnvironmentRules.Key.extends.rawValue], let parent = extends.string else {
            return nil
        }
        if names.contains(parent) {
            environment.reportMissingLayer(
                document.problem(
                    at: extends.offset,
                    "\"$extends\" forms a cycle: \((names + [parent]).joined(separator: " → "))",
                    fix: "remove \"$extends\" from one of them"))
        } else if !folder.contains(parent) {
            let others = folder.targets.filter { !names.contains($0) }
            environment.reportMissingLayer(
                document.problem(
                    at: extends.offset,
                    "\"$extends\" names \"\(parent)\", which is not an environment"
                        + NearestName.hint(parent, in: others),
                    fix: others.isEmpty ? "remove it" : "use \(others.joined(separator: " or "))"))
        } else {
            return parent
        }
        return nil
    }

    private func rejectExtends(in base: Document, _ environment: inout LayeredEnvironment) {
        guard let extends = base.root[EnvironmentRules.Key.extends.rawValue] else { return }
        environment.report(
            base.problem(
                at: extends.offset,
                "\(EnvironmentFolder.base) is the lowest layer and cannot extend another environment",
                fix: "remove \"$extends\""))
    }

    /// Reports `$access` in the file of one environment, because all environments share the generated code.
    private func rejectAccess(in document: Document, _ environment: inout LayeredEnvironment) {
        guard let access = document.root[EnvironmentRules.Key.access.rawValue] else { return }
        environment.report(
            document.problem(
                at: access.offset, "one environment cannot set \"$access\", because all share the generated code",
                fix: "move it to \(EnvironmentFolder.base)\(EnvironmentFile.suffix)"))
    }

    /// Reports the reserved keys of a secrets file except `$secrets`, because only committed files, which everybody can
    /// review, decide where calls go.
    private func rejectRules(in secrets: Document, _ environment: inout LayeredEnvironment) {
        for entry in secrets.root.entries ?? [] {
            guard let key = EnvironmentRules.Key(rawValue: entry.key), key != .secrets else { continue }
            let fix =
                switch key {
                case .extends: "remove it"
                case .access: "move it to \(EnvironmentFolder.base)\(EnvironmentFile.suffix)"
                default: "move it to a committed file"
                }
            environment.report(
                secrets.problem(
                    at: entry.keyOffset ?? entry.node.offset, "a secrets file cannot set \"\(key.rawValue)\"",
                    fix: fix))
        }
    }

    private func read(_ target: String, isCommitted: Bool, _ environment: inout LayeredEnvironment) -> Document? {
        do throws(FileProblem) {
            return try folder.file(for: target, isCommitted: isCommitted)?.read(desk: desk)
        } catch {
            environment.reportUnreadable(error)
            return nil
        }
    }
}
