import TestSupport
import Testing

@testable import FingerpostTooling

/// Folders so large that they would exceed the time limit if a check took quadratic time.
@Suite(.inTurn) struct CheckGrowthTests {
    @Test(.heavy) func `An environment with very many keys is checked in time`() throws {
        let count = 60_000
        let keys = (0..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ",\n")
        let folder = try TemporaryFolder([
            "Environments/Staging-Env.json": "{\"baseURL\": \"https://a.example\",\n\(keys)}"
        ])
        let report = CheckReport(below: folder.url)
        #expect(report.problems.isEmpty)
        #expect(report.text.hasPrefix("Environments: no problems, \(count + 1) keys in 1 environment\n"))
    }
}
