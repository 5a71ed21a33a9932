import FingerpostFiles
public import Foundation

extension Environment {
    /// The environment of the running code: that of the ``APIScope`` it runs in, else the process's own, which is selected
    /// and read once, by the rules of ``load(_:from:)``.
    ///
    /// - Throws: ``EnvironmentError`` when there is none or its file is broken.
    public static var current: Environment {
        get throws(EnvironmentError) {
            if let scoped { return scoped }
            return try process.get()
        }
    }

    /// The environment of the ``APIScope`` that the task runs in, which sets it.
    @TaskLocal static var scoped: Environment?

    /// The process's own.
    package static let process = Result { () throws(EnvironmentError) in try load() }

    /// Reads an environment anew.
    ///
    /// Without a name it is selected; the first that is given decides:
    /// 1. the process variable `APP_ENVIRONMENT`,
    /// 2. the key `APIEnvironment` of Info.plist,
    /// 3. in a test process `Testing`, where such a file exists,
    /// 4. the name of the app's bundle or its executable, where such a file exists,
    /// 5. the only file there is.
    ///
    /// Without a folder, `Environments/` is looked for in the resources that the plugin bundled, in those of the main bundle, then in
    /// the working directory. Files of secrets are never bundled: they are read from the working directory.
    ///
    /// - Parameters:
    ///   - name: what stands before `-Env` in the file's name.
    ///   - folder: the folder that holds the files.
    /// - Throws: ``EnvironmentError`` that lists the files there are, or says what is wrong in the file.
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

    /// Reads an environment from the resources of a bundle: from its folder `Environments/`, or from its top level.
    ///
    /// - Throws: as ``load(_:from:)``.
    public static func load(_ name: String? = nil, in bundle: Bundle) throws(EnvironmentError) -> Environment {
        let resources = bundle.resourceURL ?? bundle.bundleURL
        let folder = resources.appendingPathComponent(EnvironmentFolder.name)
        return try load(name, from: FileManager.default.fileExists(atPath: folder.path) ? folder : resources)
    }

    /// Reads one file alone, without other layers, whatever its name; the format is told by its extension, `.plist` or `.json`.
    ///
    /// A file whose name is not that of an environment is not taken to be committed, so it may hold secrets.
    ///
    /// - Throws: ``EnvironmentError`` that says what is wrong in the file.
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
