package import Foundation

/// Searches for `Environments/` or `Mocks/` if the code names no folder.
///
/// The loaded bundles come first: nobody but the app's developers puts files into an app, and everybody can choose the
/// working directory in which an app starts. The working directory serves tests and executables outside bundles.
package struct FolderSearch {
    /// The first folder in the search order that exists.
    package let found: URL?
    /// If no folder exists, the first bundle with such files at its top level, where Xcode puts the files of groups.
    package let topLevel: URL?
    /// The folder in the working directory, whether it exists or not; nil if an app's folder was found, because the
    /// working directory adds nothing to an app.
    package let working: URL?
    /// Every path that was searched, for error messages.
    package let lookedIn: [String]

    /// Searches for a folder with the given name.
    ///
    /// - Parameter process: the bundles and the working directory to search.
    /// - Throws: an error if a place cannot be searched, so that an existing folder is never taken for a missing one.
    package init(_ name: String, process: ResourceBundles) throws(FileProblem) {
        let working = process.workingDirectory?.appendingPathComponent(name)
        let places = try process.places(of: name)
        let candidates = places.certain + [working].compactMap(\.self) + places.uncertain
        var found: URL?
        for candidate in candidates where found == nil {
            if try candidate.isExistingFolder() { found = candidate }
        }
        var topLevel: URL?
        // The folder of an executable outside bundles contains other files as well.
        for bundle in process.loaded where found == nil && topLevel == nil && ResourceBundles.isBundle(bundle) {
            let resources = try ResourceBundles.resources(of: bundle)
            if try Self.hasFiles(of: name, resources) { topLevel = resources }
        }
        (self.found, self.topLevel) = (found, topLevel)
        self.working = (found ?? topLevel).map(ResourceBundles.isInApp) ?? false ? nil : working
        var seen: Set<String> = []
        lookedIn = candidates.map { $0.standardizedFileURL.path }.filter { seen.insert($0).inserted }
    }

    /// True if a bundle's top level contains files that belong into a folder with this name. For mocks, these are all
    /// JSON files: most of them can be files of the app that no mock is named after.
    private static func hasFiles(of name: String, _ topLevel: URL) throws(FileProblem) -> Bool {
        try ResourceBundles.names(in: topLevel).contains { file in
            let isEnvironment = EnvironmentFile.formats.contains { file.hasSuffix("\(EnvironmentFile.suffix).\($0)") }
            return name == FolderName.mocks ? file.hasSuffix(".json") && !isEnvironment : isEnvironment
        }
    }
}
