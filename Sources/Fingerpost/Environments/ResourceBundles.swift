import FingerpostFiles
import Foundation

/// The bundles that can contain the folders of a process: the loaded bundles, and the resource bundles that SwiftPM and
/// Xcode put beside or into them, `<Package>_<Target>.resources` or `<Package>_<Target>.bundle`.
///
/// A library cannot access the `Bundle.module` of its client's target, so this type finds the bundles by their file
/// names.
struct ResourceBundles {
    /// The loaded bundles: test bundles, the main bundle, the library's own bundle, and the app's frameworks. On Linux,
    /// the main bundle is the executable's folder.
    var loaded: [URL]
    /// The executable's name.
    var executable: String
    var workingDirectory: URL

    static var current: ResourceBundles {
        let tests = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
        // If an app and its test bundle both use the library, Xcode builds the library as a framework.
        let bundles = tests + [Bundle.main, Bundle(for: Anchor.self)] + Bundle.allFrameworks
        return ResourceBundles(
            loaded: bundles.map(\.bundleURL).filter { !isOfSystem($0) },
            executable: ProcessInfo.processInfo.processName,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
    }

    private final class Anchor {}

    /// True for the bundles of the operating system, of a simulator and of Xcode.
    static func isOfSystem(_ bundle: URL) -> Bool {
        let path = bundle.path
        return path.contains("/System/Library/") || path.hasPrefix("/usr/lib/") || path.contains("/Contents/Developer/")
    }

    /// The folders with the resources of the loaded test bundles, or of the other loaded bundles.
    func resources(ofTests areTests: Bool) throws(FileProblem) -> [URL] {
        var folders: [URL] = []
        for bundle in loaded where (bundle.pathExtension == "xctest") == areTests {
            folders.append(try Self.resources(of: bundle))
        }
        return folders
    }

    /// The folder with the resources of a bundle. It has another name in bundles for macOS.
    private static func resources(of bundle: URL) throws(FileProblem) -> URL {
        for name in ["Contents/Resources", "Resources"] {
            let folder = bundle.appendingPathComponent(name)
            if try folder.isExistingFolder() { return folder }
        }
        return bundle
    }

    /// Returns the folders in the resource bundles that have the given name. `isCertain` is false if several bundles
    /// contain such a folder and it is unclear which bundle belongs to the executable.
    ///
    /// - Throws: an error if a place or a bundle cannot be read.
    func folders(_ name: String) throws(FileProblem) -> (urls: [URL], isCertain: Bool) {
        var places: [URL] = []
        for bundle in loaded {
            places += [bundle, try Self.resources(of: bundle)]
            // Beside a test bundle are the resource bundles of the package's other targets.
            if bundle.pathExtension == "xctest" { places.append(bundle.deletingLastPathComponent()) }
        }
        var seen: Set<String> = []
        var bundles: [(target: Substring, folder: URL)] = []
        for place in places where seen.insert(place.standardizedFileURL.path).inserted {
            for bundle in try Self.bundles(in: place) {
                let folder = try Self.resources(of: bundle).appendingPathComponent(name)
                guard try folder.isExistingFolder() else { continue }
                let stem = bundle.deletingPathExtension().lastPathComponent
                bundles.append((stem.split(separator: "_", maxSplits: 1).last ?? "", folder))
            }
        }
        let own = bundles.filter { isOwn($0.target) }.map(\.folder)
        return own.count == 1 ? (own, true) : (bundles.map(\.folder), bundles.count == 1)
    }

    /// True if the bundle belongs to the target that the process runs. On Linux, all test targets of a package are
    /// built into one executable, so the bundle of any test target is accepted.
    private func isOwn(_ target: Substring) -> Bool {
        if executable.hasSuffix("PackageTests.xctest") { return target.hasSuffix("Tests") }
        let suffix = "-test-runner"
        return target == (executable.hasSuffix(suffix) ? executable.dropLast(suffix.count) : executable[...])
    }

    private static func bundles(in place: URL) throws(FileProblem) -> [URL] {
        try names(in: place).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .map(place.appendingPathComponent)
    }

    /// The names of the files in a folder; empty if the folder does not exist.
    static func names(in folder: URL) throws(FileProblem) -> [String] {
        guard try folder.isExistingFolder() else { return [] }
        do { return try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
            throw FileProblem(
                path: FilePath.display(folder), message: "the folder cannot be read: \(error.localizedDescription)")
        }
    }
}
