import FingerpostDocuments
import FingerpostFiles
import FingerpostShared
import Foundation

/// One build: an app with its contents, an archive, or an executable with the files beside the executable.
struct Build {
    let files: BuiltFiles
    /// The parts of the build. The first part is the app, the framework or the executable that contains the others.
    private(set) var parts: [BuildPart] = []
    private(set) var findings: [FileProblem] = []

    /// - Parameter folder: a bundle, or the products folder of an archive.
    init(folder: URL, shown: String) {
        files = BuiltFiles(folder, shown: shown)
        findings = files.findings
        if let kind = BuildPart.Kind(of: folder) { add(kind, folder, shown) }
        for file in files.files where file.kind == .folder {
            let url = files.url(of: file.path)
            guard let kind = BuildPart.Kind(of: url), kind != .resources else { continue }
            add(kind, url, files.path(of: file.path))
        }
        loadFrameworks()
    }

    /// - Parameters:
    ///   - executable: a program. Its resource bundles and libraries are in the same folder.
    ///   - ownsFolder: false if the bundles in the folder belong to other programs.
    init(executable: URL, shown: String, ownsFolder: Bool = true) {
        let folder = executable.deletingLastPathComponent()
        let name = executable.lastPathComponent
        // If the folder cannot be listed, the code that lists the build's files reports the error.
        let beside = ownsFolder ? (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] : []
        let shownFolder = shown.isSame(as: name) ? "." : String(Substring(shown.utf8.dropLast(name.utf8.count + 1)))
        files = BuiltFiles(
            folder, shown: shownFolder.isEmpty ? "/" : shownFolder,
            entries: [name] + beside.filter(Self.isPart).sorted())
        findings = files.findings
        parts = [
            BuildPart(
                kind: .executable, url: executable, path: shown, info: InfoPlist(), executable: name,
                loaded: ownsFolder ? [folder] : [])
        ]
    }

    /// Returns true if a file beside a program belongs to the program.
    private static func isPart(_ name: String) -> Bool {
        let url = URL(fileURLWithPath: name)
        switch url.pathExtension {
        // The resources of a test target do not belong to any program.
        case "resources", "bundle": return !url.deletingPathExtension().lastPathComponent.ends(with: "Tests")
        case "framework", "so", "dylib": return true
        // A Mac's disk usually ignores letter case.
        default: return [EnvironmentFolder.name, FilePath.mocks].contains { $0.lowercased() == name.lowercased() }
        }
    }

    private mutating func add(_ kind: BuildPart.Kind, _ url: URL, _ shown: String) {
        do throws(FileProblem) {
            let file = InfoPlist.file(in: url)
            let info = try InfoPlist(file, path: file.flatMap(files.relativePath).map(files.path) ?? shown)
            let executable = info.text("CFBundleExecutable") ?? url.deletingPathExtension().lastPathComponent
            parts.append(
                BuildPart(kind: kind, url: url, path: shown, info: info, executable: executable, loaded: [url]))
            guard kind.isProcess, file == nil else { return }
            findings.append(
                FileProblem(
                    .incomplete, shown, "there is no Info.plist, so this is not a whole bundle",
                    fix: "build it again, or copy all of it"))
        } catch {
            findings.append(error.unreadable(fix: "build or copy the whole bundle again"))
        }
    }

    /// Assigns to each process the frameworks that it loads. An extension also loads the frameworks of its app.
    private mutating func loadFrameworks() {
        let frameworks = parts.filter { $0.kind == .framework }.map(\.url)
        for index in parts.indices where parts[index].kind.isProcess {
            let part = parts[index]
            // The last match is the innermost app.
            let app = parts.last { part.kind == .extension && $0.kind == .app && $0.contains(part.url) }
            parts[index].loaded += [part.url, app?.url].compactMap(\.self).flatMap { bundle in
                frameworks.filter { framework in
                    let parent = framework.deletingLastPathComponent().path
                    return ["", "/Frameworks", "/Contents/Frameworks"].contains { parent.isSame(as: bundle.path + $0) }
                }
            }
        }
    }

}

