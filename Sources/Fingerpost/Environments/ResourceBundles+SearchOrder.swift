package import FingerpostFiles
import Foundation

extension ResourceBundles {
    /// The bundles of this process.
    package static var current: ResourceBundles {
        let tests = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
        // If an app and its test bundle both use the library, Xcode builds the library as a framework.
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
