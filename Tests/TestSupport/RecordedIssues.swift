import FingerpostFiles

/// Runs work that must record issues, and returns those issues. The issues do not fail the test; failed expectations
/// still do.
///
/// The work must belong to the test's task: issues from detached tasks have no handler and fail the run of tests.
public func recordedIssues(_ work: @Sendable () async throws -> Void) async throws -> [Issue] {
    let issues = Locked<[Issue]>([])
    let trait = IssueHandlingTrait.compactMapIssues { issue in
        guard case .unconditional = issue.kind else { return issue }
        issues.withLock { $0.append(issue) }
        return nil
    }
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: work)
    return issues.withLock { $0 }
}

extension Issue {
    /// The text that the issue was recorded with.
    public var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
