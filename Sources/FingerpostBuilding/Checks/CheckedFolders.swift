import FingerpostChecks
package import FingerpostFiles
package import FingerpostMockFiles
package import Foundation

/// The folders `Environments` and `Mocks` in a package or target, and all problems found in these folders.
package struct CheckedFolders: Sendable {
    /// The comparison of the environments; nil if the environments folder does not exist or cannot be read.
    package let parity: EnvironmentParity?
    /// The names of the environment files that apps may contain. These files are committed, and the library reads them.
    /// Secrets files, copies and notes must not leave the source folder.
    let bundledEnvironments: Set<String>
    /// The mocks; nil if the mocks folder does not exist or cannot be read.
    package let mocks: MockIndex?
    /// The Swift code that is generated from both folders.
    package let generated: GeneratedSwift
    /// False if a folder or a file could not be read. In this case, ``generated`` may lack names.
    package let isComplete: Bool
    /// All errors and warnings found in the folders.
    package let problems: [FileProblem]

    /// Reads and checks an environments folder and a mocks folder.
    ///
    /// - Parameters:
    ///   - environments: the environments folder. The folder is skipped if the argument is nil or the folder does not
    ///     exist. A symbolic link whose target folder does not exist is an error, here and in apps.
    ///   - mocks: the mocks folder. The same rules apply to this folder.
    package init(environments: URL?, mocks: URL?) {
        var problems: [FileProblem] = []
        func open<Folder>(_ url: URL?, _ make: (URL) throws(FileProblem) -> Folder) -> Folder? {
            do throws(FileProblem) {
                // If a file has the folder's name, the code below opens it as a folder, because the resulting error
                // explains that the file is not a folder.
                guard let url, try url.isExistingFolder() || FileManager.default.fileExists(atPath: url.path) else {
                    return nil
                }
                return try make(url)
            } catch {
                problems.append(error)
                return nil
            }
        }
        let folder = open(environments) { url throws(FileProblem) in try EnvironmentFolder(url: url) }
        self.mocks = open(mocks) { url throws(FileProblem) in try MockIndex(url: url) }
        bundledEnvironments = Set(folder?.files.filter(\.isCommitted).map(\.url.lastPathComponent) ?? [])
        parity = folder.map { EnvironmentParity(EnvironmentSchema($0)) }
        isComplete = problems.isEmpty && parity?.schema.isComplete != false
        generated = GeneratedSwift(environments: parity?.schema, mocks: self.mocks)
        problems += folder?.nameProblems ?? []
        problems += parity?.problems ?? []
        problems += parity?.schema.sealProblems ?? []
        problems += parity?.schema.descriptionProblems ?? []
        problems += parity.map { CommittedSecretCheck.problems(of: $0.schema) } ?? []
        problems += self.mocks.map { MockFolderCheck.problems(of: $0) } ?? []
        problems += generated.problems
        self.problems = problems
    }
}
