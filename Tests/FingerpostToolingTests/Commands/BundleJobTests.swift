import FingerpostFiles
import FingerpostTooling
import Foundation
import TestSupport
import Testing

@Suite struct BundleJobTests {
    private static let names = ["environments", "mocks"]

    private func run(_ folder: TemporaryFolder) throws -> [FileProblem] {
        var words = ["--stamp", folder["out/stamp"].path, "--swift", folder["out/Names.swift"].path]
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
        #expect(try run(folder).isEmpty)
        #expect(bundled(folder) == ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/users/show.json"])
        try FileManager.default.removeItem(at: folder["mocks/users"])
        try FileManager.default.removeItem(at: folder["mocks/b.txt"])
        try folder.write(Data("2".utf8), to: "mocks/b.txt/c.txt")
        try folder.write(Data("3".utf8), to: "mocks/users")
        #expect(try run(folder).isEmpty)
        #expect(bundled(folder) == ["Names.swift", "environments/A-Env.json", "mocks/b.txt", "mocks/b.txt/c.txt"])
        #expect(try String(contentsOf: folder["out/mocks/users"], encoding: .utf8) == "3")
        try FileManager.default.removeItem(at: folder["mocks"])
        #expect(try run(folder).isEmpty)
        #expect(bundled(folder) == ["Names.swift", "environments/A-Env.json"])
    }

    @Test func `Unchanged files are not written, except the stamp`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#, "mocks/b.json": "1"])
        let paths = ["out/Names.swift", "out/environments/A-Env.json", "out/mocks/b.json"]
        func identities() throws -> [AnyHashable?] {
            // A replaced file has a different identifier.
            try paths.map {
                try FileManager.default.attributesOfItem(atPath: folder[$0].path)[.systemFileNumber] as? AnyHashable
            }
        }
        _ = try run(folder)
        let before = try identities()
        let stamp = try Data(contentsOf: folder["out/stamp"])
        _ = try run(folder)
        #expect(try identities() == before)
        #expect(try Data(contentsOf: folder["out/stamp"]) != stamp)
    }

    @Test func `A changed file has a modification date in a later second, so that compilers notice it`() throws {
        let folder = try TemporaryFolder(["environments/A-Env.json": #"{"a": 1}"#])
        func time() throws -> TimeInterval {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder["out/Names.swift"].path)
            return try #require(attributes[.modificationDate] as? Date).timeIntervalSince1970.rounded(.down)
        }
        _ = try run(folder)
        // Simulates a file written in the next second.
        let soon = Date(timeIntervalSinceNow: 1).timeIntervalSince1970.rounded(.down)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: soon)], ofItemAtPath: folder["out/Names.swift"].path)
        try folder.write(Data(#"{"b": 1}"#.utf8), to: "environments/A-Env.json")
        _ = try run(folder)
        #expect(try time() > soon)
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
