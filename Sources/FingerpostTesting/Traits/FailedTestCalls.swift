import Fingerpost
import FingerpostFiles
import Testing

/// Attaches the calls of a test to the test if it fails. Nothing is kept for it, so a test that passes pays nothing.
enum FailedTestCalls {
    /// The last 100 calls: the line of each, its request for a shell, and its error, without secrets. What is larger
    /// than 4 KiB is left out.
    static func text(_ calls: [LoggedCall]) -> String {
        calls.suffix(100).map { call in
            let details = [call.curl, call.error.map { "\($0)" }].compactMap(\.self).filter { $0.utf8.count <= 4096 }
            // Indented, no detail looks like the line of a call.
            let line = call.line.unicodeScalars.prefix(1024)
            return "\(String(line))\(line.endIndex == call.line.endIndex ? "" : "…")\n"
                + details.map { "    " + $0.replacing(bytesOf: "\n", with: "\n    ") + "\n" }.joined()
        }.joined()
    }

    /// Runs a test case, and attaches the calls of its scope if it fails.
    ///
    /// - Parameter run: runs the test, reports its problems as issues, and tells the scope at the start.
    static func attached(
        to test: Test, _ testCase: Test.Case?,
        _ run: @Sendable (_ tell: @Sendable (APIScope?) -> Void) async throws -> Void
    ) async throws {
        #if compiler(>=6.2)
            // The outer trait attaches the calls of its scope, in which this one runs.
            if TestScope.current != nil { return try await run { _ in } }
            let (scope, hasFailed) = (Locked<APIScope?>(nil), Locked(false))
            defer {
                let calls = hasFailed.withLock { $0 } ? scope.withLock { $0 }?.calls ?? [] : []
                if !calls.isEmpty { Attachment.record(text(calls), named: "calls.txt") }
            }
            let issues = IssueHandlingTrait.compactMapIssues { issue in
                if isFailure(issue) { hasFailed.withLock { $0 = true } }
                return issue
            }
            do {
                try await issues.provideScope(for: test, testCase: testCase) {
                    try await run { current in scope.withLock { $0 = current } }
                }
            } catch {
                hasFailed.withLock { $0 = true }
                throw error
            }
        #else
            try await run { _ in }
        #endif
    }

    #if compiler(>=6.2)
        /// False for a warning and for a known issue, with which a test passes.
        private static func isFailure(_ issue: Issue) -> Bool {
            #if compiler(>=6.3)
                issue.isFailure
            #else
                !issue.isKnown
            #endif
        }
    #endif
}
