import FingerpostFiles
public import Foundation

extension Environment {
    /// The environment that the running code uses. If the enclosing ``APIScope`` sets an environment, the property
    /// returns that environment. Otherwise, it returns the environment of the process, which is selected and loaded by
    /// the rules of ``load(_:from:)``. Once the environment of the process is loaded, only `choose(_:)` of the product
    /// `FingerpostSwitching` changes it. If loading fails, the next use tries again.
    ///
    /// - Throws: ``EnvironmentError`` if there is no environment, or if one of its files is invalid.
    public static var current: Environment {
        get throws(EnvironmentError) {
            if let environment = scoped ?? PinnedEnvironment.environment { return environment }
            return try ProcessEnvironment.current.get()
        }
    }

    /// The environment set by the ``APIScope`` that the task runs in.
    @TaskLocal static var scoped: Environment?

    /// The source of secrets in the ``APIScope`` that the task runs in.
    @TaskLocal static var scopedSecrets: (any SecretSource)?

    /// Loads an environment from its files. Use ``current`` for the environment that the process has already loaded.
    ///
    /// If you pass no name, the environment is selected by the first of these rules that applies:
    /// 1. the process's environment variable `APP_ENVIRONMENT`,
    /// 2. the value of the key `APIEnvironment` in Info.plist,
    /// 3. in a test process, the name `Testing`, if there is an environment file with this name,
    /// 4. the name of the app's bundle or of its executable, if there is an environment file with this name,
    /// 5. the only environment file, if there is just one.
    ///
    /// A test calls servers on other machines only if its environment is selected by name: in code, with a trait, or by
    /// one of the rules 1 to 3.
    ///
    /// If you pass no folder, the library first looks for `Environments/` in the resources of the tests, the app and
    /// its frameworks, and then in the resources that the plugin bundles. Unless the process is an app, the working
    /// directory is next. Last, the library looks for environment files at the top level of a bundle. Secrets files are
    /// never bundled. Debug builds read secrets files from the source folder that the bundled files were copied from.
    /// If that folder contains no secrets files, the files are read from the working directory, unless the process is
    /// an app.
    ///
    /// - Parameters:
    ///   - name: the environment's name, which is the part of the file name before `-Env`.
    ///   - folder: the folder that contains the environment files.
    /// - Throws: ``EnvironmentError``. If no environment can be selected, the error lists the available environments.
    ///   If files are invalid, the error lists every problem in them.
    public static func load(
        _ name: String? = nil, from folder: URL? = nil
    ) throws(EnvironmentError) -> Environment {
        // A source of secrets may load an environment. If that environment used the same source, the source would call
        // itself without end.
        let secrets =
            ProcessEnvironment.isAskingForSecrets
            ? nil : scopedSecrets ?? ProcessEnvironment.current.secrets
        return try load(name, from: folder, secrets: secrets)
    }

    /// - Parameters:
    ///   - secrets: provides the secrets that have no value in a file or an environment variable.
    ///   - needsValues: false to accept invalid values if nothing has requested the environment.
    static func load(
        _ name: String?, from folder: URL?, secrets: (any SecretSource)?, needsValues: Bool = true
    ) throws(EnvironmentError) -> Environment {
        let variables = ProcessInfo.processInfo.environment
        let selection = EnvironmentSelection.current(variables: variables)
        let request = selection.request(name)
        let files = try EnvironmentFolder(searching: folder, for: request)
        let target = try selection.target(request, in: files)
        let file = files.files.first { $0.isCommitted && $0.target == target }
        let ask = secrets.map { source in
            { key in
                try ProcessEnvironment.$isAskingForSecrets.withValue(true) { try source.secret(key, in: target) }
            }
        }
        let layers = files.load(
            target, variables: variables, isOfApp: true, asking: ask, parser: LinkedParser.value)
        return try Environment(
            file: file?.url, layers: layers, isGuess: selection.isGuess(target, request),
            needsValues: needsValues || request != nil)
    }

    /// The sorted names of the environments that ``load(_:from:)`` finds, for a menu in which testers switch servers.
    /// `Base` is left out. Each use of this property reads the list from the folder, without loading the environments.
    ///
    /// - Throws: ``EnvironmentError`` if there is no environments folder, or if it cannot be read.
    public static var available: [String] {
        get throws(EnvironmentError) { try EnvironmentFolder(searching: nil, for: nil).targets.inOrder }
    }

