import FingerpostFiles
import Foundation

/// A part of a build that runs, or that is loaded: the app itself, an extension, a framework.
struct BuildPart {
    enum Kind: String {
        case app, `extension`, framework, executable, resources
        /// A system extension or a driver, which the system copies out of the app before it runs.
        case system
        /// A plug-in: code that another program loads, such as System Settings or Quick Look. What its Info.plist and
        /// its files say is checked as for a process. If they select nothing, the program or the code may.
        case plugin
        /// A pack of on-demand resources, which the store delivers apart from the app.
        case assets

        /// The kind of the bundle in a folder; nil if the folder is none.
        init?(of folder: URL) {
            switch folder.pathExtension.lowercased() {
            case "app": self = .app
            case "appex", "xpc": self = .extension
            case "systemextension", "dext": self = .system
            case "framework": self = .framework
            // A `.bundle` with code is loaded by the app itself, which selects.
            case "bundle", "resources": self = .resources
            case "assetpack": self = .assets
            case "", "xctest", "dsym": return nil
            default:
                // Other folders contain files of this name too. What the system cannot read is no bundle for it.
                let info = try? InfoPlist(InfoPlist.file(in: folder), path: "Info.plist")
                guard info?.text("CFBundleExecutable") != nil else { return nil }
                self = .plugin
            }
        }

        /// True for what selects an environment.
        var isProcess: Bool {
            switch self {
            case .app, .extension, .executable, .system, .plugin: true
            case .framework, .resources, .assets: false
            }
        }
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

    /// The folders of this kind, in the order in which the library searches them.
    func search(_ name: String) throws(FileProblem) -> FolderSearch {
        try FolderSearch(
            name, process: ResourceBundles(loaded: loaded, executable: executable, workingDirectory: nil))
    }
}
