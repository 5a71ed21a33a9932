import FingerpostFiles
import TestSupport
import Testing

/// Environments so large that they would exceed the time limit if a check took quadratic time.
@Suite(.inTurn) struct EnvironmentGrowthTests {
    private static let count = 1_000

    /// A file with as many keys as tested.
    private static func file(_ rest: String, _ entry: (Int) -> String) -> String {
        "{\(rest)\((0..<count).map(entry).joined(separator: ",\n"))}"
    }

    private static func list(_ key: String) -> String {
        "[\((0..<count).map { "\"\(key)\($0)\"" }.joined(separator: ","))]"
    }

    private static func hints(in report: String) -> Int { report.split(separator: "(did you mean").count - 1 }

    @Test(.heavy) func `Many keys that are not secret are reported in a secrets file`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": Self.file(#""$secrets": \#(Self.list("token")), "#) { "\"token\($0)\": null" },
            "X-Secrets.json": Self.file("") { "\"tokem\($0)\": \"x\"" },
        ])
        let report = fixture.report(try fixture.layers())
        #expect(report.split(separator: " is only in the secrets file").count == Self.count + 1)
        #expect(Self.hints(in: report) == 100)
    }

    @Test(.heavy) func `Many secrets that no layer declares are reported`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": Self.file(#""$secrets": \#(Self.list("tokem")), "#) { "\"token\($0)\": \"x\"" }
        ])
        let report = fixture.report(try fixture.layers())
        #expect(report.split(separator: ", which no layer declares").count == Self.count + 1)
        #expect(Self.hints(in: report) == 100)
    }

    @Test func `Many keys are removed`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": Self.file(#""kept": 1, "#) { "\"key\($0)\": \"x\"" },
            "X-Env.json": #"{"$unset": \#(Self.list("key"))}"#,
        ])
        #expect(try fixture.layers().paths == ["kept"])
    }

    @Test(.heavy) func `Many unset keys that do not exist are reported`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": Self.file("") { "\"key\($0)\": \"x\"" },
            "X-Env.json": #"{"$unset": \#(Self.list("kez"))}"#,
        ])
        let report = fixture.report(try fixture.layers())
        #expect(report.split(separator: ", which no lower layer contains").count == Self.count + 1)
        #expect(Self.hints(in: report) == 100)
    }

    @Test func `Many URLs without a scheme are reported`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": Self.file("") { "\"key\($0)\": \"https://h\($0).example\"" },
            "X-Env.json": Self.file("") { "\"key\($0)\": \"h\($0).example\"" },
        ])
        let report = fixture.report(try fixture.layers())
        #expect(report.split(separator: ", but has no scheme here").count == Self.count + 1)
    }
}
