package import FingerpostFiles
package import Foundation

/// Searches for `Environments/` or `Mocks/` if the code names no folder: in the resources that the plugin bundles, in
/// the main bundle's resources, then in the working directory.
package struct FolderSearch {
    /// The first folder in the search order that exists.
    package let found: URL?
    /// The folder in the working directory, if it exists and ``found`` is another folder.
    let besides: URL?
    /// Every path that was searched, for error messages.
    package let lookedIn: [String]

    /// Searches for a folder with the given name.
    ///
    /// - Throws: an error if a place cannot be searched, so that an existing folder is never taken for a missing one.
    package init(_ name: String) throws(FileProblem) {
        try self.init(name, process: .current)
    }

    /// - Parameter process: the resource bundles and the working directory to search.
    init(_ name: String, process: ResourceBundles) throws(FileProblem) {
        let bundled = try process.folders(name)
        let others = [Bundle.main.resourceURL, process.workingDirectory].compactMap { $0?.appendingPathComponent(name) }
        let candidates = bundled.isCertain ? bundled.urls + others : others.reversed() + bundled.urls
        var found: URL?
        for candidate in candidates where found == nil {
            if try candidate.isExistingFolder() { found = candidate }
        }
        self.found = found
        let working = process.workingDirectory.appendingPathComponent(name)
        besides = working.isFolder && found != working ? working : nil
        lookedIn = candidates.map { $0.standardizedFileURL.path }
    }
}
