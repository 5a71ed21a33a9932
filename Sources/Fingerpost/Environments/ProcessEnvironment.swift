import FingerpostFiles
import Foundation

/// The process's own environment, which is selected and loaded on first use. The product `FingerpostSwitching` can
/// replace this environment.
package final class ProcessEnvironment: Sendable {
    /// Loads the environment with a name, or the environment that the rules select if the name is nil. If `needsValues`
    /// is false, an environment that nothing has requested may have invalid values.
    typealias Load =
        @Sendable (String?, (any SecretSource)?, _ needsValues: Bool) throws(EnvironmentError) -> Environment
    /// See ``ChosenEnvironmentLoader/environment(over:load:)``.
    typealias Kept =
        @Sendable (Environment, (String) throws(EnvironmentError) -> Environment) throws -> Environment?

    /// The environment that ``Environment/load(_:from:)`` selects.
    package static let current = ProcessEnvironment { name, secrets, needsValues throws(EnvironmentError) in
        try Environment.load(name, from: nil, secrets: secrets, needsValues: needsValues)
    }

    private struct State {
        var secrets: (any SecretSource)?
        /// The environment that the rules select.
        var usual: Result<Environment, EnvironmentError>?
        /// The environment that was chosen; nil if the usual environment applies.
        var chosen: Environment?
    }

    /// True while an environment that is being loaded calls a ``SecretSource``.
    @TaskLocal static var isAskingForSecrets = false

    private let load: Load
    private let kept: Kept
    private let state = Locked(State())

    /// - Parameters:
    ///   - kept: loads the environment that an earlier launch chose.
    init(kept: @escaping Kept = ChosenFile.environment, load: @escaping Load) {
        self.kept = kept
        self.load = load
    }

    /// Returns the environment, and loads it on first use.
    ///
    /// A loaded environment is kept until another environment is chosen, and so is the error that there is no
    /// environment. Any other error, such as too many open files, may be temporary, so the next call loads the
    /// environment again.
    package func get() throws(EnvironmentError) -> Environment {
        if Self.isAskingForSecrets {
            throw EnvironmentError(
                .refused, "the SecretSource uses the current environment, which may be waiting for the source",
                fix: "use the name of the environment that the source is given, and send no calls")
        }
        let (chosen, usual, secrets) = state.withLock { ($0.chosen, $0.usual, $0.secrets) }
        if let chosen { return chosen }
        if let usual { return try usual.get() }
        let loaded = Result { () throws(EnvironmentError) in try load(nil, secrets, true) }
        if case .failure(let error) = loaded, error.absence == nil { throw error }
        // If the stored name cannot be read, the next call reads the name again.
        let kept = Result { () throws -> Environment? in
            guard case .success(let environment) = loaded else { return nil }
            return try self.kept(environment) { name throws(EnvironmentError) in try load(name, secrets, true) }
        }
        let result: Result<Environment, EnvironmentError>? = state.withLock { state in
            // The app may have set a source of secrets in the meantime.
            if secrets == nil, state.secrets != nil { return nil }
            // If another thread has loaded the environment in the meantime, use that thread's result.
            if state.usual == nil, case .success(let choice) = kept { (state.usual, state.chosen) = (loaded, choice) }
            return state.chosen.map { .success($0) } ?? state.usual ?? loaded
        }
        guard let result else { return try get() }
        return try result.get()
    }

    /// Returns the environment if it is sealed, or else nil. This method is for clients with a base URL, which only
    /// need to know whether calls are sealed.
    ///
    /// - Throws: an error if a requested environment cannot be loaded, or if the files of any other environment do not
    ///   show whether it is sealed.
    func sealing() throws(EnvironmentError) -> Environment? {
        let environment: Environment
        do { environment = try get() } catch {
            if error.absence != nil { return nil }
            // Errors of other kinds are not about files. For example, a source of secrets may wait for itself.
            guard error.kind == .invalidFile else { throw error }
            environment = try load(nil, secrets, false)
            var isAsked = false
            do {
                _ = try kept(environment) { name throws(EnvironmentError) in
                    isAsked = true
                    return try load(name, secrets, true)
                }
            } catch { isAsked = true }
            // A choice of an earlier launch requests an environment too. A choice that cannot be read may also request
            // one.
            if isAsked { throw error }
        }
        return environment.isSealed ? environment : nil
    }

    /// The loaded environment; nil if no environment was loaded, or if loading failed. The next call to a server or a
    /// mock throws the loading error.
    var loaded: Environment? { state.withLock { $0.chosen ?? (try? $0.usual?.get()) } }

    /// Returns the environment that the rules select, even if another environment is chosen.
    package func usual() throws(EnvironmentError) -> Environment {
        let environment = try get()
        return try state.withLock { $0.usual }?.get() ?? environment
    }

    // MARK: Secrets

    /// The app's source for secrets that have no value in a file; nil if the app has set no source.
    var secrets: (any SecretSource)? { state.withLock { $0.secrets } }

    /// See ``Environment/bootstrap(secrets:)``.
    func bootstrap(_ secrets: some SecretSource) throws(EnvironmentError) {
        let problem: String? = state.withLock { state in
            if state.secrets != nil { return "a SecretSource is set already" }
            if case .success(let environment)? = state.usual {
                return "the environment \(environment.name) is loaded already, without the SecretSource"
            }
            state.secrets = secrets
            return nil
        }
        guard let problem else { return }
        throw EnvironmentError(.refused, problem, fix: "call bootstrap(secrets:) once, at the start of the process")
    }

    // MARK: Choice

    /// Loads an environment other than the usual one.
    package func environment(named name: String) throws(EnvironmentError) -> Environment {
        try load(name, secrets, true)
    }

    /// Replaces the environment of the process.
    ///
    /// - Parameters:
    ///   - new: the chosen environment; nil for the usual environment.
    ///   - usual: the environment that the rules select.
    /// - Returns: true if the environment has changed.
    package func replace(by new: Environment?, over usual: Environment) -> Bool {
        state.withLock { state in
            let before = state.chosen ?? usual
            // `state.usual` is still nil if the stored name could not be read. From now on, the name of `new` is
            // stored.
            (state.usual, state.chosen) = (state.usual ?? .success(usual), new)
            return before.name != (new ?? usual).name
        }
    }
}

