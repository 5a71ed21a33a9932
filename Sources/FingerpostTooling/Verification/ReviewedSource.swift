import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The folders that were reviewed: `Environments` and `Mocks` of a package or a project.
struct ReviewedSource {
    let environments: EnvironmentFolder
    /// nil if there is no such folder.
    let mocks: MockFolder?

    /// - Parameter url: the folder that contains `Environments`, or this folder itself.
    /// - Throws: an error if there are no environments, or if a folder cannot be read.
    init(_ url: URL) throws(FileProblem) {
        let inner = url.appendingPathComponent(EnvironmentFolder.name)
        let folder = try inner.isExistingFolder() ? inner : url
        guard try folder.isExistingFolder(), case let files = try EnvironmentFolder(url: folder), !files.targets.isEmpty
        else {
            throw FileProblem(
                path: FilePath.display(url), message: "the source folder does not exist, or contains no environments",
                fix: "pass the folder that contains \(EnvironmentFolder.name) as --source")
        }
        environments = files
        let beside = folder.deletingLastPathComponent().appendingPathComponent(MockFolder.name)
        mocks = try beside.isExistingFolder() ? MockFolder(url: beside) : nil
    }
}
