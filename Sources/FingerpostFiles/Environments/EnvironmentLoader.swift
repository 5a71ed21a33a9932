/// Puts an environment together: `Base`, what `$extends` names, the target's own file, its secrets, and process variables.
package struct EnvironmentLoader: Sendable {
    private let folder: EnvironmentFolder
    private let variables: EnvironmentVariables?

    /// - Parameter variables: nil to look at the files alone.
    package init(_ folder: EnvironmentFolder, variables: EnvironmentVariables?) {
        self.folder = folder
        self.variables = variables
    }

    /// The layers of a target. What is wrong with any of them is in its problems, all at once.
    ///
    /// - Parameter readsSecrets: false to leave out the file of secrets, which a build machine does not have.
    package func load(_ target: String, readsSecrets: Bool = true) -> LayeredEnvironment {
        var environment = LayeredEnvironment(name: target)
        for document in chain(of: target, &environment) { environment.add(document) }
        let committed = environment.root
        if readsSecrets, let secrets = read(target, isCommitted: false, &environment) {
            refuseExtending(secrets, because: "a file of secrets", &environment)
            environment.add(secrets, from: .secrets)
        }
        variables?.apply(to: &environment)
        environment.checkTypes(against: committed)
        environment.checkValues(readsSecrets: readsSecrets)
        return environment
    }

    /// The files from the lowest layer to the target's own.
    private func chain(of target: String, _ environment: inout LayeredEnvironment) -> [Document] {
        var documents: [Document] = []
        var names = [target]
        while let document = read(names[names.count - 1], isCommitted: true, &environment) {
            documents.insert(document, at: 0)
            guard let parent = parent(of: document, after: names, &environment) else { break }
            if parent == EnvironmentFolder.base { break }
            names.append(parent)
        }
        if let base = read(EnvironmentFolder.base, isCommitted: true, &environment) {
            refuseExtending(base, because: "\(EnvironmentFolder.base) is the lowest layer, which", &environment)
            documents.insert(base, at: 0)
        }
        return documents
    }

    /// The environment that a file extends, when it can.
    ///
    /// - Parameter names: the environments that lead to it, the file's own last.
    private func parent(
        of document: Document, after names: [String], _ environment: inout LayeredEnvironment
    ) -> String? {
        guard let extends = document.root[EnvironmentRules.Key.extends.rawValue], let parent = extends.string else {
            return nil
        }
        let all = Set(folder.files.filter(\.isCommitted).map(\.target))
        if names.contains(parent) {
            environment.report(
                document.problem(
                    at: extends.offset,
                    "\"$extends\" forms a cycle: \((names + [parent]).joined(separator: " → "))",
                    fix: "remove "$extends" from one of them"))
        } else if !all.contains(parent) {
            let others = folder.targets.filter { !names.contains($0) }
            environment.report(
                document.problem(
                    at: extends.offset,
                    "\"$extends\" names \"\(parent)\", which is not an environment" + NearestName.hint(parent, in: others),
                    fix: others.isEmpty ? "remove it" : "use \(others.joined(separator: " or "))"))
        } else {
            return parent
        }
        return nil
    }

    private func refuseExtending(
        _ document: Document, because reason: String, _ environment: inout LayeredEnvironment
    ) {
        guard let extends = document.root[EnvironmentRules.Key.extends.rawValue] else { return }
        environment.report(
            document.problem(at: extends.offset, "\(reason) cannot extend another environment", fix: "remove \"$extends\""))
    }

    private func read(_ target: String, isCommitted: Bool, _ environment: inout LayeredEnvironment) -> Document? {
        do throws(FileProblem) {
            return try folder.file(for: target, isCommitted: isCommitted)?.read()
        } catch {
            environment.reportUnreadable(error)
            return nil
        }
    }
}
