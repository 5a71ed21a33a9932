package import Foundation

/// Searches for `Environments/` or `Mocks/` if the code names no folder.
///
/// The search finds the first folder that exists, in this order:
///
/// 1. in each of ``ResourceBundles/loaded``: in the bundle itself, in the resource bundle of the running target, and in
///    the other resource bundles inside the bundle
/// 2. beside an executable outside bundles: in the resource bundle of the running target, or in the only resource
///    bundle
/// 3. in the working directory
/// 4. beside the executable, in one of several resource bundles
///
/// The loaded bundles come first, because only the app's developers put files into an app, but everybody can choose the
/// working directory in which an app starts. The working directory is for tests and for executables outside bundles.
package struct FolderSearch {
    /// The first folder in the search order that exists.
    package let found: URL?
    /// The first bundle that contains files of the folder at its top level, where Xcode puts the files of groups. The
    /// property is nil if a folder exists.
    package let topLevel: URL?
    /// The path of the folder in the working directory, even if the folder does not exist. The property is nil if an
    /// app's folder was found, because an app does not use its working directory.
    package let working: URL?
    /// Every path that was searched, for error messages.
    package let lookedIn: [String]

    /// Searches for a folder with the given name.
    ///
    /// - Parameter process: the bundles and the working directory to search.
    /// - Throws: an error if a folder cannot be searched. An existing folder thus never counts as missing.
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

    /// Returns the fix if only the package contains the folder, and the program was started in another directory.
    /// Returns nil in any other case.
    package static func fix(ofUnbundled name: String, process: ResourceBundles) -> String? {
        for bundle in process.loaded where !ResourceBundles.isInApp(bundle) {
            var folder = bundle.standardizedFileURL
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                guard folder.appendingPathComponent(name).isFolder,
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
                else { continue }
                return
                    "bundle \(folder.appendingPathComponent(name).path): add the plugin FingerpostPlugin to the target, "
                    + "or put the folder into the target's, with resources: [.copy(\(name.quoted))]"
            }
        }
        return nil
    }

    /// Returns true if a bundle's top level contains files that belong in a folder with this name. For mocks, every
    /// JSON file counts, although the app may have other JSON files.
    private static func hasFiles(of name: String, _ topLevel: URL) throws(FileProblem) -> Bool {
        try ResourceBundles.names(in: topLevel).contains { file in
            let isEnvironment = EnvironmentFile.formats.contains { file.hasSuffix("\(EnvironmentFile.suffix).\($0)") }
            return name == FilePath.mocks ? file.hasSuffix(".json") && !isEnvironment : isEnvironment
        }
    }
}

extension ResourceBundles {
    /// Returns the possible paths of a folder with this name, in the order of the search. A path in a loaded bundle
    /// need not exist.
    ///
    /// An executable outside bundles is in the same folder as the resource bundles of its package's targets. Several of
    /// these bundles can contain the folder. If none of these bundles belongs to the running target, the paths in them
    /// are uncertain.
    ///
    /// - Throws: an error if a folder or a bundle cannot be read.
    fileprivate func places(of name: String) throws(FileProblem) -> (certain: [URL], uncertain: [URL]) {
        var certain: [URL] = []
        var beside: [(folder: URL, isOwn: Bool)] = []
        var seen: Set<String> = []
        for bundle in loaded {
            let resources = try Self.resources(of: bundle)
            certain.append(resources.appendingPathComponent(name))
            for place in [bundle, resources] where seen.insert(place.standardizedFileURL.path).inserted {
                let folders = try folders(name, inBundlesAt: place)
                if Self.isBundle(bundle) {
                    for (folder, isOwn) in folders where isOwn { certain.append(folder) }
                    for (folder, isOwn) in folders where !isOwn { certain.append(folder) }
                } else {
                    beside += folders
                }
            }
            // The folder around a test bundle contains the resource bundles of the package's other targets.
            let parent = bundle.deletingLastPathComponent()
            if bundle.pathExtension == "xctest", seen.insert(parent.standardizedFileURL.path).inserted {
                beside += try folders(name, inBundlesAt: parent)
            }
        }
        let own = beside.filter(\.isOwn)
        let folders = (own.count == 1 ? own : beside).map(\.folder)
        return folders.count == 1 ? (certain + folders, []) : (certain, folders)
    }

    /// Returns the folders with this name in the resource bundles inside a folder.
    private func folders(
        _ name: String, inBundlesAt place: URL
    ) throws(FileProblem) -> [(folder: URL, isOwn: Bool)] {
        var folders: [(folder: URL, isOwn: Bool)] = []
        let names = try Self.names(in: place).inOrder
        for file in names where file.hasSuffix(".resources") || file.hasSuffix(".bundle") {
            let bundle = place.appendingPathComponent(file)
            let folder = try Self.resources(of: bundle).appendingPathComponent(name)
            guard try folder.isExistingFolder() else { continue }
            let stem = bundle.deletingPathExtension().lastPathComponent
            folders.append((folder, isOwn(stem.cut(at: "_")?.after ?? stem[...])))
        }
        return folders
    }
}