extension EnvironmentFolder {
    /// Opens the given folder. If `given` is nil, searches for the environments folder.
    ///
    /// - Parameters:
    ///   - request: the requested environment; nil if nothing requests an environment.
    ///   - process: the resource bundles and the working directory to search.
    init(
        searching given: URL?, for request: EnvironmentSelection.Request?, process: ResourceBundles = .current
    ) throws(EnvironmentError) {
        let search: FolderSearch
        do throws(FileProblem) {
            if let given {
                try self.init(url: given, secrets: SourceFolder.folders(withSecretsOf: given))
                return
            }
            search = try FolderSearch(Self.name, process: process)
            if let found = search.found ?? search.topLevel {
                let secrets =
                    (SourceFolder.folders(withSecretsOf: found) ?? [found]) + [search.working].compactMap { $0 }
                try self.init(url: found, secrets: found == search.working ? nil : secrets)
                return
            }
        } catch {
            throw EnvironmentError(given == nil ? .invalidFile : .notFound, [error])
        }
        throw EnvironmentError(
            .notFound,
            (request.map { "there is no such folder for the environment \"\($0.target)\"\($0.reason)" }
                ?? "there is no such folder") + "; looked in \(search.lookedIn.joined(separator: ", "))",
            file: Self.name,
            fix: FolderSearch.fix(ofUnbundled: Self.name, process: process)
                ?? "add \(Self.name)/\(EnvironmentSelection.newFile(for: request))\(EnvironmentFile.suffix).plist or .json"
                + (request == nil ? ", or use APIClient(baseURL:) without environments" : ""),
            absence: request == nil ? .noFolder : nil)
    }
}

extension EnvironmentSelection {
    /// The selection for the current process, which has these variables.
    static func current(variables: [String: String]) -> EnvironmentSelection {
        let info = Bundle.main.infoDictionary ?? [:]
        return EnvironmentSelection(
            variables: variables, infoPlist: info[infoPlistKey] as? String,
            bundleName: info["CFBundleName"] as? String, executable: ProcessInfo.processInfo.processName,
            isTestProcess: TestProcess.isCurrent)
    }

    func target(_ request: Request?, in folder: EnvironmentFolder) throws(EnvironmentError) -> String {
        let target: String?
        do throws(FileProblem) { target = try self.target(of: request, in: folder) } catch {
            throw EnvironmentError(.notFound, [error])
        }
        if let target { return target }
        let targets = folder.targets
        throw EnvironmentError(
            .notFound,
            targets.isEmpty
                ? "there are no environment files"
                : "no environment is selected; there are \(targets.joined(separator: ", "))",
            file: FilePath.display(folder.url),
            fix: targets.isEmpty
                ? "add <Name>-Env.plist or <Name>-Env.json"
                : "set the environment variable \(Self.variableName), or name it in the code",
            absence: .noneSelected)
    }
}
