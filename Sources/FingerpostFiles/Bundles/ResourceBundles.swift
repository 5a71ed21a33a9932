package import Foundation

/// The bundles that can contain the folders of a process: the loaded bundles, and the resource bundles
/// `<Package>_<Target>.resources` or `<Package>_<Target>.bundle`. SwiftPM and Xcode put resource bundles beside or into
/// loaded bundles.
///
/// A library cannot access the `Bundle.module` of its client's target, so this type finds the bundles by their file
/// names.
package struct ResourceBundles {
    /// The loaded bundles: test bundles, the main bundle, the library's own bundle, and the app's frameworks. On Linux,
    /// the main bundle is the executable's folder. In previews of a package, the folder of the package's resource
    /// bundles is included.
    var loaded: [URL]
    /// The executable's name.
    var executable: String
    /// The working directory; nil if the working directory is not searched.
    var workingDirectory: URL?

    package init(loaded: [URL], executable: String, workingDirectory: URL?) {
        self.loaded = loaded
        self.executable = executable
        self.workingDirectory = workingDirectory
    }

    /// Returns the folder with the resources of a bundle. In bundles for macOS, this folder is inside the bundle; in
    /// other bundles, it is the bundle itself.
    static func resources(of bundle: URL) throws(FileProblem) -> URL {
        for name in ["Contents/Resources", "Resources"] {
            let folder = bundle.appendingPathComponent(name)
            if try folder.isExistingFolder() { return folder }
        }
        return bundle
    }

    /// True for the folder of an app, an extension, a framework or a test bundle.
    static func isBundle(_ folder: URL) -> Bool {
        ["app", "appex", "framework", "xctest"].contains(folder.pathExtension)
    }

    /// True if the bundle belongs to the target that the process runs. On Linux, all test targets of a package are
    /// built into one executable, so the bundle of any test target is accepted.
    func isOwn(_ target: Substring) -> Bool {
        if executable.hasSuffix("PackageTests.xctest") { return target.hasSuffix("Tests") }
        let suffix = "-test-runner"
        return target == (executable.hasSuffix(suffix) ? executable.dropLast(suffix.count) : executable[...])
    }

    /// True for a folder in an app or an extension.
    static func isInApp(_ folder: URL) -> Bool {
        folder.standardizedFileURL.pathComponents.contains { $0.hasSuffix(".app") || $0.hasSuffix(".appex") }
    }

    /// The names of the files in a folder; empty if the folder does not exist.
    static func names(in folder: URL) throws(FileProblem) -> [String] {
        try folder.isExistingFolder() ? folder.fileNames() : []
    }
}
