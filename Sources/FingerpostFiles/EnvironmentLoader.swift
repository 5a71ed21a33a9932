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
        var environment = LayeredEnvironment()
        for document in chain(of: target, &environment) { environment.add(document) }
        let committed = environment.root
        if readsSecrets, let secrets = read(target, isCommitted: false, &environment) {
            environment.add(secrets, isCommitted: false)
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
        var next: String? = target
        while let name = next {
            guard let document = read(name, isCommitted: true, &environment) else { break }
            documents.insert(document, at: 0)
            next = nil
            guard let extends = document.root[EnvironmentRules.Key.extends.rawValue], let parent = extends.string else {
                break
            }
            if names.contains(parent) {
                environment.report(
                    document.problem(
                        at: extends.offset,
                        "\"$extends\" goes round in a circle: \((names + [parent]).joined(separator: " → "))",
                        fix: "let one of them extend nothing"))
            } else if !folder.targets.contains(parent), parent != EnvironmentFolder.base {
                environment.report(
                    document.problem(
                        at: extends.offset,
                        "\"$extends\" names \"\(parent)\", which is no environment"
                            + NearestName.hint(parent, in: folder.targets),
                        fix: "use one of \(folder.targets.joined(separator: ", "))"))
            } else {
                names.append(parent)
                next = parent
            }
        }
        if !names.contains(EnvironmentFolder.base),
            let base = read(EnvironmentFolder.base, isCommitted: true, &environment)
        {
            documents.insert(base, at: 0)
        }
        return documents
    }

    private func read(_ target: String, isCommitted: Bool, _ environment: inout LayeredEnvironment) -> Document? {
        do throws(FileProblem) {
            return try folder.file(for: target, isCommitted: isCommitted)?.read()
        } catch {
            environment.report(error)
            return nil
        }
    }
}
