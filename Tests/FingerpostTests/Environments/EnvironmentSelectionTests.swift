import FingerpostMocks
import TestSupport

@testable import Fingerpost
@testable import FingerpostFiles

@Suite(.inTurn, .withAndWithoutStrictParser) struct EnvironmentSelectionTests {
    private let all = [
        "Production-Env.plist", "Staging-Env.json", "Testing-Env.json", "Demo-Env.json", "Base-Env.json",
    ]

    private func selected(
        _ name: String? = nil, files: [String]? = nil, by selection: EnvironmentSelection
    ) throws -> String {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: (files ?? all).map { ($0, "") }))
        return try selection.target(selection.request(name), in: EnvironmentFolder(url: folder.url))
    }

    @Test func `The first setting that applies selects the environment`() throws {
        var selection = EnvironmentSelection(
            variable: "Staging", infoPlist: "Production", products: ["Demo"], isTestProcess: true)
        #expect(try (selected("Testing", by: selection), selected(by: selection)) == ("Testing", "Staging"))
        selection.variable = nil
        #expect(try selected(by: selection) == "Production")
        selection.infoPlist = nil
        #expect(try selected(by: selection) == "Testing")
        selection.isTestProcess = false
        #expect(try selected(by: selection) == "Demo")
        selection.products = ["Other"]
        #expect(throws: EnvironmentError.self) { try selected(by: selection) }
        #expect(try selected(files: ["Only-Env.json", "Base-Env.json"], by: selection) == "Only")
    }

    @Test func `An explicitly named environment must exist`() {
        let byVariable = EnvironmentSelection(variable: "Prod", infoPlist: nil, products: [], isTestProcess: true)
        let error = #expect(throws: EnvironmentError.self) { try selected(by: byVariable) }
        #expect(error?.description.contains("APP_ENVIRONMENT") == true)
        let byPlist = EnvironmentSelection(variable: nil, infoPlist: "Prod", products: [], isTestProcess: true)
        #expect(throws: EnvironmentError.self) { try selected(by: byPlist) }
        #expect(throws: EnvironmentError.self) { try selected("Base", by: byPlist) }
    }

    @Test(arguments: ["Staging/Staging-Env.json", "Staging-Env.yaml", "Staging-Env.jsonc"])
    func `The error of an environment names the file that is not read`(path: String) {
        let staging = EnvironmentSelection(variable: "Staging", infoPlist: nil, products: [], isTestProcess: true)
        let error = #expect(throws: EnvironmentError.self) {
            try selected(files: ["Production-Env.json", path], by: staging)
        }
        let reason = "(\(path) is not read: only Staging-Env.json or .plist in Environments itself is)"
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `Base cannot be selected, and the fix adds no file for it`() throws {
        let base = EnvironmentSelection(variable: "Base", infoPlist: nil, products: [], isTestProcess: true)
        for files in [nil, ["Base-Env.json"]] {
            let error = #expect(throws: EnvironmentError.self) { try selected(files: files, by: base) }
            #expect(error?.description.contains("\"Base\" cannot be selected") == true)
            #expect(error?.description.contains("APP_ENVIRONMENT") == true)
            #expect(error?.description.contains("Base-Env") == false)
        }
    }

    @Test func `Only a request or the rule for tests selects an environment by name`() {
        let none = EnvironmentSelection(variable: nil, infoPlist: nil, products: ["Testing"], isTestProcess: true)
        #expect(!none.isGuess("Testing", none.request(nil)) && none.isGuess("Staging", none.request(nil)))
        #expect(!none.isGuess("Staging", none.request("Staging")))
        var app = none
        app.isTestProcess = false
        #expect(app.isGuess("Testing", app.request(nil)))
        app.infoPlist = "Testing"
        #expect(!app.isGuess("Testing", app.request(nil)))
    }

    private func expectCurrent(_ name: String) throws { #expect(try Environment.current.name == name) }

    @Test func `A scope sets the environment of the work inside it`() async throws {
        let outer = APIScope(environment: try Environment("Outer"))
        try await outer.run {
            try expectCurrent("Outer")
            let inner = APIScope(environment: try Environment("Inner"))
            try inner.run { try expectCurrent("Inner") }
            // A scope that sets no environment inherits the outer one.
            try APIScope(mocks: URL(fileURLWithPath: "/m")).run { try expectCurrent("Outer") }
            try await Task { try expectCurrent("Outer") }.value
        }
    }

    @Test func `Parallel scopes do not affect each other`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try await APIScope(environment: try Environment("E\(index)")).run {
                        await Task.yield()
                        try expectCurrent("E\(index)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
