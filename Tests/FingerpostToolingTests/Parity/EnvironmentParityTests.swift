import FingerpostFiles
import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct EnvironmentParityTests {
    /// Files, and the line of the report, or the problems if there are any.
    static let cases = WrittenCase.table(
        #"""
        Equal environments
        Base-Env.json = {"$secrets": ["key"], "key": null, "hosts": ["a"]}
        App-Env.json = {"timeout": 30, "nested": {"on": true}}
        Testing-Env.plist = <plist><dict><key>timeout</key><real>0.5</real><key>nested</key><dict><key>on</key><false/></dict></dict></plist>
        Environments: no problems, 4 keys in 2 environments

        A key missing in one environment
        App-Env.json = {"analyticsHost": "a"}
        Staging-Env.json = ↵{}
        Testing-Env.json = {"analyticsHost": "t"}
        Staging-Env.json:2:1: error: "analyticsHost" is missing in Staging; App and Testing have it. Fix: add it, give Base a value, or list it in "$optional"

        A key in only one environment
        App-Env.json = {"old": 1}
        Staging-Env.json = {}
        Testing-Env.json = {}
        App-Env.json:1:2: error: "old" is only in App. Fix: remove it, give Base a value, or list it in "$optional"

        A missing dictionary is reported without its keys
        App-Env.json = {"a": {"b": 1, "c": 2}}
        Testing-Env.json = {}
        Testing-Env.json:1:1: error: "a" is missing in Testing; App has it. Fix: add it, give Base a value, or list it in "$optional"

        A missing nested key is reported at its dictionary
        App-Env.json = {"a": {"b": 1, "c": 2}}
        Testing-Env.json = {↵"a": {"b": 1}}
        Testing-Env.json:2:1: error: "a.c" is missing in Testing; App has it. Fix: add it, give Base a value, or list it in "$optional"

        Optional keys
        Base-Env.json = {"$optional": ["feature", "a.b", "c"]}
        App-Env.json = {"feature": true, "a": {"b": 1}, "c": {"d": 1}}
        Testing-Env.json = {}
        Environments: no problems, 3 keys in 2 environments

        Different types
        App-Env.json = {"timeout": 30}
        Staging-Env.json = {"timeout": "30"}
        Testing-Env.json = {"timeout": 5}
        Staging-Env.json:1:2: error: "timeout" is a string in Staging and a number in App. Fix: give it the same type in every environment

        Dates of both formats are one type
        App-Env.json = {"since": "2026-01-02T03:04:05Z"}
        Testing-Env.plist = <plist><dict><key>since</key><date>2026-01-02T03:04:05Z</date></dict></plist>
        Environments: no problems, 1 key in 2 environments

        A test environment that points at production
        Base-Env.json = {"description": "x"}
        App-Env.json = {"baseURL": "https://api.example.com"}
        Testing-Env.json = {"description": "Testing", "baseURL": "https://API.example.com/v2"}
        UITests-Env.json = {"$network": "sealed", "baseURL": "https://api.example.com"}
        Testing-Env.json:1:28: error: "baseURL": Testing uses the server of App (api.example.com). Fix: give Testing a host that ends in .invalid, which nothing can reach
        UITests-Env.json:1:24: error: "baseURL": UITests uses the server of App (api.example.com). Fix: give UITests a host that ends in .invalid, which nothing can reach

        Links that are written once, in Base or in an environment that is extended
        Base-Env.json = {"description": "", "help": "https://help.example.com", "links": {"terms": "https://a.example/t"}}
        App-Env.json = {"about": "https://a.example"}
        Testing-Env.json = {"$extends": "App", "description": "Testing"}
        Environments: no problems, 4 keys in 2 environments

        A misspelled key is shown where the right one is missing
        App-Env.json = {"analyticsHost": "a"}
        Staging-Env.json = {"analitycsHost": "s"}
        Testing-Env.json = {"analyticsHost": "t"}
        Staging-Env.json:1:2: error: "analitycsHost" is only in Staging. Fix: remove it, give Base a value, or list it in "$optional"
        Staging-Env.json:1:1: error: "analyticsHost" is missing in Staging; App and Testing have it (did you mean "analitycsHost"?). Fix: add it

        A file that cannot be read is the only problem
        App-Env.json = {"a": 1, "baseURL": "https://api.example.com"}
        Staging-Env.json = {"a": 1,}
        Testing-Env.json = {"b": 1, "baseURL": "https://t.invalid"}
        Staging-Env.json:1:9: error: 

        The keys and the server of a broken testing environment are not compared
        Base-Env.json = {"$network": "live", "baseURL": "https://api.example.com", "a": 1}
        App-Env.json = {}
        Testing-Env.json = {
        Testing-Env.json:1:2: error: 

        An invalid reserved key brings no other problems
        App-Env.json = {"a": 1, "$optinal": ["a"]}
        Staging-Env.json = {}
        Testing-Env.json = {}
        App-Env.json:1:10: error: unknown key "$optinal"

        A missing parent brings no other problems
        App-Env.json = {"a": 1}
        Testing-Env.json = {"$extends": "Ap"}
        Testing-Env.json:1:14: error: "$extends" names "Ap"

        A problem in a shared file is reported once
        Base-Env.json = {"$secret": []}
        A-Env.json = {}
        B-Env.json = {}
        Base-Env.json:1:2: error: unknown key "$secret" (did you mean "$secrets"?).
        """#)

    @Test(arguments: cases) func `Environments are compared`(_ test: WrittenCase) throws {
        let folder = try TemporaryFolder(test.files)
        let parity = try self.parity(folder)
        let problems = parity.problems.map { folder.relative("\($0)") }
        guard !problems.isEmpty else { return #expect([parity.line()] == test.expected) }
        let environments = test.files.count { $0.key.contains("-Env") && !$0.key.hasPrefix("Base-") }
        let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
        // The expected lines are the beginnings.
        let found = problems.map { problem in test.expected.first { problem.hasPrefix($0) } ?? problem }
        #expect((parity.line(), found) == ("Environments: \(count) in \(environments) environments", test.expected))
    }

    private func parity(_ folder: TemporaryFolder) throws -> EnvironmentParity {
        EnvironmentParity(EnvironmentSchema(try EnvironmentFolder(url: folder.url)))
    }

    @Test(arguments: [100, 101])
    func `Many different keys are not taken for typos`(count: Int) throws {
        let keys = { (end: String) in (0..<count).map { "\"key\($0)\(end)\": 1" }.joined(separator: ",") }
        let folder = try TemporaryFolder(["A-Env.json": "{\(keys("a"))}", "B-Env.json": "{\(keys("b"))}"])
        let hints = try parity(folder).problems.map { "\($0)".contains("did you mean") }
        #expect(hints == Array(repeating: count == 100, count: 2 * count))
    }

    @Test func `A problem that many environments have names only some of the others`() throws {
        let files = (0..<40).map { ("T\($0 + 10)-Env.json", $0 < 20 ? #"{"a": 1}"# : "{}") }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
        let names = (10..<20).map { "T\($0)" }.joined(separator: ", ")
        let messages = (30..<50).map { "\"a\" is missing in T\($0); \(names) and 10 more have it" }
        #expect(try parity(folder).problems.map(\.message).sorted() == messages)
    }

    @Test func `Values of secrets are not shown`() throws {
        let folder = try TemporaryFolder([
            "Base-Env.json": #"{"$secrets": ["key"]}"#, "A-Env.json": #"{"key": "hush"}"#, "B-Env.json": #"{"key": 1}"#,
            "C-Env.json": #"{"key": "hush"}"#,
        ])
        let problems = try parity(folder).problems
        let isShown = problems.map(\.description).joined().contains("hush")
        #expect((problems.compactMap(\.kind?.rawValue), isShown) == (["type"], false))
    }
}
