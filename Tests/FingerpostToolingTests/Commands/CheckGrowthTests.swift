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

    @Test(.heavy) func `A build with very many base URLs in two environments is verified in time`() throws {
        func environment(_ name: String) -> String {
            let urls = (0..<5_000).map { #""s\#($0)BaseURL": "https://\#(name)\#($0).acme.app""# }
            return "{\(urls.joined(separator: ",\n"))}"
        }
        let fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": environment("a"), "Environments/Staging-Env.json": environment("b"),
            ]))
        #expect(try fixture.report().status == 0)
    }

    @Test(.heavy) func `A build with very many keys in a list, and many mocks of one name, is equal to its source`()
        throws
    {
        let keys = (0..<50_000).map { #""k\#($0)": \#($0)"# }.joined(separator: ",\n")
        let environment = #"{ "baseURL": "https://api.acme.app", "list": [{\#(keys)}] }"#
        var files = BuiltFixture.app([
            "Environments/Production-Env.json": environment, "Environments/Staging-Env.json": nil,
        ])
        files["Project/Environments/Production-Env.json"] = environment
        for number in 0..<2_000 {
            files["Acme.app/\(number)/index.json"] = "[\(number)]"
            files["Project/Mocks/\(number)/index.json"] = "[-\(number + 1)]"
        }
        var fixture = try BuiltFixture(files)
        fixture.options.source = "Project"
        #expect(try fixture.problems().isEmpty)
    }

    @Test(.heavy) func `A build with very many folders of mocks is verified in time`() throws {
        var files = BuiltFixture.app()
        for number in 0..<4_000 { files["Acme.app/\(number)/Mocks/user.json"] = "{}" }
        var fixture = try BuiltFixture(files)
        fixture.options.allowsMocks = true
        #expect(try fixture.problems().isEmpty)
    }
}
