import FingerpostMocks
import TestSupport

@testable import Fingerpost
@testable import FingerpostFiles

@Suite(.inTurn, .withAndWithoutStrictParser) struct EnvironmentSelectionTests {
    private let all = [
        "Production-Env.plist", "Staging-Env.json", "Testing-Env.json", "Demo-Env.json", "Base-Env.json",
    ]

    /// The name of the environment that is selected, or the error.
    private func selected(
        _ name: String? = nil, files: [String]? = nil, by selection: EnvironmentSelection
    ) throws -> String {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: (files ?? all).map { ($0, "") }))
        do { return try selection.target(selection.request(name), in: EnvironmentFolder(url: folder.url)) } catch {
            return "\(error)".replacing(FilePath.display(folder.url), with: "Environments")
        }
    }

    @Test func `The first setting that applies selects the environment`() throws {
        var selection = EnvironmentSelection(
            variable: "Staging", infoPlist: "Production", products: ["Demo"], isTestProcess: true)
        var names = try [selected("Testing", by: selection), selected(by: selection)]
        let changes: [(inout EnvironmentSelection) -> Void] = [
            { $0.variable = nil }, { $0.infoPlist = nil }, { $0.isTestProcess = false }, { $0.products = ["Other"] },
        ]
        for change in changes {
            change(&selection)
            names.append(try selected(by: selection))
        }
        names.append(try selected(files: ["Only-Env.json", "Base-Env.json"], by: selection))
        let none =
            "Environments: no environment is selected; there are Demo, Production, Staging, Testing. "
            + "Fix: set the environment variable APP_ENVIRONMENT, or name it in the code"
        #expect(names == ["Testing", "Staging", "Production", "Testing", "Demo", none, "Only"])
    }

    @Test func `An explicitly named environment must exist, and its error names a file that is not read`() throws {
        func by(variable: String) -> EnvironmentSelection {
            EnvironmentSelection(variable: variable, infoPlist: nil, products: [], isTestProcess: true)
        }
        let plist = EnvironmentSelection(variable: nil, infoPlist: "Prod", products: [], isTestProcess: true)
        let unread = try ["Staging/Staging-Env.json", "Staging-Env.yaml", "Staging-Env.jsonc"].map {
            try selected(files: ["Production-Env.json", $0], by: by(variable: "Staging"))
        }
        let others = try [
            selected(by: by(variable: "Prod")), selected(by: plist), selected("Base", by: plist),
            // No fix adds a file for Base.
            selected(by: by(variable: "Base")), selected(files: ["Base-Env.json"], by: by(variable: "Base")),
        ]
        #expect(
            (others + unread).joined(separator: "\n") == """
                Environments: there is no environment "Prod"; the environment variable APP_ENVIRONMENT names it. Fix: use one of Demo, Production, Staging, Testing, or add Prod-Env.json
                Environments: there is no environment "Prod"; the key APIEnvironment of Info.plist names it. Fix: use one of Demo, Production, Staging, Testing, or add Prod-Env.json
                Environments: "Base" cannot be selected, because it holds the values that all environments inherit. Fix: use one of Demo, Production, Staging, Testing
                Environments: "Base" cannot be selected, because it holds the values that all environments inherit; the environment variable APP_ENVIRONMENT names it. Fix: use one of Demo, Production, Staging, Testing
                Environments: "Base" cannot be selected, because it holds the values that all environments inherit; the environment variable APP_ENVIRONMENT names it. Fix: add <Name>-Env.plist or .json
                Environments: there is no environment "Staging" (Staging/Staging-Env.json is not read: only Staging-Env.json or .plist in Environments itself is); the environment variable APP_ENVIRONMENT names it. Fix: use one of Production, or add Staging-Env.json
                Environments: there is no environment "Staging" (Staging-Env.yaml is not read: only Staging-Env.json or .plist in Environments itself is); the environment variable APP_ENVIRONMENT names it. Fix: use one of Production, or add Staging-Env.json
                Environments: there is no environment "Staging" (Staging-Env.jsonc is not read: only Staging-Env.json or .plist in Environments itself is); the environment variable APP_ENVIRONMENT names it. Fix: use one of Production, or add Staging-Env.json
                """)
    }

    @Test func `Only a request or the rule for tests selects an environment by name`() {
        let none = EnvironmentSelection(variable: nil, infoPlist: nil, products: ["Testing"], isTestProcess: true)
        let app = EnvironmentSelection(variable: nil, infoPlist: nil, products: ["Testing"], isTestProcess: false)
        let plist = EnvironmentSelection(
            variable: nil, infoPlist: "Testing", products: ["Testing"], isTestProcess: false)
        #expect(
            [
                none.isGuess("Testing", none.request(nil)), none.isGuess("Staging", none.request(nil)),
                none.isGuess("Staging", none.request("Staging")), app.isGuess("Testing", app.request(nil)),
                plist.isGuess("Testing", plist.request(nil)),
            ] == [false, true, false, true, false])
    }

    @Test func `A scope sets the environment of the work inside it`() async throws {
        let (outer, inner) = try (Environment("Outer"), Environment("Inner"))
        let names = try await APIScope(environment: outer).run {
            [
                try Environment.current.name,
                try APIScope(environment: inner).run { try Environment.current.name },
                // A scope that sets no environment inherits the outer one.
                try APIScope(mocks: URL(fileURLWithPath: "/m")).run { try Environment.current.name },
                try await Task { try Environment.current.name }.value,
            ]
        }
        #expect(names == ["Outer", "Inner", "Outer", "Outer"])
    }
}
