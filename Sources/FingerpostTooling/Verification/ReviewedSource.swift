import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The folders that were reviewed: `Environments` and `Mocks` of a package or a project.
struct ReviewedSource: Sendable {
    let environments: EnvironmentFolder
    /// nil if there is no such folder.
    let mocks: MockFolder?
    /// The paths that the plugin writes into debug builds.
    let paths: [String]

    /// - Parameter url: the folder that contains `Environments`, or this folder itself.
    /// - Throws: an error if there are no environments, or if a folder cannot be read.
    init(_ url: URL) throws(FileProblem) {
        let inner = url.appendingPathComponent(EnvironmentFolder.name)
        let folder = try inner.isExistingFolder() ? inner : url
        guard try folder.isExistingFolder() else {
            throw FileProblem(
                path: FilePath.display(url), message: "the source folder does not exist",
                fix: "pass the folder that contains \(EnvironmentFolder.name) as --source")
        }
        environments = try EnvironmentFolder(url: folder)
        guard !environments.targets.isEmpty else {
            throw FileProblem(
                path: FilePath.display(url), message: "the source folder contains no environments",
                fix: "pass the folder that contains \(EnvironmentFolder.name) as --source")
        }
        let beside = folder.deletingLastPathComponent().appendingPathComponent(MockFolder.name)
        mocks = try beside.isExistingFolder() ? MockFolder(url: beside) : nil
        paths = Set([folder.standardizedFileURL.path, folder.resolvingSymlinksInPath().path]).sorted()
    }
}
