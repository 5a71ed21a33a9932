import Fingerpost
import Foundation
import TestSupport
import Testing

@Suite struct FileCredentialStoreTests {
    @Test func `A token is kept in a private file, and replaced in one step`() throws {
        let folder = try TemporaryFolder()
        let file = folder["a/b/token"]
        let store = FileCredentialStore(file)
        #expect(try store.token() == nil)
        try store.save("first")
        #expect(try FileCredentialStore(file).token() == "first")
        try store.save("second")
        #expect(try store.token() == "second")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["token"])
        try store.clear()
        try store.clear()
        #expect(try store.token() == nil)
    }

    @Test func `A token that was written by hand is trimmed, and an empty one is none`() throws {
        let folder = try TemporaryFolder(["token": " abc\n", "empty": "\n"])
        #expect(try FileCredentialStore(folder["token"]).token() == "abc")
        #expect(try FileCredentialStore(folder["empty"]).token() == nil)
    }

    @Test func `What is no token is an error that does not show it`() throws {
        let folder = try TemporaryFolder(["folder/x": "1"])
        try Data([0xFF, 0xFE]).write(to: folder["binary"])
        try Data(count: 2 << 20).write(to: folder["large"])
        for name in ["folder", "binary", "large"] {
            let error = try #require(throws: APIError.self) { try FileCredentialStore(folder[name]).token() }
            #expect(error.kind == .authorization && error.message.contains(name))
        }
        let error = try #require(throws: APIError.self) {
            try FileCredentialStore(folder["folder/x/token"]).save("S3cret")
        }
        #expect(error.kind == .authorization && !"\(error)".contains("S3cret"))
    }

    @Test func `The store shows nothing of the token`() throws {
        let folder = try TemporaryFolder(["token": "S3cret"])
        var text = ""
        dump(FileCredentialStore(folder["token"]), to: &text)
        #expect(!text.contains("S3cret"))
    }
}
