import CallSupport
import FingerpostTesting

/// Calls that fail their test, although the code under test swallows their errors.
@Suite(.inTurn) struct ReportedCallsTests {
    private static func swallow(_ name: MockName) async {
        _ = try? await APIClient().data(for: Route.get("x").mock(name))
    }

    @Test func `A call that no mock answers fails its test, at the test`() async throws {
        let test = try #require(Test.current)
        let issues = try await recordedIssues {
            try await ScopeTrait.mocks(folder: "Fixtures").provideScope(for: test, testCase: Test.Case.current) {
                await Self.swallow("missing")
                await Self.swallow("greeting")
            }
        }
        let areNamed = issues.map { $0.text.contains(#"there is no mock "missing""#) }
        #expect((issues.map(\.sourceLocation), areNamed) == ([test.sourceLocation], [true]), "\(issues)")
    }

    /// An issue that belongs to no test cannot be taken from the run of this process.
    @Test(.heavy) func `A call in a detached task fails the run of tests`() async throws {
        let issues = try await recordedIssues {
            await #expect(processExitsWith: .success) {
                await Task.detached { await ReportedCallsTests.swallow("greeting") }.value
            }
        }
        #expect(issues.count == 1 && issues[0].text.hasPrefix("GET x: the call has no scope"), "\(issues)")
    }
}
