import FingerpostFiles
import Testing

/// Attaches an archive of a test's calls to the test if it fails.
enum FailedTestArchive {
    /// Runs a test.
    ///
    /// - Parameter run: runs the test with the settings, and reports its problems as issues.
    static func attached(
        _ settings: ScopeSettings, to test: Test, _ testCase: Test.Case?,
        _ run: @Sendable (ScopeSettings) async throws -> Void
    ) async throws {
        guard settings.attachesArchive else { return try await run(settings) }
        #if compiler(>=6.2)
            let recorder = HARRecorder()
            let hasFailed = Locked(false)
            var observed = settings
            observed.observers.append(recorder)
            let issues = IssueHandlingTrait.compactMapIssues { issue in
                if isFailure(issue) { hasFailed.withLock { $0 = true } }
                return issue
            }
            do {
                try await issues.provideScope(for: test, testCase: testCase) { [observed] in try await run(observed) }
            } catch {
                try attach(recorder)
                throw error
            }
            // The scope of an outer trait reports its problems later.
            let isPending = TestScope.current?.hasProblems == true
            if isPending || hasFailed.withLock({ $0 }) { try attach(recorder) }
        #else
            try await run(settings)
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

        private static func attach(_ recorder: HARRecorder) throws {
            if recorder.count > 0 { Attachment.record([UInt8](try recorder.data()), named: "calls.har") }
        }
    #endif
}
