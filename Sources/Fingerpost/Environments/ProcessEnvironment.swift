import FingerpostFiles
import Foundation

/// The process's own environment, which is selected and loaded on first use, and which the product
/// `FingerpostSwitching` replaces.
package final class ProcessEnvironment: Sendable {
    /// Loads an environment by its name, or without a name the one that the rules select.
    typealias Load = @Sendable (String?, (any SecretSource)?) throws(EnvironmentError) -> Environment

    /// The environment that ``Environment/load(_:from:)`` selects.
    package static let current = ProcessEnvironment { name, secrets throws(EnvironmentError) in
        try Environment.load(name, from: nil, secrets: secrets)
    }

    private struct State {
        var secrets: (any SecretSource)?
        /// The environment that the rules select.
        var usual: Result<Environment, EnvironmentError>?
        /// The environment that was chosen; nil for the usual one.
        var chosen: Environment?
    }

    /// True while a ``SecretSource`` is asked, whose answer an environment waits for.
    @TaskLocal static var isAskingForSecrets = false

    private let load: Load
    private let kept: @Sendable () throws -> String?
    private let isTestProcess: Bool
    private let variables: [String: String]
    private let state = Locked(State())
    /// Held while a choice takes effect, so that the kept name is that of the last choice.
    private let choosing = NSLock()

    init(
        kept: @escaping @Sendable () throws -> String? = ChosenFile.read, isTestProcess: Bool = TestProcess.isCurrent,
        variables: [String: String] = ProcessInfo.processInfo.environment, load: @escaping Load
    ) {
        self.load = load
        self.kept = kept
        self.isTestProcess = isTestProcess
        self.variables = variables
    }

    /// Returns the environment, and loads it on first use.
    ///
    /// An environment stays the same until another one is chosen, and so does the answer that no environment is
    /// selected. Any other error may be temporary, such as too many open files, so the next call tries again.
    package func get() throws(EnvironmentError) -> Environment {
        if Self.isAskingForSecrets {
            throw EnvironmentError(
                .refused, "the SecretSource uses the current environment, which may be waiting for the source",
                fix: "use the name of the environment that the source is given, and send no calls")
        }
        let (chosen, usual, secrets) = state.withLock { ($0.chosen, $0.usual, $0.secrets) }
        if let chosen { return chosen }
        if let usual { return try usual.get() }
        let loaded = Result { () throws(EnvironmentError) in try load(nil, secrets) }
        if case .failure(let error) = loaded, error.absence == nil { throw error }
        // If the name of the choice cannot be read, the next call tries again.
        let kept = Result { () throws -> Environment? in
            guard case .success(let environment) = loaded else { return nil }
            return try keptChoice(over: environment, secrets)
        }
        let result: Result<Environment, EnvironmentError>? = state.withLock { state in
            // Meanwhile, the app may have set a source.
            if secrets == nil, state.secrets != nil { return nil }
            // If another thread has loaded the environment in the meantime, use that thread's result.
            if state.usual == nil, case .success(let choice) = kept { (state.usual, state.chosen) = (loaded, choice) }
            return state.chosen.map { .success($0) } ?? state.usual ?? loaded
        }
        guard let result else { return try get() }
        return try result.get()
    }

    /// The environment that the rules select, whatever was chosen.
    func usual() throws(EnvironmentError) -> Environment {
        let environment = try get()
        return try state.withLock { $0.usual }?.get() ?? environment
    }

    /// The environment that an earlier launch chose, if the app still allows it.
    ///
    /// - Throws: the error of ``KeptChoice/read()``.
    private func keptChoice(over usual: Environment, _ secrets: (any SecretSource)?) throws -> Environment? {
        guard objection(over: usual) == nil, let name = try kept(), name != usual.name else { return nil }
        do throws(EnvironmentError) {
            return try chosen(name, secrets)
        } catch {
            StandardError.warn(
                "the environment \(name.quoted) that was chosen cannot be used, so \(usual.name) is: "
                    + error.problems.map(\.description).joined(separator: "; "))
            return nil
        }
    }

    // MARK: Secrets

    /// Where secrets come from that no file gives a value; nil if the app did not set it.
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

    /// Replaces the environment of the process, if its committed files allow it.
    ///
    /// - Parameters:
    ///   - name: the environment's name; nil for the environment that the rules select.
    ///   - keep: keeps the name for the next launch; nil forgets it. If it throws, nothing changes.
    ///   - tell: receives the name of the new environment, in the order of the changes; not called if nothing changes.
    /// - Throws: ``EnvironmentError`` if the environment does not exist, is sealed or cannot be loaded; under a seal,
    ///   in a test, if `APP_ENVIRONMENT` selects the environment, and if the name cannot be kept.
    package func replace(
        by name: String?, keeping keep: (String?) throws -> Void, tell: (String) -> Void = { _ in }
    ) throws(EnvironmentError) {
        let usual = try usual()
        if let objection = objection(over: usual) { throw objection }
        let target = name.flatMap { $0.utf8.elementsEqual(usual.name.utf8) ? nil : $0 }
        var new: Environment?
        if let target { new = try chosen(target, secrets) }
        choosing.lock()
        defer { choosing.unlock() }
        do { try keep(target) } catch {
            throw EnvironmentError(
                .refused, "the choice of an environment cannot be kept: \(error.fileReason)",
                fix: "make the folder of the app's data writable")
        }
        let isNew = state.withLock { state in
            let isNew = (state.chosen ?? usual).name != (new ?? usual).name
            // The name may not have been readable until now, but it is that of `new` from now on.
            (state.usual, state.chosen) = (state.usual ?? .success(usual), new)
            return isNew
        }
        if isNew { tell((new ?? usual).name) }
    }

    private func chosen(_ name: String, _ secrets: (any SecretSource)?) throws(EnvironmentError) -> Environment {
        let environment = try load(name, secrets)
        if environment.isSealed {
            throw EnvironmentError(
                .refused, "the environment \(name.quoted) is sealed, so no call would reach a server",
                file: environment.path,
                fix: "choose an environment with a server")
        }
        return environment.markedAsChosen
    }

    /// Why the process must not leave the environment that the rules select; nil if it may.
    private func objection(over usual: Environment) -> EnvironmentError? {
        if isTestProcess {
            return EnvironmentError(
                .refused, "a test cannot choose the environment of the process, which all tests share",
                fix: "give the test an APIScope with an environment")
        }
        if let variable = variables["APP_ENVIRONMENT"], !variable.isEmpty {
            return EnvironmentError(
                .refused, "the process variable APP_ENVIRONMENT selects the environment \(variable.quoted)",
                fix: "unset it, to choose another environment")
        }
        if usual.isSealed {
            return EnvironmentError(
                .refused, "the environment \(usual.name) is sealed, and must not be left", file: usual.path,
                fix: "build the app with another environment")
        }
        if !usual.layers.isSwitchable {
            return EnvironmentError(
                .refused, "the environment \(usual.name) does not allow to switch", file: usual.path,
                fix: "set \"$switchable\": true in a committed file, in builds for testers only")
        }
        return nil
    }
}

extension EnvironmentFolder {
    /// Opens the given folder; if it is nil, searches for the environments folder.
    ///
    /// - Parameters:
    ///   - request: the environment that is asked for; nil if nothing asks for an environment.
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
            throw EnvironmentError(given == nil ? .invalidFile : .notFound, error)
        }
        throw EnvironmentError(
            .notFound,
            (request.map { "there is no environment \"\($0.target)\"\($0.reason), and no such folder" }
                ?? "there is no such folder") + "; looked in \(search.lookedIn.joined(separator: ", "))",
            file: Self.name,
            fix: "add \(Self.name)/\(request?.file ?? "<Name>")\(EnvironmentFile.suffix).plist or .json"
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
            throw EnvironmentError(.notFound, error)
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
                : "set the process variable \(Self.variableName), or name it in the code",
            absence: .noneSelected)
    }
}
