import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension MockIndex {
    /// The default mocks folder of test code: `Mocks/` beside the calling file or in a folder above that file, up to
    /// the root of the package, project or repository. If no such folder exists, returns the folder that the client
    /// finds.
    ///
    /// - Parameters:
    ///   - filePath: the path of the calling file.
    ///   - isWritten: true if the caller records into the folder. In that case, the result is never a copy that a build
    ///     has made.
    /// - Throws: `FileProblem` if no mocks folder exists. The error lists the searched folders.
    static func url(near filePath: String, isWritten: Bool = false) throws(FileProblem) -> URL {
        var above: [URL] = []
        for folder in folders(from: URL(fileURLWithPath: filePath, isDirectory: false).deletingLastPathComponent()) {
            // With `isDirectory`, `appendingPathComponent` does not read the disk.
            let place = folder.appendingPathComponent(name, isDirectory: true)
            if place.isFolder { return place }
            above.append(place)
        }
        let search = try FolderSearch(name, process: .current)
        let other = isWritten ? search.working.flatMap { $0.isFolder ? $0 : nil } : search.found
        if let other { return other }
        let lookedIn =
            above.map(FilePath.display) + (isWritten ? search.working.map { [$0.path] } ?? [] : search.lookedIn)
        let sources = missingSources(of: filePath)
        throw FileProblem(
            path: name,
            message: "the folder does not exist; searched \(lookedIn.joined(separator: ", "))"
                + (sources.map { ". " + message(ofMissingSources: $0) } ?? ""),
            fix: sources != nil && !isWritten
                ? fixOfMissingSources
                : (isWritten ? "make the folder \(name)" : "add \(name)/<name>.json")
                    + " at the root of the package or project, or pass the folder in the call")
    }

    /// Returns the folder of a test's source file if this folder does not exist on this machine; otherwise nil.
    static func missingSources(of filePath: String) -> String? {
        let folder = URL(fileURLWithPath: filePath, isDirectory: false).deletingLastPathComponent()
        return folder.isFolder ? nil : folder.path
    }

    /// Returns a folder and the folders above it, up to the root. The sequence is lazy, because every test searches
    /// these folders.
    private static func folders(from folder: URL) -> some Sequence<URL> {
        // The folders above the root belong to other packages and projects.
        sequence(first: folder) { isRoot($0) || $0.path == "/" ? nil : $0.deletingLastPathComponent() }
    }

    /// Returns true for the root folder of a package, Xcode project or repository, and for the user's home folder.
    private static func isRoot(_ folder: URL) -> Bool {
        // A folder that cannot be listed does not contain the caller's project.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return folder.path == NSHomeDirectory() || names.contains("Package.swift") || names.contains(".git")
            || names.contains { $0.hasSuffix(".xcodeproj") || $0.hasSuffix(".xcworkspace") }
    }
}

extension EnvironmentFolder {
    /// Returns the environments folder beside a mocks folder. If no such folder exists, returns the folder that the
    /// client finds, or nil if the client finds no folder.
    static func url(besideMocksIn mocks: URL) throws(FileProblem) -> URL? {
        let beside = mocks.deletingLastPathComponent().appendingPathComponent(name)
        if beside.isFolder { return beside }
        let search = try FolderSearch(name, process: .current)
        return search.found ?? search.topLevel
    }
}
