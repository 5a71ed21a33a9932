import FingerpostFiles
import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct BundleJobTests {
    private static let names = ["environments", "mocks"]

    private func run(_ folder: TemporaryFolder, _ flags: String...) throws -> [FileProblem] {
        var words = ["--stamp", folder["out/stamp"].path, "--swift", folder["out/Names.swift"].path] + flags
        for name in Self.names {
            words += ["--\(name)", folder[name].path, "--\(name)-copy", folder["out/\(name)"].path]
        }
        return try BundleJob(words).run()
    }

    private func bundled(_ folder: TemporaryFolder) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder["out"].path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains(".") }.sorted()
    }

    @Test func `Copies follow their folders, and secrets are not copied`() throws {
        let folder = try TemporaryFolder([
            "environments/A-Env.json": #"{"a": 1}"#, "environments/A-Secrets.json": "{}", "mocks/users/show.json": "1",
            "mocks/.DS_Store": "", "mocks/b.txt": "1",
        ])
        #expect(
            try (run(folder), bundled(folder)) == (
                [], ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/users/show.json"]
            ))
        try FileManager.default.removeItem(at: folder["mocks/users"])
        try FileManager.default.removeItem(at: folder["mocks/b.txt"])
        try folder.write(Data("2".utf8), to: "mocks/b.txt/c.txt")
        try folder.write(Data("3".utf8), to: "mocks/users")
        #expect(try run(folder).isEmpty)
        #expect(bundled(folder) == ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/b.txt/c.txt"])
        #expect(try String(contentsOf: folder["out/mocks/users"], encoding: .utf8) == "3")
        try FileManager.default.removeItem(at: folder["mocks"])
        #expect(try (run(folder).isEmpty, bundled(folder)) == (true, ["Names.swift", "environments/A-Env.json"]))
    }

    @Test(arguments: names) func `A link that leads to no folder fails the build`(name: String) throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": "{}", "mocks/a.json": "1"])
        try FileManager.default.removeItem(at: folder[name])
        try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: "missing")
        let problems = try run(folder)
        #expect(problems.filter(\.isError).count == 1 && bundled(folder).isEmpty, "\(problems)")
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
        #expect(try run(folder).filter(\.isError).isEmpty)
        let mocks = ["mocks/get-Secrets.json", "mocks/v1.2-Secrets.json"]
        #expect(bundled(folder) == ["Names.swift"] + read.map { "environments/\($0)" } + mocks)
    }

    @Test(arguments: ["../notes.json", "A-Secrets.json", "../other/A-Env.json", "notes.txt"])
    func `A link to what is no environment file of the folder is an error, and not copied`(target: String) throws {
        let folder = try TemporaryFolder([
            "environments/A-Env.json": "{}", "environments/A-Secrets.json": "{}", "environments/notes.txt": "{}",
            "notes.json": "{}", "other/A-Env.json": "{}",
        ])
        let link = folder["environments/B-Env.json"].path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let problems = try run(folder).filter(\.isError)
        #expect(problems.map(\.message) == ["this link leads to a file that is not a committed environment file here"])
        #expect(!bundled(folder).contains("environments/B-Env.json"))
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "A-Env.json")
        #expect(try run(folder).filter(\.isError).isEmpty && bundled(folder).contains("environments/B-Env.json"))
    }

    @Test func `Unchanged files are not written, except the stamp`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#, "mocks/b.json": "1"])
        let paths = ["out/Names.swift", "out/environments/A-Env.json", "out/mocks/b.json"]
        // A replaced file has a different identifier.
        func identities() throws -> [AnyHashable?] {
            let attributes = try paths.map { try FileManager.default.attributesOfItem(atPath: folder[$0].path) }
            return attributes.map { $0[.systemFileNumber] as? AnyHashable }
        }
        _ = try run(folder)
        let before = try identities()
        let stamp = try Data(contentsOf: folder["out/stamp"])
        _ = try run(folder)
        #expect(try identities() == before && Data(contentsOf: folder["out/stamp"]) != stamp)
    }

    @Test func `Only debug builds contain the path of the source folder`() throws {
        let name = "it's \"my\" \\(App) – ü"
        let folder = try TemporaryFolder(["\(name)/Environments/A-Env.json": #"{"a": 1}"#])
        let file = folder["\(name)/DerivedData/Names.swift"]
        func text(_ folders: [String]) throws -> String {
            #expect(try BundleJob(folders + ["--stamp", folder["stamp"].path, "--swift", file.path]).run().isEmpty)
            return try String(contentsOf: file, encoding: .utf8)
        }
        let written = try text(["--environments", folder["\(name)/Environments"].path])
        #expect(
            written.hasSuffix(
                """

                #if DEBUG
                /// The folder of the environment files, where debug builds look for secrets files.
                nonisolated final class _FingerpostSource: Fingerpost._SourceFolder {
                    static var path: String { "\(folder.url.path)/it's \\"my\\" \\\\(App) – ü/Environments" }
                }
                #endif
                #endif

                """), "\(written)")
        #expect(written.components(separatedBy: folder.url.path).count == 2)
        // The plugin's file is not committed, so `check` does not compare it.
        #expect(CheckReport(below: folder[name]).errors == 0)
        #expect(try !text(["--mocks", folder["mocks"].path]).contains("#if DEBUG"))
    }

    @Test(arguments: [("public", false), ("internal", true)])
    func `Tests get names of keys unless the module they test has public ones`(access: String, hasKeys: Bool) throws {
        let folder = try TemporaryFolder([
            "environments/Base-Env.json": #"{"$access": "\#(access)", "map": {"host": "https://a.example"}}"#,
            "environments/A-Env.json": "{}", "mocks/login.json": "1",
        ])
        #expect(try run(folder, "--linked", "--test").isEmpty)
        let text = try String(contentsOf: folder["out/Names.swift"], encoding: .utf8)
        let parts = ["MapValues", "\nimport Fingerpost\n", "    static var login: Self"].map(text.contains)
        #expect(parts == [hasKeys, true, true], "\(text)")
        #expect(try run(folder, "--linked").isEmpty)
        #expect(try String(contentsOf: folder["out/Names.swift"], encoding: .utf8).contains("MapValues"))
    }

    @Test func `An error leaves all files unchanged`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#])
        _ = try run(folder)
        let names = try Data(contentsOf: folder["out/Names.swift"])
        try folder.write(Data("{".utf8), to: "environments/A-Env.json")
        #expect(try run(folder).contains { $0.isError && $0.line == 1 })
        #expect(try Data(contentsOf: folder["out/Names.swift"]) == names)
        #expect(try String(contentsOf: folder["out/environments/A-Env.json"], encoding: .utf8) == #"{"a": 1}"#)
    }
}
