import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation
import Testing

/// Checks, once per process, each folder that tests use. In a package without the plugin, the first test therefore
/// reports mistakes in the files. Secrets files are not checked, because not every developer has these files.
enum FolderChecks {
    private static let checked = Locked<Set<String>>([])

    /// Returns the problems in a mocks folder and in the environments beside it. Returns no problems if the folder has
    /// been checked before.
    static func newProblems(of mocks: URL) -> [FileProblem] {
        guard checked.withLock({ $0.insert(mocks.path).inserted }) else { return [] }
        return problems(of: mocks)
    }

    static func problems(of mocks: URL) -> [FileProblem] {
        var problems: [FileProblem] = []
        do throws(FileProblem) {
            problems += MockFolderCheck.problems(of: try MockIndex(url: mocks))
            if let url = try EnvironmentFolder.url(besideMocksIn: mocks) {
                let folder = try EnvironmentFolder(url: url)
                problems += folder.targets.flatMap {
                    folder.load($0, readsSecrets: false, parser: strictParser).problems
                }
            }
        } catch { problems.append(error) }
        return problems.inOrder
    }

    /// Records each error as an issue of the first test that uses the folder. Call this method in a test: outside of a
    /// test, Swift Testing would record each issue for every running test. Warnings are printed.
    static func report(_ problems: [FileProblem]) {
        for problem in problems {
            guard problem.severity == .error else {
                StandardError.warn(problem.description)
                continue
            }
            let path = problem.path ?? MockIndex.name
            Issue.record(
                Comment(rawValue: problem.description),
                sourceLocation: SourceLocation(
                    fileID: "Files/\(URL(fileURLWithPath: path).lastPathComponent)", filePath: path,
                    line: problem.line ?? 1, column: problem.column ?? 1))
        }
    }
}
