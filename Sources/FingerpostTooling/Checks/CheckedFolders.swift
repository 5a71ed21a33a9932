package import FingerpostFiles
package import Foundation

/// The folders `Environments` and `Mocks` of a package or a target, and all problems found in them.
package struct CheckedFolders: Sendable {
    /// The comparison of the environments; nil when the folder does not exist or cannot be read.
    package let parity: EnvironmentParity?
    /// The mocks; nil when the folder does not exist or cannot be read.
    package let mocks: MockFolder?
    /// The Swift generated from both folders.
    package let generated: GeneratedSwift
    /// All errors and warnings.
    package let problems: [FileProblem]

    /// Reads and checks two folders.
    ///
    /// - Parameters:
    ///   - environments: the environments folder; nil and folders that do not exist are skipped.
    ///   - mocks: the mocks folder; nil and folders that do not exist are skipped.
    package init(environments: URL?, mocks: URL?) {
        var problems: [FileProblem] = []
        func open<Folder>(_ url: URL?, _ make: (URL) throws(FileProblem) -> Folder) -> Folder? {
            guard let url, FileManager.default.fileExists(atPath: url.path) else { return nil }
            do throws(FileProblem) { return try make(url) } catch {
                problems.append(error)
                return nil
            }
        }
        let folder = open(environments) { url throws(FileProblem) in try EnvironmentFolder(url: url) }
        self.mocks = open(mocks) { url throws(FileProblem) in try MockFolder(url: url) }
        parity = folder.map { EnvironmentParity(EnvironmentSchema($0)) }
        generated = GeneratedSwift(environments: parity?.schema, mocks: self.mocks)
        problems += folder.map(EnvironmentFolderCheck.problems) ?? []
        problems += parity?.problems ?? []
        problems += self.mocks.map { MockFolderCheck.problems(of: $0) } ?? []
        problems += generated.problems
        self.problems = problems
    }

    /// Reads and checks the folders `Environments` and `Mocks` in another folder.
    package init(below root: URL) {
        self.init(
            environments: root.appendingPathComponent(EnvironmentFolder.name),
            mocks: root.appendingPathComponent(MockFolder.name))
    }
}
