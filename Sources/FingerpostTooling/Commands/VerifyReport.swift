import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The report that `fingerpost-cli verify` prints.
struct VerifyReport: Sendable {
    private let path: String
    let verification: BuildVerification

    /// Verifies a build.
    ///
    /// - Parameters:
    ///   - path: the path of the build.
    ///   - variables: the environment variables, which may contain the values of secrets; by default, the variables of
    ///     the current process.
    /// - Throws: an error if there is no build at the path, or if the source cannot be read.
    init(
        _ path: String, _ options: VerifyOptions,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(FileProblem) {
        self.path = path
        verification = try BuildVerification(URL(fileURLWithPath: path), options, variables: variables)
    }

    private var errors: Int { verification.findings.count { $0.isError } }

    /// The exit code: 2 if a part of the build could not be read, otherwise 1 if there are errors, otherwise 0.
    var status: Int32 {
        verification.findings.contains { $0.kind == .unreadable } ? 2 : errors > 0 ? 1 : 0
    }

    // MARK: Text

    /// The report as text: the environment that each part selects, one line per problem, and what was not verified.
    var text: String {
        let problems = verification.findings.map(\.description)
        let sections = [table, problems, verification.notes.map { "Note: \($0.printable)" }, [summary]]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var table: [String] {
        verification.parts.flatMap { part -> [String] in
            var rows = [["environment", "\(part.environment), \(part.rule)"], ["network", part.network]]
            rows += part.servers.map { [$0.key, "\($0.url)  (\($0.from))"] }
            rows.append(["values from", part.files.joined(separator: ", ")])
            return [part.path.printable] + rows.tableLines
        }
    }

    private var summary: String {
        let warnings = verification.findings.count - errors
        let size = String(format: "%.1f MB", Double(verification.byteCount) / 1e6)
        let files = verification.fileCount.inWords("file")
        let found =
            verification.findings.isEmpty
            ? "No problems"
            : errors.inWords("error") + ", " + warnings.inWords("warning")
        return "\(found) in \(path.printable) (\(files), \(size))"
    }

    // MARK: JSON

    private struct Report: Encodable {
        let path: String
        let parts: [BuildVerification.Part]
        let errors: Int
        let warnings: Int
        let problems: [FileProblem]
        let notes: [String]
        let files: Int
        let bytes: Int64
    }

    var json: String {
        Report(
            path: path, parts: verification.parts, errors: errors,
            warnings: verification.findings.count - errors,
            problems: verification.findings,
            notes: verification.notes, files: verification.fileCount, bytes: verification.byteCount
        ).reportJSON
    }
}
