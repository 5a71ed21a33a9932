import FingerpostFiles
import Foundation

/// One error or warning in the JSON report of a command. The coding keys are the keys of the report.
package struct ReportedProblem: Encodable, Sendable {
    /// `error` or `warning`.
    package let severity: String
    /// The kind of the problem; nil if problems of this kind have no name.
    package let kind: String?
    /// If the problem is a difference between environments, the dotted path of the key; nil for any other problem.
    package let key: String?
    /// The path of the file that contains the problem; nil for a problem that is not in a file.
    package let file: String?
    /// The line of the problem, starting at 1; nil if the line is unknown.
    package let line: Int?
    /// The column of the problem, starting at 1 and counted in UTF-8 bytes; nil if the column is unknown.
    package let column: Int?
    package let message: String
    package let fix: String?

    init(_ problem: FileProblem, kind: String?, key: String? = nil) {
        severity = problem.isError ? "error" : "warning"
        self.kind = kind
        self.key = key
        file = problem.path
        line = problem.line
        column = problem.column
        message = problem.message
        fix = problem.fix
    }
}

extension Encodable {
    /// The JSON text of a report, which consists of texts and numbers only, so that encoding cannot fail.
    var reportJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
