import FingerpostFiles
package import Foundation

/// Where `Environments/` and `Mocks/` are looked for when the code names no folder: in the resources that the plugin bundled, in those
/// of the main bundle, then in the working directory.
package struct FolderSearch {
    /// The first that exists.
    package let found: URL?
    /// The folder of the working directory, when another was found.
    let besides: URL?
    /// Every place looked at, as shown to people.
    package let lookedIn: [String]

    package init(_ name: String) {
        self.init(name, process: .current)
    }

    /// - Parameter process: what is known of the process.
    init(_ name: String, process: ResourceBundles) {
        let bundled = process.folders(name)
        let others = [Bundle.main.resourceURL, process.workingDirectory].compactMap { $0?.appendingPathComponent(name) }
        let candidates = bundled.isCertain ? bundled.urls + others : others.reversed() + bundled.urls
        found = candidates.first(where: \.isFolder)
        let working = process.workingDirectory.appendingPathComponent(name)
        besides = working.isFolder && found != working ? working : nil
        lookedIn = candidates.map { $0.standardizedFileURL.path }
    }
}
