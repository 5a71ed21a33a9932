import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

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

    @Test func `A token that is replaced and removed meanwhile is read whole, or is none`() async throws {
        let folder = try TemporaryFolder()
        let file = folder["token"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            let isOver = Locked(false)
            group.addTask {
                defer { isOver.withLock { $0 = true } }
                let store = FileCredentialStore(file)
                for _ in 0..<300 {
                    try store.save("first")
                    try store.save("the second")
                    try store.clear()
                }
            }
            group.addTask {
                let store = FileCredentialStore(file)
                while !isOver.withLock({ $0 }) {
                    let token = try store.token()
                    #expect(token == nil || token == "first" || token == "the second")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `Signing out removes a token that a process left while it saved, and nothing else`() throws {
        let id = UUID().uuidString
        let others = [".other-\(id)", ".token-b-\(id)", ".token-x", "token-\(id)"]
        var files = Dictionary(uniqueKeysWithValues: others.map { ($0, "abc") })
        files["token"] = "def"
        files[".token-\(id)"] = "ghi"
        let folder = try TemporaryFolder(files)
        try FileCredentialStore(folder["token"]).clear()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == others)
    }

    @Test func `A token that was written by hand is trimmed, and an empty one is none`() throws {
        let folder = try TemporaryFolder(["token": " abc\n", "empty": "\n"])
        for name in ["token", "empty"] { try folder.setMode(0o600, of: name) }
        #expect(try FileCredentialStore(folder["token"]).token() == "abc")
        #expect(try FileCredentialStore(folder["empty"]).token() == nil)
    }

    @Test func `What is no token is an error that does not show it`() throws {
        let folder = try TemporaryFolder(["folder/x": "1"])
        try Data([0xFF, 0xFE]).write(to: folder["binary"])
        try Data(count: 2 << 20).write(to: folder["large"])
        for name in ["binary", "large"] { try folder.setMode(0o600, of: name) }
        for name in ["folder", "binary", "large"] {
            let error = try #require(throws: APIError.self) { try FileCredentialStore(folder[name]).token() }
            #expect(error.kind == .authorization && error.message.contains(name))
        }
        let error = try #require(throws: APIError.self) {
            try FileCredentialStore(folder["folder/x/token"]).save("S3cret")
        }
        #expect(error.kind == .authorization && !"\(error)".contains("S3cret"))
    }

    @Test func `What is saved can be read, and a larger token is not saved`() throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(folder["token"])
        let largest = String(repeating: "a", count: 1 << 20)
        try store.save(largest)
        #expect(try store.token() == largest)
        let error = try #require(throws: APIError.self) { try store.save(largest + "S3cret") }
        #expect(error.kind == .authorization && !"\(error)".contains("S3cret"))
        #expect(try store.token() == largest)
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func `A file that others may write is refused`(mode: Int) throws {
        let folder = try TemporaryFolder(["token": "S3cret"])
        try folder.setMode(mode, of: "token")
        let error = try #require(throws: APIError.self) { try FileCredentialStore(folder["token"]).token() }
        #expect(error.kind == .authorization && error.message.contains("other users may write"))
        #expect(!"\(error)".contains("S3cret"))
    }

    @Test(arguments: [
        ("link", 0o600, 1), ("link", 0o444, 1), ("token", 0o444, 1), ("token", 0o600, 0), ("in/token", 0o600, 0),
    ])
    func `A file that others may read, or a link to it, is read with one warning`(
        name: String, mode: Int, warnings: Int
    ) throws {
        let folder = try TemporaryFolder(["token": "abc"])
        let manager = FileManager.default
        try folder.setMode(mode, of: "token")
        try manager.createSymbolicLink(at: folder["link"], withDestinationURL: folder["token"])
        // Only the last component counts as a link.
        try manager.createSymbolicLink(at: folder["in"], withDestinationURL: folder.url)
        let texts = Locked<[String]>([])
        let store = FileCredentialStore(folder[name]) { text in texts.withLock { $0.append(text) } }
        #expect(try store.token() == "abc" && store.token() == "abc")
        #expect(texts.withLock { $0.count } == warnings)
        #expect(texts.withLock { $0.allSatisfy { $0.contains(name) && !$0.contains("abc") } })
    }

    @Test func `The store shows nothing of the token`() throws {
        let folder = try TemporaryFolder(["token": "S3cret"])
        var text = ""
        dump(FileCredentialStore(folder["token"]), to: &text)
        #expect(!text.contains("S3cret"))
    }
}

extension TemporaryFolder {
    fileprivate func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[path].path)
    }
}