/// A part of a build, such as the app itself, an extension or a framework. The system runs the part, or a process loads
/// it.
struct BuildPart {
    enum Kind: String {
        case app, `extension`, framework, executable, resources

        /// Creates the kind of a bundle. Returns nil if the folder is not a bundle.
        init?(of folder: URL) {
            switch folder.pathExtension.lowercased() {
            case "app": self = .app
            case "appex", "xpc": self = .extension
            case "framework": self = .framework
            case "bundle", "resources": self = .resources
            default: return nil
            }
        }

        /// True for an app, an extension or an executable, because these kinds of parts select an environment. A
        /// framework or a resource bundle does not select an environment.
        var isProcess: Bool { self == .app || self == .extension || self == .executable }
    }

    let kind: Kind
    let url: URL
    /// The path as shown in messages.
    let path: String
    let info: InfoPlist
    let executable: String
    /// The bundles that the part's process loads: the part itself and its frameworks.
    var loaded: [URL]

    /// Returns true if the bundle or the executable has this name. An environment may have the same name.
    func isNamed(_ name: String) -> Bool { [info.text("CFBundleName"), executable].contains(name) }

    func contains(_ other: URL) -> Bool { other.path.begins(with: url.path + "/") }

    /// Searches for a folder where the library would search at run time.
    func search(_ name: String) throws(FileProblem) -> FolderSearch {
        try FolderSearch(
            name, process: ResourceBundles(loaded: loaded, executable: executable, workingDirectory: nil))
    }
}

/// The parser for files of a build. The parser reads the binary property lists that Xcode writes, on Linux too, because
/// people verify builds on Linux.
enum BuildParser: StrictParsing {
    static func read(_ data: Data, path: String, _ kind: Document.Kind) throws(FileProblem) -> Document {
        guard path.ends(with: ".plist"), data.starts(with: PropertyListBinary.signature) else {
            return try strictParser.read(data, path: path, kind)
        }
        do throws(FileProblem) {
            return Document(path: path, root: try PropertyListBinary.read([UInt8](data)))
        } catch {
            throw error.located(in: path)
        }
    }

    static func problems(in environment: LayeredEnvironment) -> [FileProblem] {
        strictParser.problems(in: environment)
    }

    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String> {
        strictParser.typos(in: names, of: environment)
    }

    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem? {
        strictParser.problem(of: value, placeholder: placeholder)
    }

    static func problem(ofURL text: String, placeholder: String?) -> FileProblem {
        strictParser.problem(ofURL: text, placeholder: placeholder)
    }
}

/// The values of an Info.plist that determine which environment a process selects.
struct InfoPlist {
    /// The parsed file. Nil for a bundle or an executable without Info.plist.
    private var document: Document?

    /// Creates the values of an executable outside a bundle, which has no Info.plist.
    init() {}

    /// - Parameter file: the file. Nil for a bundle without Info.plist.
    init(_ file: URL?, path: String) throws(FileProblem) {
        guard let file else { return }
        let opened = try RegularFile(file, path: path)
        guard opened.size <= 5_000_000 else {
            throw FileProblem(path: path, message: "the file has \(opened.size) bytes, so it is not an Info.plist")
        }
        document = try BuildParser.read(opened.contents(), path: path, .file)
    }

    /// Returns the Info.plist of a bundle, or nil if the file does not exist.
    static func file(in bundle: URL) -> URL? {
        ["Contents/Info.plist", "Info.plist", "Resources/Info.plist"].map(bundle.appendingPathComponent)
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    subscript(key: String) -> Node? { document?.root[key] }

    func text(_ key: String) -> String? { self[key]?.string }

    /// Returns a problem with the value of a key.
    func problem(_ key: String, _ message: String, fix: String) -> FileProblem {
        document?.problem(at: self[key]?.offset, message, fix: fix) ?? FileProblem(message, fix: fix)
    }
}
