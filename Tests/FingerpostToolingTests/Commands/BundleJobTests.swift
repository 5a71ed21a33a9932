import FingerpostFiles
import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct BundleJobTests {
    private static let names = ["environments", "mocks"]

    private func run(_ folder: TemporaryFolder, _ flags: String...) -> [FileProblem] {
        var words = ["--stamp", folder["out/stamp"].path, "--swift", folder["out/Names.swift"].path] + flags
        for name in Self.names {
            words += ["--\(name)", folder[name].path, "--\(name)-copy", folder["out/\(name)"].path]
        }
        return BundleJob(words).run()
    }

    private func bundled(_ folder: TemporaryFolder) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder["out"].path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains(".") }.sorted()
    }

    private func text(_ folder: TemporaryFolder, _ path: String) throws -> String {
        try String(contentsOf: folder["out/\(path)"], encoding: .utf8)
    }

    @Test func `Copies follow their folders, and secrets are not copied`() throws {
        let folder = try TemporaryFolder([
            "environments/A-Env.json": #"{"a": 1}"#, "environments/A-Secrets.json": "{}", "mocks/users/show.json": "1",
            "mocks/.DS_Store": "", "mocks/b.txt": "1",
        ])
        let found = (run(folder), bundled(folder))
        #expect(found == ([], ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/users/show.json"]))
        // A file in place of a folder, and a folder in place of a file.
        try FileManager.default.removeItem(at: folder["mocks/users"])
        try FileManager.default.removeItem(at: folder["mocks/b.txt"])
        try folder.write(Data("2".utf8), to: "mocks/b.txt/c.txt")
        try folder.write(Data("3".utf8), to: "mocks/users")
        let found2 = try (run(folder), bundled(folder), text(folder, "mocks/users"))
        #expect(found2 == ([], ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/b.txt/c.txt"], "3"))
        try FileManager.default.removeItem(at: folder["mocks"])
        let found3 = (run(folder), bundled(folder))
        #expect(found3 == ([], ["Names.swift", "environments/A-Env.json"]))
    }

    @Test(arguments: names) func `A link that leads to no folder fails the build`(name: String) throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": "{}", "mocks/a.json": "1"])
        try FileManager.default.removeItem(at: folder[name])
        try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: "missing")
        let problems = run(folder)
        #expect((problems.count(where: \.isError), bundled(folder)) == (1, []), "\(problems)")
    }

    @Test func `Only the environment files that the library reads are copied`() throws {
        let folder = try TemporaryFolder()
        let read = ["A-Env.json", "Base-Env.json", "v1.2-Env.plist"]
        let others = [
            "A-Secrets.json", "v1.2-Secrets.json", "A-Secrets.plist", "A-Env copy.json", "A-Env.json.bak", "A.json",
            "A-Env (1).json", ".A-Env.json", "._A-Env.json", "A-Env.json~", "notes.txt", "sub/B-Env.json",
            "sub/B-Secrets.json", "A-secrets.json", "A-Secrets.json.bak", "#A-Env.json#",
        ]
        for name in read + others {
            let text = name.hasSuffix(".plist") ? EnvironmentFixture.propertyList("") : "{}"
            try folder.write(Data(text.utf8), to: "environments/\(name)")
        }
        try folder.write(Data("old".utf8), to: "out/environments/v1.2-Secrets.json")
        try folder.write(Data("1".utf8), to: "mocks/v1.2-Secrets.json")
        try folder.write(Data("2".utf8), to: "mocks/get-Secrets.json")
        let mocks = ["mocks/get-Secrets.json", "mocks/v1.2-Secrets.json"]
        let found = (run(folder).filter(\.isError), bundled(folder))
        #expect(found == ([], ["Names.swift"] + read.map { "environments/\($0)" } + mocks))
    }

    @Test(arguments: ["../notes.json", "A-Secrets.json", "../other/A-Env.json", "notes.txt"])
    func `A link to what is no environment file of the folder is an error, and not copied`(target: String) throws {
        let folder = try TemporaryFolder([
            "environments/A-Env.json": "{}", "environments/A-Secrets.json": "{}", "environments/notes.txt": "{}",
            "notes.json": "{}", "other/A-Env.json": "{}",
        ])
        let link = folder["environments/B-Env.json"].path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        func errors() -> (messages: [String], isCopied: Bool) {
            let errors = run(folder).filter(\.isError)
            return (errors.map(\.message), bundled(folder).contains("environments/B-Env.json"))
        }
        #expect(errors() == (["this link leads to a file that is not a committed environment file here"], false))
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "A-Env.json")
        #expect(errors() == ([], true))
    }

    @Test func `Unchanged files are not written, except the stamp`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#, "mocks/b.json": "1"])
        let paths = ["out/Names.swift", "out/environments/A-Env.json", "out/mocks/b.json"]
        // A replaced file has a different identifier.
        func identities() throws -> [AnyHashable?] {
            let attributes = try paths.map { try FileManager.default.attributesOfItem(atPath: folder[$0].path) }
            return attributes.map { $0[.systemFileNumber] as? AnyHashable }
        }
        _ = run(folder)
        let before = try identities()
        let stamp = try Data(contentsOf: folder["out/stamp"])
        _ = run(folder)
        let found = try (identities() == before, Data(contentsOf: folder["out/stamp"]) == stamp)
        #expect(found == (true, false))
    }

    @Test func `Only debug builds contain the path of the source folder`() throws {
        let name = "it's \"my\" \\(App) – ü"
        let folder = try TemporaryFolder(["\(name)/Environments/A-Env.json": #"{"a": 1}"#])
        let file = folder["\(name)/DerivedData/Names.swift"]
        func text(_ folders: [String]) throws -> String {
            let problems = BundleJob(folders + ["--stamp", folder["stamp"].path, "--swift", file.path]).run()
            return try problems.map(\.description).joined() + String(contentsOf: file, encoding: .utf8)
        }
        let written = try text(["--environments", folder["\(name)/Environments"].path])
        #expect(
            written.hasPrefix("// ")
                && written.hasSuffix(
                    """

                    #if DEBUG
                    /// The folder of the environment files, where debug builds look for secrets files.
                    nonisolated final class _FingerpostSource: Fingerpost._SourceFolder {
                        static var path: String { "\(folder.url.path)/it's \\"my\\" \\\\(App) – ü/Environments" }
                    }
                    #endif
                    #endif

                    """),
            "\(written)")
        // The plugin's file is not committed, so `check` does not compare it.
        let errors = CheckReport(below: folder[name]).errors
        let withoutEnvironments = try text(["--mocks", folder["mocks"].path])
        #expect((written.ranges(of: folder.url.path).count, errors) == (1, 0))
        // Problems would precede the text.
        #expect(
            withoutEnvironments.hasPrefix("// ") && !withoutEnvironments.contains("#if DEBUG"), "\(withoutEnvironments)"
        )
    }

    @Test(arguments: [("public", false), ("internal", true)])
    func `Tests get names of keys unless the module they test has public ones`(access: String, hasKeys: Bool) throws {
        let folder = try TemporaryFolder([
            "environments/Base-Env.json": #"{"$access": "\#(access)", "map": {"host": "https://a.example"}}"#,
            "environments/A-Env.json": "{}", "mocks/login.json": "1",
        ])
        let ofTests = try (run(folder, "--linked", "--test"), text(folder, "Names.swift"))
        let parts = ["MapValues", "\nimport Fingerpost\n", "    static var login: Self"].map(ofTests.1.contains)
        #expect((ofTests.0, parts) == ([], [hasKeys, true, true]), "\(ofTests.1)")
        let found = try (run(folder, "--linked"), text(folder, "Names.swift").contains("MapValues"))
        #expect(found == ([], true))
    }

    @Test func `An error leaves all files unchanged`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#])
        _ = run(folder)
        let names = try text(folder, "Names.swift")
        try folder.write(Data("{".utf8), to: "environments/A-Env.json")
        let isFound = run(folder).contains { $0.isError && $0.line == 1 }
        let found = try (isFound, text(folder, "Names.swift"), text(folder, "environments/A-Env.json"))
        #expect(found == (true, names, #"{"a": 1}"#))
    }
}
