import FingerpostFiles
import FingerpostMockFiles
import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

/// Builds whose files change after they were listed.
@Suite(.inTurn) struct ChangingBuildTests {
    private static let secret = "k3y-0123456789-abcdef"

    enum Change: CaseIterable {
        case rewritten, truncated, replaced, deleted, renamed, link, pipe, folder, otherFolder

        /// Changes the file `Acme.app/data/file`.
        func make(in folder: TemporaryFolder) throws {
            let file = folder["Acme.app/data/file"]
            let (manager, secret) = (FileManager.default, Data(ChangingBuildTests.secret.utf8))
            switch self {
            case .rewritten: try secret.write(to: file)
            case .truncated: #expect(truncate(file.path, 1) == 0)
            case .replaced: try secret.write(to: file, options: .atomic)
            case .otherFolder:
                try manager.removeItem(at: folder["Acme.app/data"])
                try manager.createSymbolicLink(at: folder["Acme.app/data"], withDestinationURL: folder["outside"])
            case .renamed: try manager.moveItem(at: file, to: folder["Acme.app/data/other"])
            default: try manager.removeItem(at: file)
            }
            switch self {
            case .link: try manager.createSymbolicLink(at: file, withDestinationURL: folder["outside/file"])
            case .pipe: #expect(mkfifo(file.path, 0o600) == 0)
            case .folder: try manager.createDirectory(at: file, withIntermediateDirectories: false)
            default: break
            }
        }
    }

    private func fixture() throws -> BuiltFixture {
        try BuiltFixture(BuiltFixture.app(["data/file": "nothing"]).merging(["outside/file": Self.secret]) { $1 })
    }

    @Test(arguments: Change.allCases) func `Only the file that was listed is read`(change: Change) throws {
        let fixture = try fixture()
        var secrets = KnownSecrets()
        let folder = try TemporaryFolder(["A-Env.json": #"{ "$secrets": ["key"], "key": null }"#])
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": Self.secret])
        let build = Build(bundle: fixture.folder["Acme.app"], shown: "Acme.app")
        try change.make(in: fixture.folder)
        let findings = ByteSearch(secrets, sourcePaths: []).findings(in: build)
        #expect(findings.map(\.kind) == [.unreadable])
        #expect(findings.map(\.path) == ["Acme.app/data/file"])
    }

    @Test(arguments: Change.allCases) func `What changes meanwhile is reported`(change: Change) throws {
        let fixture = try fixture()
        let app = fixture.folder["Acme.app"]
        let builds = try Builds(at: app).builds
        #expect(BuildVerification.changes(of: builds, at: app).isEmpty)
        try change.make(in: fixture.folder)
        let findings = BuildVerification.changes(of: builds, at: app)
        #expect(findings.map(\.kind) == [.unreadable])
        #expect(
            findings.first?.path?.hasSuffix(
                change == .renamed ? "Acme.app/data/other" : "Acme.app/data/file") == true)
    }

    @Test(arguments: ["Acme.app/new", "Acme.app/data/new"]) func `A file that is added meanwhile is reported`(
        path: String
    ) throws {
        let fixture = try fixture()
        let builds = try Builds(at: fixture.folder["Acme.app"]).builds
        try fixture.folder.write(Data(Self.secret.utf8), to: path)
        let findings = BuildVerification.changes(of: builds, at: fixture.folder["Acme.app"])
        #expect(findings.map { $0.path?.hasSuffix(path) } == [true])
    }

    @Test func `A build that is deleted meanwhile is reported`() throws {
        let fixture = try fixture()
        let builds = try Builds(at: fixture.folder["Acme.app"]).builds
        try FileManager.default.removeItem(at: fixture.folder["Acme.app"])
        #expect(BuildVerification.changes(of: builds, at: fixture.folder["Acme.app"]).map(\.kind) == [.unreadable])
    }

    @Test func `Other files beside a program may change`() throws {
        let fixture = try BuiltFixture(["bin/Acme": BuiltFixture.program])
        let builds = try Builds(at: fixture.folder["bin/Acme"]).builds
        try fixture.folder.write(Data(), to: "bin/log")
        #expect(BuildVerification.changes(of: builds, at: fixture.folder["bin/Acme"]).isEmpty)
    }

    @Test func `A large file that becomes shorter while it is searched ends nothing`() throws {
        let fixture = try fixture()
        let file = fixture.folder["Acme.app/data/file"]
        #expect(truncate(file.path, off_t(RegularFile.mappedSize)) == 0)
        let build = Build(bundle: fixture.folder["Acme.app"], shown: "Acme.app")
        let listed = try #require(build.files.files.first { $0.path == "data/file" })
        let data = try build.files.contents(of: listed)
        #expect(truncate(file.path, 0) == 0)
        #expect(data.count == RegularFile.mappedSize && data.last == 0)
    }
}