    /// Loads an environment from a bundle's resources: from the `Environments/` folder or, if there is no such folder,
    /// from the top level.
    ///
    /// - Throws: the same errors as ``load(_:from:)``.
    public static func load(_ name: String? = nil, in bundle: Bundle) throws(EnvironmentError) -> Environment {
        let resources = bundle.resourceURL ?? bundle.bundleURL
        let folder = resources.appendingPathComponent(EnvironmentFolder.name)
        return try load(name, from: FileManager.default.fileExists(atPath: folder.path) ? folder : resources)
    }

    /// Loads an environment from a single file with any name, without other layers. The file extension determines the
    /// format: `.plist` or `.json`.
    ///
    /// A file with a name other than `<Name>-Env` may contain secrets, because such a file is assumed to stay out of
    /// the repository.
    ///
    /// - Throws: ``EnvironmentError`` that lists every problem in the file.
    public init(contentsOf url: URL) throws(EnvironmentError) {
        let file: EnvironmentFile
        let document: Document
        do {
            file = try EnvironmentFile(anyName: url)
            document = try file.read(parser: LinkedParser.value)
        } catch {
            throw EnvironmentError(.invalidFile, [error])
        }
        try self.init(
            file: file.url,
            layers: LayeredEnvironment(
                document, name: file.target, from: file.isCommitted ? .repository : .elsewhere,
                parser: LinkedParser.value))
    }
}

extension Environment {
    /// Returns a copy of the environment with a different value for one key. Use the copy, for example, in the
    /// ``APIScope`` of a test that changes one setting.
    ///
    /// ```swift
    /// let scope = APIScope(environment: try APIEnvironment.current.setting("limits.retries", to: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - key: an existing key; a nested key is written as a dotted path.
    ///   - value: the new value, of the same type as the current value. A dictionary is merged into the current
    ///     dictionary. For a secret, pass the plain value, not a ``Secret``.
    /// - Throws: ``EnvironmentError``. If the key is unknown, the error suggests the nearest key. If the new value has
    ///   a different type from the current value, the error gives the file and line of the current value.
    public func setting(_ key: String, to value: some Encodable & Sendable) throws(EnvironmentError) -> Environment {
        guard !(value is any SecretValue) else {
            throw EnvironmentError(.wrongType, "the value for \"\(key)\" is a Secret", fix: "call its reveal()")
        }
        let document = try Document(encoding: [key: value], path: "code", called: "the value for \"\(key)\"")
        let node = document.root[key] ?? Node(.null)
        return try Environment(
            file: file, layers: layers.setting(key, to: node), isGuess: contents.isGuess, isChosen: contents.isChosen)
    }
}

// Settings of an installed app.
extension Environment {
    /// Sets the source of the secrets that have no value in a file or in an environment variable. Call this method
    /// once, at launch, before the current environment is used.
    ///
    /// - Throws: ``EnvironmentError`` if a source is set already, or if the current environment is loaded already.
    public static func bootstrap(secrets: some SecretSource) throws(EnvironmentError) {
        try ProcessEnvironment.current.bootstrap(secrets)
    }

    /// True if `choose(_:)` of the product `FingerpostSwitching` selected the environment. The app can then show a
    /// badge with the environment's name.
    public var isChosen: Bool { contents.isChosen }
}

/// The environment of a call while a closure creates credentials for the call. Other calls that the closure sends use
/// this environment, even if another environment is chosen in the meantime.
final class PinnedEnvironment: Sendable {
    private let environment: Environment
    private let isOver = Locked(false)

    private init(_ environment: Environment) { self.environment = environment }

    @TaskLocal private static var current: PinnedEnvironment?

    /// The environment of the running closure; nil outside such a closure, and in a task that outlives its closure.
    static var environment: Environment? { current.flatMap { $0.isOver.withLock { $0 } ? nil : $0.environment } }

    /// Runs a closure that creates credentials for an environment. If the environment is nil, the closure uses the
    /// current environment.
    static func run<Result>(
        in environment: Environment?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let environment else { return try await body() }
        let pinned = PinnedEnvironment(environment)
        defer { pinned.isOver.withLock { $0 = true } }
        return try await $current.withValue(pinned, operation: body)
    }
}
