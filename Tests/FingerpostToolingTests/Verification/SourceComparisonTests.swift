import FingerpostFiles
import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct SourceComparisonTests {
    private static let base = """
        { "$secrets": ["maps.key"], "$optional": ["maps.key"], "maps": { "key": null, "zoom": 3 },
          "tags": ["a", { "b": 1 }], "rate": 0.5, "isOn": true, "help": "https://acme.app" }
        """
    private static let source = [
        "Environments/Base-Env.json": base, "Environments/Production-Env.json": BuiltFixture.production,
        "Environments/Staging-Env.json": BuiltFixture.staging,
    ]

    /// One change of the build, and the message that names it.
    struct Change: CustomTestStringConvertible, Sendable {
        let path: String
        /// The text to replace; empty for the whole file.
        var old = ""
        /// nil removes the file.
        let new: String?
        let message: String

        init(_ name: String, _ old: String = "", _ new: String?, _ message: String) {
            (path, self.old, self.new, self.message) = ("Environments/\(name).json", old, new, message)
        }

        var testDescription: String { message }
    }

    static let changes: [Change] = [
        Change(
            "Production-Env", "api.acme.app", "api.evil.app",
            #""baseURL" is "https://api.evil.app" in the build, and "https://api.acme.app" in "#),
        Change(
            "Production-Env", #""Production","#, #""Producti0n","#,
            #""description" is "Producti0n" in the build, and "Production" in "#),
        Change("Production-Env", "{ ", #"{ "$network": "sealed", "#, #""$network" is in the build, but not in "#),
        Change(
            "Staging-Env", "staging.", "stage.",
            #""baseURL" is "https://stage.acme.app" in the build, and "https://staging.acme.app" in "#),
        Change("Base-Env", #""rate": 0.5"#, #""rate": "0.5""#, #""rate" is "0.5" in the build, and 0.5 in "#),
        Change("Base-Env", "true", "false", #""isOn" is false in the build, and true in "#),
        Change("Base-Env", "true", "null", #""isOn" is null in the build, and true in "#),
        Change(
            "Base-Env", #", "zoom": 3"#, "", #""maps.zoom" of "#),
        Change("Base-Env", #""zoom": 3"#, #""zoom": 3, "x": 1"#, #""maps.x" is in the build, but not in "#),
        Change(
            "Base-Env", #"{ "b": 1 }"#, #"{ "b": 2 }"#,
            #""tags" is another value of the same kind in the build, and a list of 2 in "#),
        Change(
            "Base-Env", #"["maps.key"], "$o"#, #"["maps.key", "help"], "$o"#,
            #""$secrets" is a list of 2 in the build, and a list of 1 in "#),
        Change(
            "Base-Env", #""key": null"#, #""key": "k3y-0123456789""#,
            #""maps.key" is "<secret maps.key>" in the build, and null in "#),
        Change(
            "Base-Env", "", nil, "Environments/Base-Env.json is not in the build, but Production takes values from it"),
        Change(
            "QA-Env", "", #"{ "baseURL": "https://qa.acme.app" }"#,
            "the file is in the build, but not in the source, so nobody reviewed it"),
        Change("Base-Secrets", "", "{}", "a secrets file is in the build"),
        Change("Staging-Env", "", "{", "Staging-Env.json:1"),
    ]

    @Test(arguments: changes) func `Each change is found`(change: Change) throws {
        let app = Self.source.mapKeys { "Acme.app/\($0)" }
        let project = Self.source.mapKeys { "Project/\($0)" }
        var fixture = try BuiltFixture(BuiltFixture.app().merging(app) { $1 }.merging(project) { $1 })
        fixture.options.source = "Project"
        let before = try fixture.problems()
        let text = app["Acme.app/\(change.path)"] ?? ""
        if let new = change.new.map({ change.old.isEmpty ? $0 : text.replacing(change.old, with: $0) }) {
            try fixture.folder.write(Data(new.utf8), to: "Acme.app/\(change.path)")
        } else {
            try FileManager.default.removeItem(at: fixture.folder["Acme.app/\(change.path)"])
        }
        let problems = try fixture.problems()
        let isFound = problems.contains { $0.contains(": error: ") && $0.contains(change.message) }
        #expect((before, isFound) == ([], true), "\(problems)")
    }

    @Test(arguments: ["Nothing", "Empty"]) func `A source without environments is an error`(source: String) throws {
        var fixture = try BuiltFixture(BuiltFixture.app().merging(["Empty/a.txt": ""]) { $1 })
        fixture.options.source = source
        let problem = #expect(throws: FileProblem.self) { try fixture.report() }
        #expect(problem?.fix == "pass the folder that contains Environments as --source")
    }
}

extension [String: String] {
    fileprivate func mapKeys(_ change: (String) -> String) -> Self {
        Dictionary(uniqueKeysWithValues: map { (change($0.key), $0.value) })
    }
}
