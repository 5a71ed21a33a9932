package import FingerpostFiles
import Foundation

/// The environments folder that a target's environment files are copied from. In debug builds, the code that the plugin
/// generates contains a class `_FingerpostSource` that conforms to this protocol. Code written by hand does not use
/// this protocol.
public protocol _SourceFolder: AnyObject {
    /// The path of the folder on the machine that built the target.
    static var path: String { get }
}

/// Finds the folder that the environment files in a bundle were copied from. Secrets files are never copied, so they
/// are read from that folder.
enum SourceFolder {
    /// Returns the folders that may contain the secrets files of a folder in a bundle: first the source folder that was
    /// copied into the bundle, then the folder itself. A release build does not contain the path of the source folder.
    ///
    /// - Returns: nil if the folder is not in a bundle.
    static func folders(withSecretsOf folder: URL) -> [URL]? {
        let modules = modules(ofBundleAround: folder)
        if modules.isEmpty { return nil }
        let sources = modules.lazy.compactMap { module in
            NSClassFromString("\(module)._FingerpostSource") as? any _SourceFolder.Type
        }
        return (sources.first.map { [URL(fileURLWithPath: $0.path, isDirectory: true)] } ?? []) + [folder]
    }

    /// Returns the possible names of the module that belongs to the innermost bundle around a folder: `Model` for
    /// "App_Model.bundle", and `My_App` for "My App.app". Returns no names if the folder is not in a bundle.
    static func modules(ofBundleAround folder: URL) -> [String] {
        let parts = folder.standardizedFileURL.pathComponents
        guard let bundle = parts.last(where: { name in extensions.contains(where: name.hasSuffix) }),
            let dot = bundle.lastIndex(of: ".")
        else { return [] }
        // The names of packages and targets can contain underscores too.
        let words = bundle[..<dot].parts(between: "_")
        return words.indices.map { identifier(words[$0...].joined(separator: "_")) }
    }

    private static let extensions = [".app", ".appex", ".bundle", ".framework", ".resources", ".xctest"]

    /// Returns the module name of a target or product. Characters other than letters, digits and underscores are
    /// replaced.
    private static func identifier(_ name: String) -> String {
        var identifier = ""
        for scalar in name.unicodeScalars {
            let isPart = identifier.isEmpty ? scalar.properties.isXIDStart : scalar.properties.isXIDContinue
            identifier.unicodeScalars.append(isPart ? scalar : "_")
        }
        return identifier
    }
}

extension ResourceBundles {
    /// The bundles of this process.
    package static var current: ResourceBundles {
        let tests = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
        // If an app and its test bundle both use the library, Xcode builds the library as a framework with its own
        // bundle.
        let bundles = tests + [Bundle.main, Bundle(for: Anchor.self)] + Bundle.allFrameworks
        return ResourceBundles(
            loaded: bundles.map(\.bundleURL).filter { !isOfSystem($0) } + PreviewProcess.folders,
            executable: ProcessInfo.processInfo.processName,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
    }

    private final class Anchor {}

    /// True for the bundles of the operating system, of a simulator and of Xcode.
    static func isOfSystem(_ bundle: URL) -> Bool {
        let path = bundle.path
        return path.contains("/System/Library/") || path.hasPrefix("/usr/lib/") || path.contains("/Contents/Developer/")
    }
}
