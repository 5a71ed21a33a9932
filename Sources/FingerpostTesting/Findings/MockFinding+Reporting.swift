import FingerpostChecks
import FingerpostFiles
import Testing

extension MockFinding {
    /// Returns true if the first finding comes before the second: errors come before warnings, and findings of equal
    /// severity are sorted by file and line.
    static func isBefore(_ a: MockFinding, _ b: MockFinding) -> Bool {
        if a.isError != b.isError { return a.isError }
        return (a.file, a.line ?? 0, a.kind.rawValue, a.message) < (b.file, b.line ?? 0, b.kind.rawValue, b.message)
    }

    /// Formats findings as a text table: the heading, followed by one line for each finding.
    static func table(_ findings: [MockFinding], heading: String) -> String {
        let rows = findings.map { [$0.problem.location, $0.problem.severity.rawValue, $0.message] }
        return ([heading] + TextTable.lines(rows)).joined(separator: "\n")
    }

    /// Records each finding as an issue in the running test. Warnings do not fail the test. Swift Testing cannot record
    /// warnings before Swift 6.3, so on older versions the warnings are printed instead.
    static func record(_ findings: [MockFinding], at sourceLocation: SourceLocation) {
        for finding in findings {
            let comment = Comment(rawValue: finding.description)
            #if compiler(>=6.3)
                Issue.record(comment, severity: finding.isError ? .error : .warning, sourceLocation: sourceLocation)
            #else
                if finding.isError {
                    Issue.record(comment, sourceLocation: sourceLocation)
                } else {
                    print(finding.description)
                }
            #endif
        }
    }
}
