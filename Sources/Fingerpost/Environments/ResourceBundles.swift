import FingerpostFiles
import Foundation

/// The resource bundles that SwiftPM puts next to an executable: `<Package>_<Target>.resources`, or
/// `<Package>_<Target>.bundle` with Xcode's build system.
///
/// A library cannot access the `Bundle.module` of its client's target, so this type finds the bundles by their file
/// names.
struct ResourceBundles {
    /// The folders in which to look for bundles, such as the executable's folder and the main bundle's resources.
    var places: [URL]
    /// The executable's name.
    var executable: String
    var workingDirectory: URL

    static var current: ResourceBundles {
        let tests = Bundle(for: Anchor.self)
        var places = [Bundle.main, tests].flatMap { [$0.bundleURL] + ($0.resourceURL.map { [$0] } ?? []) }
        // In a test process on Apple platforms, the test bundle is not the main bundle, and the other bundles are next
        // to the test bundle.
        if tests.bundleURL.pathExtension == "xctest" { places.append(tests.bundleURL.deletingLastPathComponent()) }
        return ResourceBundles(
            places: places, executable: ProcessInfo.processInfo.processName,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
    }

    private final class Anchor {}

    /// Returns the folders in the bundles that have the given name. `isCertain` is false if several bundles contain
    /// such a folder and it is unclear which bundle belongs to the executable.
    ///
    /// - Throws: an error if a place or a bundle cannot be read.
    func folders(_ name: String) throws(FileProblem) -> (urls: [URL], isCertain: Bool) {
        var seen: Set<String> = []
        var bundles: [(target: Substring, folder: URL)] = []
        for place in places where seen.insert(place.standardizedFileURL.path).inserted {
            for bundle in try Self.bundles(in: place) {
                let folders = [bundle, bundle.appendingPathComponent("Contents/Resources")]
                    .map { $0.appendingPathComponent(name) }
                let stem = bundle.deletingPathExtension().lastPathComponent
                let target = stem.split(separator: "_", maxSplits: 1).last ?? ""
                for folder in folders where try folder.isExistingFolder() {
                    bundles.append((target, folder))
                    break
                }
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
        guard try place.isExistingFolder() else { return [] }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: place.path) } catch {
            throw FileProblem(
                path: FilePath.display(place), message: "the folder cannot be read: \(error.localizedDescription)")
        }
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .map(place.appendingPathComponent)
    }
}
