import FingerpostShared
import TestSupport

@Suite(.inTurn) struct NewFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["old": "old", "elsewhere": "elsewhere"])
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder[name].path)[.posixPermissions] as? Int
    }

    private func text(_ name: String) throws -> String { try String(contentsOf: folder[name], encoding: .utf8) }

    @Test func `Only this user may read a new file`() throws {
        try NewFile.create(at: folder["new"])
        try NewFile.write(Data("x".utf8), to: folder["written"])
        let found = try (mode("new"), mode("written"), text("written"))
        #expect(found == (0o600, 0o600, "x"))
    }

    @Test func `An existing file and a link are never written to`() throws {
        for (name, target) in [("link", "elsewhere"), ("dangling", "nothing")] {
            try FileManager.default.createSymbolicLink(at: folder[name], withDestinationURL: folder[target])
        }
        for name in ["old", "link", "dangling"] {
            #expect(throws: POSIXError(.EEXIST)) { try NewFile.write(Data("x".utf8), to: folder[name]) }
        }
        let names = ["dangling", "elsewhere", "link", "old"]
        let found = try (text("old"), text("elsewhere"), folder.names)
        #expect(found == ("old", "elsewhere", names))
    }

    @Test(arguments: [0o600, 0o640, 0o755, 0o444]) func `A file keeps its mode when it is replaced`(_ old: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: old], ofItemAtPath: folder["old"].path)
        try NewFile.write(Data("new".utf8), to: folder["temporary"])
        try NewFile.move(folder["temporary"], to: folder["old"])
        let found = try (text("old"), mode("old"))
        #expect(found == ("new", old))
    }

    @Test func `A file that replaces nothing gets the mode of an ordinary file`() throws {
        try Data().write(to: folder["ordinary"])
        try NewFile.write(Data(), to: folder["temporary"])
        try NewFile.move(folder["temporary"], to: folder["target"])
        let found = try (mode("target") == mode("ordinary"), folder.names)
        #expect(found == (true, ["elsewhere", "old", "ordinary", "target"]))
    }

    #if canImport(Darwin)
        @Test func `A file keeps its attributes when it is replaced`() throws {
            let key = FileAttributeKey("NSFileExtendedAttributes")
            let value = Data(repeating: 7, count: 300)
            let written = ["user.fingerpost": value]
            // A file system without attributes has nothing to keep.
            guard (try? FileManager.default.setAttributes([key: written], ofItemAtPath: folder["old"].path)) != nil
            else {
                return
            }
            chmod(folder["old"].path, 0o444)
            try NewFile.write(Data("new".utf8), to: folder["temporary"])
            try NewFile.move(folder["temporary"], to: folder["old"])
            let kept = try FileManager.default.attributesOfItem(atPath: folder["old"].path)[key] as? [String: Data]
            let found = try (text("old"), mode("old"), kept?["user.fingerpost"])
            #expect(found == ("new", 0o444, value))
        }
    #endif
}
