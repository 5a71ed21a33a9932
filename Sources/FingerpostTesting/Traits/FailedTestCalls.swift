import Fingerpost
import FingerpostFiles
import FingerpostMocks
import Testing

/// Attaches the calls of a failed test to the test. A test that passes does no extra work.
enum FailedTestCalls {
    /// Formats the last 100 calls: the line of each call, its `curl` command and its error, without secrets. A command
    /// or an error that is larger than 4 KiB is left out.
    static func text(_ calls: [LoggedCall]) -> String {
        calls.suffix(100).map { call in
            let details = [call.curl, call.error.map { "\($0)" }].compactMap(\.self).filter { $0.utf8.count <= 4096 }
            // The details are indented, so that no detail looks like the line of a call.
            let line = call.line.unicodeScalars.prefix(1024)
            return "\(String(line))\(line.endIndex == call.line.endIndex ? "" : "…")\n"
                + details.map { "    " + $0.replacing(bytesOf: "\n", with: "\n    ") + "\n" }.joined()
        }.joined()
    }

    /// Runs a test case. If the test case fails, attaches the calls of its scope.
    ///
    /// - Parameter run: runs the test and reports its problems as issues. At the start, `run` passes the test's scope
    ///   to the closure that it receives.
    static func attached(
        to test: Test, _ testCase: Test.Case?,
        _ run: @Sendable (_ tell: @Sendable (APIScope?) -> Void) async throws -> Void
    ) async throws {
        #if compiler(>=6.2)
            // The outer trait attaches the calls of this scope too.
            if TestScope.current != nil { return try await run { _ in } }
            let (scope, hasFailed) = (Locked<APIScope?>(nil), Locked(false))
            defer {
                let calls = hasFailed.withLock { $0 } ? scope.withLock { $0 }?.calls ?? [] : []
                if !calls.isEmpty { Attachment.record(text(calls), named: "calls.txt") }
            }
            let issues = IssueHandlingTrait.compactMapIssues { issue in
                if scope.withLock({ $0 })?.isSkipped == true { return nil }
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
        /// Returns false for a warning and for a known issue, because the test still passes.
        private static func isFailure(_ issue: Issue) -> Bool {
            #if compiler(>=6.3)
                issue.isFailure
            #else
                !issue.isKnown
            #endif
        }
    #endif
}
