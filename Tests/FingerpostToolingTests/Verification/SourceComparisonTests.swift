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

    /// Messages, and the file of the build that they are about: a text and what replaces it, a whole new file, or `-`
    /// for no file.
    private static let changes = WrittenCase.table(
        #"""
        "baseURL" is "https://api.evil.app" in the build, and "https://api.acme.app" in
        Production-Env.json = api.acme.app → api.evil.app

        "description" is "Producti0n" in the build, and "Production" in
        Production-Env.json = "Production", → "Producti0n",

        "$network" is in the build, but not in
        Production-Env.json = { "desc → { "$network": "sealed", "desc

        "baseURL" is "https://stage.acme.app" in the build, and "https://staging.acme.app" in
        Staging-Env.json = staging. → stage.

        "rate" is "0.5" in the build, and 0.5 in
        Base-Env.json = "rate": 0.5 → "rate": "0.5"

        "isOn" is false in the build, and true in
        Base-Env.json = true → false

        "isOn" is null in the build, and true in
        Base-Env.json = true → null

        "maps.zoom" of
        Base-Env.json = null, "zoom": 3 → null

        "maps.x" is in the build, but not in
        Base-Env.json = "zoom": 3 → "zoom": 3, "x": 1

        "tags" is another value of the same kind in the build, and a list of 2 in
        Base-Env.json = { "b": 1 } → { "b": 2 }

        "$secrets" is a list of 2 in the build, and a list of 1 in
        Base-Env.json = ["maps.key"], "$o → ["maps.key", "help"], "$o

        "maps.key" is "<secret maps.key>" in the build, and null in
        Base-Env.json = "key": null → "key": "k3y-0123456789"

        Environments/Base-Env.json is not in the build, but Production takes values from it
        Base-Env.json = -

        the file is in the build, but not in the source, so nobody reviewed it
        QA-Env.json = { "baseURL": "https://qa.acme.app" }

        a secrets file is in the build
        Base-Secrets.json = {}

        Staging-Env.json:1
        Staging-Env.json = {
        """#)

    @Test func `Each change is found`() throws {
        for change in Self.changes {
            let app = Self.source.mapKeys { "Acme.app/\($0)" }
            let project = Self.source.mapKeys { "Project/\($0)" }
            var fixture = try BuiltFixture(BuiltFixture.app().merging(app) { $1 }.merging(project) { $1 })
            fixture.options.source = "Project"
            let before = try fixture.problems()
            for (name, text) in change.files {
                let path = "Acme.app/Environments/\(name)"
                let parts = text.components(separatedBy: " → ")
                let new = parts.count == 1 ? text : app[path]?.replacing(parts[0], with: parts[1]) ?? ""
                try fixture.folder.write(Data(new.utf8), to: path)
                if text == "-" { try FileManager.default.removeItem(at: fixture.folder[path]) }
            }
            let problems = try fixture.problems()
            let isFound = problems.contains { $0.contains(": error: ") && $0.contains(change.name) }
            #expect((before, isFound) == ([], true), "\(change.name)\n\(problems)")
        }
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
