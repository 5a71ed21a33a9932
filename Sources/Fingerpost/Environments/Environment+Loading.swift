import FingerpostFiles
public import Foundation

extension Environment {
    /// The environment of the running code: the one set by the enclosing ``APIScope``, else the process's own, which is
    /// selected and loaded once by the rules of ``load(_:from:)``.
    ///
    /// - Throws: ``EnvironmentError`` if there is none or one of its files is invalid.
    public static var current: Environment {
        get throws(EnvironmentError) {
            if let scoped { return scoped }
            return try process.get()
        }
    }

    /// The environment set by the ``APIScope`` that the task runs in.
    @TaskLocal static var scoped: Environment?

    /// The process's own environment, loaded on first use.
    package static let process = Result { () throws(EnvironmentError) in try load() }

    /// Loads an environment from its files. Use ``current`` for the one the process has already loaded.
    ///
    /// Without a name, the first of these that applies selects the environment:
    /// 1. the process variable `APP_ENVIRONMENT`,
    /// 2. the key `APIEnvironment` of Info.plist,
    /// 3. in a test process `Testing`, if such a file exists,
    /// 4. the name of the app's bundle or its executable, if such a file exists,
    /// 5. the only environment file.
    ///
    /// Without a folder, `Environments/` is searched for in the resources bundled by the plugin, in the resources of
    /// the main bundle, then in the working directory. Files of secrets are never bundled: they are read from the
    /// working directory.
    ///
    /// - Parameters:
    ///   - name: the part of the file name before `-Env`.
    ///   - folder: the folder that contains the environment files.
    /// - Throws: ``EnvironmentError`` that lists the available environments, or every problem in the files.
    public static func load(
        _ name: String? = nil, from folder: URL? = nil
    ) throws(EnvironmentError) -> Environment {
        let files = try EnvironmentFolder(searching: folder)
        let target = try EnvironmentSelection.current.target(named: name, in: files)
        let file = files.files.first { $0.isCommitted && $0.target == target }
        let variables = EnvironmentVariables(ProcessInfo.processInfo.environment)
        return try Environment(
            file: file?.url, layers: EnvironmentLoader(files, variables: variables).load(target))
    }

    /// Loads an environment from the resources of a bundle: from its folder `Environments/`, or from its top level.
    ///
    /// - Throws: as ``load(_:from:)``.
    public static func load(_ name: String? = nil, in bundle: Bundle) throws(EnvironmentError) -> Environment {
        let resources = bundle.resourceURL ?? bundle.bundleURL
        let folder = resources.appendingPathComponent(EnvironmentFolder.name)
        return try load(name, from: FileManager.default.fileExists(atPath: folder.path) ? folder : resources)
    }

    /// Loads a single file with any name and no other layers. The extension sets the format: `.plist` or `.json`.
    ///
    /// A file that does not follow the naming convention `<Name>-Env` is assumed not to be committed, so it may contain
    /// secrets.
    ///
    /// - Throws: ``EnvironmentError`` with every problem in the file.
    public init(contentsOf url: URL) throws(EnvironmentError) {
        let file: EnvironmentFile
        let document: Document
        do {
            file = try EnvironmentFile(anyName: url)
            document = try file.read()
        } catch {
            throw EnvironmentError(.invalidFile, error)
        }
        try self.init(
            file: file.url,
            layers: LayeredEnvironment(
                document, name: file.target, from: file.isCommitted ? .repository : .elsewhere))
    }
}
