import FingerpostFiles
package import Foundation

/// What `fingerpost check` tells.
package struct CheckReport: Encodable, Sendable {
    /// One thing to mend.
    package struct Problem: Encodable, Sendable {
        package let severity: String
        /// What kind of difference between environments it is; nil for other problems.
        package let kind: ParityFinding.Kind?
        /// The key that differs.
        package let key: String?
        package let file: String?
        package let line: Int?
        package let column: Int?
        package let message: String
        package let fix: String?
    }

    package let targets: [String]
    package let errors: Int
    package let warnings: Int
    package let problems: [Problem]

    private let table: String?
    private let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case targets, errors, warnings, problems
    }

    /// Checks the folders below a folder, and the generated files there.
    package init(below root: URL) {
        let checked = CheckedFolders(below: root)
        var all =
            checked.problems + (checked.mocks.map(MockSecrets.problems) ?? []) + Self.outdated(below: root, checked)
        if checked.parity == nil, checked.mocks == nil, all.isEmpty {
            all.append(
                FileProblem(
                    path: FilePath.display(root),
                    message: "there is neither \(EnvironmentFolder.name) nor \(MockFolder.name) in this folder",
                    fix: "pass the folder that contains them with --path"))
        }
        let findings = checked.parity?.findings ?? []
        let kinds = Dictionary(findings.flatMap { finding in finding.problems.map { ($0, finding) } }) { first, _ in
            first
        }
        problems = all.map { problem in
            Problem(
                severity: problem.isError ? "error" : "warning", kind: kinds[problem]?.kind, key: kinds[problem]?.key,
                file: problem.path, line: problem.line, column: problem.column, message: problem.message,
                fix: problem.fix)
        }
        targets = checked.parity?.schema.targets.map(\.name) ?? []
        errors = all.count { $0.isError }
        warnings = all.count - errors
        table = checked.parity?.table
        lines = all.map(\.description)
    }

    private static func outdated(below root: URL, _ checked: CheckedFolders) -> [FileProblem] {
        GeneratedSwift.files(below: root).compactMap { file in
            // One that cannot be read is written anew too.
            guard (try? Data(contentsOf: file)) != Data(checked.generated.text.utf8) else { return nil }
            let path = FilePath.display(file)
            return FileProblem(
                path: path, line: 1, column: 1, message: "the generated file is out of date",
                fix: "run `fingerpost generate --output \(path)`")
        }
    }

    /// For people: the table of the environments, then a line for each problem.
    package var text: String {
        ([table].compactMap { $0 } + (lines.isEmpty ? [] : [""] + lines)).joined(separator: "\n")
    }

    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers alone: this cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
