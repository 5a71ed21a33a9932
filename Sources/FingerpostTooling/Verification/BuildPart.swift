import FingerpostFiles
import Foundation

/// A part of a build that runs, or that is loaded: the app itself, an extension, a framework.
struct BuildPart {
    enum Kind: String {
        case app, `extension`, framework, executable, resources

        /// The kind of the bundle in a folder; nil if the folder is none.
        init?(of folder: URL) {
            switch folder.pathExtension.lowercased() {
            case "app": self = .app
            case "appex", "xpc", "systemextension", "dext": self = .extension
            case "framework": self = .framework
            case "bundle", "resources": self = .resources
            default: return nil
            }
        }

        /// True for what selects an environment. A framework or a bundle of resources does not: the app around it does.
        var isProcess: Bool { self == .app || self == .extension || self == .executable }
    }

    let kind: Kind
    let url: URL
    /// The path as shown in messages.
    let path: String
    let info: InfoPlist
    /// The name of the executable.
    let executable: String
    /// The bundles that its process loads: itself, and frameworks.
    var loaded: [URL]

    /// The variables that the system sets when it opens the app. Only Mac apps have them.
    var variables: [String: String] {
        kind == .app && url.appendingPathComponent("Contents").isFolder ? info.variables : [:]
    }

    /// True for the name of the bundle or its executable, which an environment can have.
    func isNamed(_ name: String) -> Bool { [info.text("CFBundleName"), executable].contains(name) }

    func contains(_ other: URL) -> Bool { other.path.begins(with: url.path + "/") }

    /// The folders of this kind, in the order in which the library searches them.
    func search(_ name: String) throws(FileProblem) -> FolderSearch {
        try FolderSearch(
            name, process: ResourceBundles(loaded: loaded, executable: executable, workingDirectory: nil))
    }
}
