import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation
import Testing

/// Checks the folders that tests use, each once in a process: a package without the plugin learns of a mistake in its
/// files from its first test. Secrets files are left out, because not everybody has them.
enum FolderChecks {
    private static let checked = Locked<Set<String>>([])

    /// The problems in a folder of mocks, and in the environments beside it; none if they were reported before.
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
                    folder.load($0, readsSecrets: false, parser: StrictParser.self).problems
                }
            }
        } catch { problems.append(error) }
        return problems.inOrder
    }

    /// Records the problems as issues of the run, because the test that happens to be the first has not made them. A
    /// warning is printed.
    static func report(_ problems: [FileProblem]) async {
        if problems.isEmpty { return }
        // A detached task is in no test.
        await Task.detached {
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
        }.value
    }
}
