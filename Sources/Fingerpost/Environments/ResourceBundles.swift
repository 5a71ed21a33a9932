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
    func resources(ofTests areTests: Bool) -> [URL] {
        loaded.filter { ($0.pathExtension == "xctest") == areTests }.map(Self.resources)
    }

    /// The folder with the resources of a bundle. It has another name in bundles for macOS.
    private static func resources(of bundle: URL) -> URL {
        ["Contents/Resources", "Resources"].map(bundle.appendingPathComponent).first(where: \.isFolder) ?? bundle
    }

    /// Returns the folders in the resource bundles that have the given name. `isCertain` is false if several bundles
    /// contain such a folder and it is unclear which bundle belongs to the executable.
    func folders(_ name: String) -> (urls: [URL], isCertain: Bool) {
        var seen: Set<String> = []
        // Beside a test bundle are the resource bundles of the package's other targets.
        let places = loaded.flatMap { bundle in
            [bundle, Self.resources(of: bundle)]
                + (bundle.pathExtension == "xctest" ? [bundle.deletingLastPathComponent()] : [])
        }
        let bundles =
            places.filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap(Self.bundles)
            .compactMap { bundle -> (target: Substring, folder: URL)? in
                let folder = Self.resources(of: bundle).appendingPathComponent(name)
                guard folder.isFolder else { return nil }
                let stem = bundle.deletingPathExtension().lastPathComponent
                return (stem.split(separator: "_", maxSplits: 1).last ?? "", folder)
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

    private static func bundles(in place: URL) -> [URL] {
        // A folder that cannot be listed has no readable bundles.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .map(place.appendingPathComponent)
    }
}
