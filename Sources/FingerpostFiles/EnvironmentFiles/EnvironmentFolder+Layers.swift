extension EnvironmentFolder {
    /// Builds an environment from its layers. The lowest layers are `Base`, the environments named by `$extends`, and
    /// the target's own file. The secrets files for these layers follow in the same order. The highest layers are
    /// environment variables of the process, and the secrets from the app's `SecretSource`. The result's `problems`
    /// list everything that is wrong in any layer.
    ///
    /// - Parameters:
    ///   - readsSecrets: false to skip the secrets files, for builds on machines that do not have them.
    ///   - variables: the environment variables to apply above the files.
    ///   - isOfApp: false for a tool, which cannot use the app's `SecretSource`.
    ///   - ask: returns the value of a secret that has no value in the other layers; nil if the app has no
    ///     `SecretSource`.
    ///   - parser: reads and checks the files; nil in an app without the strict parser.
    package func load(
        _ target: String, readsSecrets: Bool = true, variables: [String: String] = [:],
        isOfApp: Bool = false, asking ask: ((_ key: String) throws -> String?)? = nil,
        parser: (any StrictParsing.Type)?
    ) -> LayeredEnvironment {
        var environment = LayeredEnvironment(name: target, parser: parser)
        let targets = chain(of: target, &environment)
        environment.declareSecrets()
        let committed = environment.root
        if readsSecrets { addSecrets(of: targets, over: committed, &environment) }
        EnvironmentVariables(variables).apply(to: &environment)
        if isOfApp { environment.askForSecrets(ask) }
        environment.checkValues(against: committed, readsSecrets: readsSecrets)
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
            guard let parent = parent(of: document, after: names, &environment), parent != Self.base else { break }
            names.append(parent)
        }
        if let base = read(Self.base, isCommitted: true, &environment) {
            if let extends = base[.extends] {
                environment.problems.append(
                    base.problem(
                        at: extends.offset,
                        "\(Self.base) is the lowest layer and cannot extend another environment",
                        fix: "remove \"$extends\""))
            }
            documents.insert(base, at: 0)
        }
        for document in documents { environment.add(document) }
        return [Self.base] + names.reversed()
    }

    /// Adds the secrets files of a target and of the environments that it inherits from.
    ///
    /// - Parameters:
    ///   - targets: the environments, from `Base` to the target.
    ///   - committed: the values merged from the committed files.
    private func addSecrets(
        of targets: [String], over committed: Setting, _ environment: inout LayeredEnvironment
    ) {
        // A sealed environment needs no secrets. With inherited secrets, a test would see different values on a
        // developer's machine and on a CI machine.
        let targets = environment.isSealed ? Array(targets.suffix(1)) : targets
        for target in targets {
            if let file = read(target, isCommitted: false, &environment) { environment.add(file, from: .secrets) }
        }
        // Remove the keys of `$unset` again, because an inherited secrets file may contain values for these keys.
        environment.root = environment.root.removing(environment.rules.unset.filter { committed[path: $0] == nil })
        environment.declareSecrets()
        environment.secretsHint = secrets.hint(for: targets.reversed())
    }

    /// The environment that a file extends; nil if the file extends no environment, or if the extended environment is
    /// unknown or already in the chain.
    ///
    /// - Parameter names: the environments in the chain so far, ending with the file's own environment.
    private func parent(
        of document: Document, after names: [String], _ environment: inout LayeredEnvironment
    ) -> String? {
        guard let extends = document[.extends], let parent = extends.string else { return nil }
        let isCycle = names.contains(parent)
        if !isCycle, files.contains(where: { $0.isCommitted && $0.target == parent }) { return parent }
        let others = targets.filter { !names.contains($0) }
        environment.problems.append(
            document.problem(
                at: extends.offset,
                isCycle
                    ? "\"$extends\" forms a cycle: \((names + [parent]).joined(separator: " → "))"
                    : "\"$extends\" names \"\(parent)\", which is not an environment"
                        + NearestName.hint(parent, in: others),
                fix: isCycle
                    ? "remove \"$extends\" from one of them"
                    : others.isEmpty ? "remove it" : "use \(others.joined(separator: " or "))"))
        return nil
    }

    private func read(_ target: String, isCommitted: Bool, _ environment: inout LayeredEnvironment) -> Document? {
        do throws(FileProblem) {
            return try file(for: target, isCommitted: isCommitted)?.read(parser: environment.parser)
        } catch {
            environment.isIncomplete = true
            environment.problems.append(error)
            return nil
        }
    }
}
