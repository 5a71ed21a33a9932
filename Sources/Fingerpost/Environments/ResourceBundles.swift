import FingerpostFiles
import Foundation

/// The folders of resources that SwiftPM puts beside an executable: `<Package>_<Target>.resources`, or `.bundle` where Xcode's build
/// system is at work.
///
/// A library cannot ask for the `Bundle.module` of the target that uses it, hence this search by name.
struct ResourceBundles {
    /// Where the executable and the resources of its main bundle are.
    var places: [URL]
    /// The executable's name.
    var executable: String
    var workingDirectory: URL

    static var current: ResourceBundles {
        let tests = Bundle(for: Anchor.self)
        var places = [Bundle.main, tests].flatMap { [$0.bundleURL] + ($0.resourceURL.map { [$0] } ?? []) }
        // In a test process of Apple's the bundle of the tests is not the main one, and others stand beside it.
        if tests.bundleURL.pathExtension == "xctest" { places.append(tests.bundleURL.deletingLastPathComponent()) }
        return ResourceBundles(
            places: places, executable: ProcessInfo.processInfo.processName,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
    }

    private final class Anchor {}

    /// The folders of a name in the bundles; not certain when several have it and none of them is the executable's own.
    func folders(_ name: String) -> (urls: [URL], isCertain: Bool) {
        var seen: Set<String> = []
        let bundles =
            places.filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap(Self.bundles)
            .compactMap { bundle -> (target: Substring, folder: URL)? in
                let folders = [bundle, bundle.appendingPathComponent("Contents/Resources")]
                guard let folder = folders.map({ $0.appendingPathComponent(name) }).first(where: \.isFolder) else {
                    return nil
                }
                let stem = bundle.deletingPathExtension().lastPathComponent
                return (stem.split(separator: "_", maxSplits: 1).last ?? "", folder)
            }
        let own = bundles.filter { isOwn($0.target) }.map(\.folder)
        return own.count == 1 ? (own, true) : (bundles.map(\.folder), bundles.count == 1)
    }

    /// True for the bundle of the target that the process runs. All tests of a package are one executable: there, a target of tests.
    private func isOwn(_ target: Substring) -> Bool {
        if executable.hasSuffix("PackageTests.xctest") { return target.hasSuffix("Tests") }
        let suffix = "-test-runner"
        return target == (executable.hasSuffix(suffix) ? executable.dropLast(suffix.count) : executable[...])
    }

    private static func bundles(in place: URL) -> [URL] {
        // A place that cannot be listed has no bundles to read.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .map(place.appendingPathComponent)
    }
}
