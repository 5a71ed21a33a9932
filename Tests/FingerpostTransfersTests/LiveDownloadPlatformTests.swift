import FingerpostFiles
import FingerpostShared
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTransfers

/// Downloads where the system forbids locks, or files beside the target.
@Suite(.inTurn) struct LiveDownloadPlatformTests {
    private let folder: TemporaryFolder
    private let app: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder(["file.txt": "old"])
        app = try TemporaryFolder()
        file = folder["file.txt"]
    }

    private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }
    private var names: [String] { get throws { try TestPlatform.files(in: folder.url) } }
    private var namesInApp: [String] { get throws { try TestPlatform.files(in: app.url) } }

    @Test(arguments: [POSIXErrorCode.EPERM, .EACCES], [false, true])
    func `Without permission for other files beside it, only the target itself is written`(
        _ error: POSIXErrorCode, _ resuming: Bool
    ) async throws {
        let platform = TestPlatform.sandbox.platform(in: app.url, error: error)
        let meanwhile = Locked<[[String]]>([])
        let server = try LoopbackServer { [folder] _, connection in
            // An error counts as a file.
            let names = (try? TestPlatform.files(in: folder.url)) ?? ["?"]
            meanwhile.withLock { $0.append(names) }
            connection.respond(200, headers: ["ETag": "\"v1\""], body: "new")
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        chmod(file.path, 0o640)
        try await client.download(Route.get("x"), to: file, resuming: resuming, on: platform)
        #expect(try text == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        // A save panel names a file that does not exist yet.
        unlink(file.path)
        try await client.download(Route.get("x"), to: file, resuming: resuming, on: platform)
        #expect(try text == "new")
        #expect(meanwhile.withLock { $0 } == [["file.txt"], []])
        #expect(try names == ["file.txt"])
        #expect(try namesInApp == [])
    }

    @Test(arguments: TestPlatform.allCases, [false, true])
    func `What is kept goes on, unless it was discarded`(_ kind: TestPlatform, _ isDiscarded: Bool) async throws {
        let platform = kind.platform(in: app.url)
        let server = try RangeServer("0123456789", breaks: [4])
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        await #expect(throws: APIError.self) {
            try await client.download(Route.get("x"), to: file, resuming: true, on: platform)
        }
        #expect(try names.count + namesInApp.count == 3)
        if isDiscarded {
            try DownloadFile.discard(at: file, on: platform)
            #expect(try names == ["file.txt"])
            #expect(try namesInApp == [])
        }
        // The same file by another name.
        let other = folder.url.appendingPathComponent("./file.txt")
        try await client.download(
            Route.get("x"), to: kind == .sandbox ? other : file, resuming: true, on: platform)
        #expect(try text == "0123456789")
        #expect(server.asked == [nil, isDiscarded ? nil : "bytes=4-"])
        #expect(try names == ["file.txt"])
        #expect(try namesInApp == [])
    }

    /// The message of an error.
    private static func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return (error as? APIError)?.message ?? "\(error)" }
        return "no error"
    }

    @Test(arguments: [TestPlatform.claims, .sandbox, .sandboxWithClaims])
    func `A second download to the same file is an error`(_ kind: TestPlatform) async throws {
        let platform = kind.platform(in: app.url)
        let messages = Locked<[String]>([])
        let server = try LoopbackServer { [file] _, connection in
            let second = Self.message { _ = try DownloadFile(for: file, on: platform) }
            let discarding = Self.message { try DownloadFile.discard(at: file, on: platform) }
            messages.withLock { $0 += [second, discarding] }
            connection.respond(200, body: "new")
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...2 {
            try await client.download(Route.get("x"), to: file, resuming: true, on: platform)
        }
        let seen = messages.withLock { $0 }
        #expect(seen.map { $0.contains("is in progress") } == [true, true, true, true], "\(seen)")
        #expect(try text == "new")
        #expect(try names == ["file.txt"])
        #expect(try namesInApp == [])
    }

    @Test func `A part beside the target is kept while the system protects it`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/x"))
        try Kept.write("012", of: 10, "\"v1\"", for: url, beside: file)
        let platform = TestPlatform.sandbox.platform(in: app.url)
        let error = await #expect(throws: APIError.self) {
            try await APIClient(baseURL: url).download(Route.get("x"), to: file, resuming: true, on: platform)
        }
        #expect(error?.message.hasSuffix(": Operation not permitted, so nothing was sent") == true)
        #expect(error?.fix?.contains("remove") == false)
        #expect(try names.count == 3)
        #expect(try namesInApp == [])
    }

    @Test func `Any other error is not taken for a sandbox`() throws {
        for code in [POSIXErrorCode.ENOSPC, .EROFS, .EMFILE] {
            let platform = TestPlatform.sandbox.platform(in: app.url, error: code)
            let error = #expect(throws: APIError.self) { try DownloadFile(for: file, on: platform) }
            #expect((error?.underlying as? POSIXError)?.code == code)
        }
    }

    @Test func `A target that cannot be replaced keeps its content, and the part`() async throws {
        let platform = TestPlatform.sandbox.platform(in: app.url)
        var other = platform
        other.temporary = { _ in throw POSIXError(.EPERM) }
        let forbidding = other
        let server = try RangeServer("0123456789")
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        await #expect(throws: APIError.self) {
            try await client.download(Route.get("x"), to: file, resuming: true, on: forbidding)
        }
        #expect(try text == "old")
        try await client.download(Route.get("x"), to: file, resuming: true, on: platform)
        #expect(try text == "0123456789")
        #expect(server.asked == [nil, "bytes=9-"])
    }

    @Test func `A part in the folder of the app is deleted after a month without use`() throws {
        let platform = TestPlatform.sandboxWithClaims.platform(in: app.url)
        var parts: [URL] = []
        for (name, days) in [("a", 31), ("b", 29), ("used", 31)] {
            let target = folder[name]
            let part = try TestPlatform.sandboxWithClaims.part(of: target, app.url)
            try NewFile.write(Data(), to: part.appendingPathExtension("json"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: TimeInterval(-86_400 * days))], ofItemAtPath: part.path)
            parts.append(part)
        }
        do {
            let claim = try FileClaim(of: parts[2])
            _ = try DownloadPlace.open(for: file, resuming: true, on: platform)
            withExtendedLifetime(claim) {}
        }
        let exist = parts.map { FileManager.default.fileExists(atPath: $0.path) }
        #expect(exist == [false, true, true])
        #expect(!FileManager.default.fileExists(atPath: parts[0].appendingPathExtension("json").path))
        // Opening a part is a use.
        for name in ["b", "used"] { _ = try DownloadPlace.open(for: folder[name], resuming: true, on: platform) }
        #expect(parts.dropFirst().allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test(arguments: TestPlatform.allCases, [false, true])
    func `A download keeps the attributes of the file that it replaces`(
        _ kind: TestPlatform, resuming: Bool
    ) async throws {
        let key = FileAttributeKey("NSFileExtendedAttributes")
        let value = ["user.fingerpost": Data("kept".utf8)]
        // A file system without attributes has nothing to keep.
        guard (try? FileManager.default.setAttributes([key: value], ofItemAtPath: file.path)) != nil else { return }
        let server = try RangeServer("0123456789")
        defer { server.stop() }
        try await APIClient(baseURL: server.baseURL)
            .download(Route.get("x"), to: file, resuming: resuming, on: kind.platform(in: app.url))
        #expect(try text == "0123456789")
        let kept = try FileManager.default.attributesOfItem(atPath: file.path)[key] as? [String: Data]
        #expect(kept?["user.fingerpost"] == Data("kept".utf8))
    }
}
