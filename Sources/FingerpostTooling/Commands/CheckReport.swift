import FingerpostChecks
import FingerpostFiles
import FingerpostMockFiles
package import Foundation

/// The report that `fingerpost-cli check` prints. The coding keys of this type are the keys of the JSON report that
/// `--json` prints.
package struct CheckReport: Encodable, Sendable {
    /// The names of the environments.
    package let targets: [String]
    /// The number of errors.
    package let errors: Int
    /// The number of warnings.
    package let warnings: Int
    /// All errors and warnings.
    package let problems: [ReportedProblem]

    private let table: String?
    private let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case targets, errors, warnings, problems
    }

    /// Checks the folders `Environments` and `Mocks` in a root folder, and the generated Swift files below the root
    /// folder.
    package init(below root: URL) {
        let checked = CheckedFolders(below: root)
        var all =
            checked.problems + (checked.mocks.map(MockSecrets.problems) ?? []) + Self.outdated(below: root, checked)
        if checked.parity == nil, checked.mocks == nil, all.isEmpty {
            all.append(
                FileProblem(
                    path: FilePath.display(root),
                    message: "the folder contains neither \(EnvironmentFolder.name) nor \(MockFolder.name)",
                    fix: "pass the folder that contains them with --path"))
        }
        let findings = checked.parity?.findings ?? []
        let kinds = Dictionary(findings.flatMap { finding in finding.problems.map { ($0, finding) } }) { first, _ in
            first
        }
        problems = all.map { problem in
            ReportedProblem(problem, kind: kinds[problem]?.kind.rawValue, key: kinds[problem]?.key)
        }
        targets = checked.parity?.schema.targets.map(\.name) ?? []
        errors = all.count { $0.isError }
        warnings = all.count - errors
        table = checked.parity?.table(isClean: all.isEmpty)
        lines = all.map(\.description)
    }

    private static func outdated(below root: URL, _ checked: CheckedFolders) -> [FileProblem] {
        // A file that cannot be read has its own error.
        guard checked.isComplete else { return [] }
        return GeneratedSwift.files(below: root).compactMap { file in
            // A generated file that cannot be read is also reported as out of date.
            guard (try? Data(contentsOf: file)) != Data(checked.generated.text.utf8) else { return nil }
            let path = FilePath.display(file)
            return FileProblem(
                path: path, line: 1, column: 1, message: "the generated file is out of date",
                fix: "run `swift run fingerpost-cli generate --output \(path)`")
        }
    }

    /// The report as text: a table that compares the environments, followed by one line per problem.
    package var text: String {
        ([table].compactMap { $0 } + (lines.isEmpty ? [] : [""] + lines)).joined(separator: "\n")
    }

    /// The report as JSON.
    package var json: String { reportJSON }
}
