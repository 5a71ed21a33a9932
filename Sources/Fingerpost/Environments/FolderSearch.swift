package import FingerpostFiles
package import Foundation

/// Searches for `Environments/` or `Mocks/` if the code names no folder: in the resources of test bundles, in the
/// resources that the plugin bundles, in the other loaded bundles, and in the working directory. If no bundle contains
/// such a folder, its files may be at the top level of a bundle, where Xcode puts files that belong to no folder.
package struct FolderSearch {
    /// The first folder in the search order that exists.
    package let found: URL?
    /// The folder in the working directory, whether it exists or not.
    let working: URL
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
        working = process.workingDirectory.appendingPathComponent(name)
        let tests = try process.resources(ofTests: true)
        let others = try process.resources(ofTests: false)
        let inOthers = others.map { $0.appendingPathComponent(name) }
        let candidates =
            tests.map { $0.appendingPathComponent(name) }
            + (bundled.isCertain ? bundled.urls + inOthers + [working] : [working] + inOthers + bundled.urls)
        var found: URL?
        for candidate in candidates where found == nil {
            if try candidate.isExistingFolder() { found = candidate }
        }
        for resources in tests + others where found == nil {
            if try Self.isFlat(resources, name) { found = resources }
        }
        self.found = found
        var seen: Set<String> = []
        lookedIn = candidates.map { $0.standardizedFileURL.path }.filter { seen.insert($0).inserted }
    }

    /// True for the resources of a bundle that contain the files of a folder at their top level. An executable's own
    /// folder is not searched, because it contains other files as well.
    private static func isFlat(_ resources: URL, _ name: String) throws(FileProblem) -> Bool {
        let isBundle = resources.pathComponents.contains { component in
            [".app", ".appex", ".xctest", ".framework"].contains { component.hasSuffix($0) }
        }
        guard isBundle else { return false }
        return try ResourceBundles.names(in: resources).contains { file in
            let isEnvironment = [".plist", ".json"].contains { file.hasSuffix(EnvironmentFile.suffix + $0) }
            return name == MockFolder.name ? file.hasSuffix(".json") && !isEnvironment : isEnvironment
        }
    }
}
