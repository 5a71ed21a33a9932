import CallSupport
import FingerpostFiles
import FingerpostShared
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTransfers

/// What servers, disks and other programs do wrong while a download goes on.
@Suite(.inTurn, .concurrent) struct LiveResumedDownloadFaultTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder(["file.txt": "old"])
        file = folder["file.txt"]
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// The error of a download; nil if it succeeds.
    private func error(of client: APIClient, _ route: Route = .get("x")) async -> APIError? {
        do { try await client.download(route, to: file, resuming: true) } catch { return error }
        return nil
    }

    private func isUnchanged() throws -> Bool {
        try String(contentsOf: file, encoding: .utf8) == "old"
    }

    @Test(arguments: [
        ("Content-Range: bytes 4-9/10\r\n", #"the Content-Range "bytes 4-9/10", although the bytes from 3 of 10"#),
        ("Content-Range: bytes 2-9/10\r\n", #"the Content-Range "bytes 2-9/10", although the bytes from 3 of 10"#),
        ("Content-Range: bytes 3-9/11\r\n", #"the Content-Range "bytes 3-9/11", although the bytes from 3 of 10"#),
        ("Content-Range: bytes 3-10/*\r\n", #"the Content-Range "bytes 3-10/*", although the bytes from 3 of 10"#),
        ("Content-Range: lines 3-9/10\r\n", #"the invalid Content-Range "lines 3-9/10""#),
        ("Content-Range: bytes */10\r\n", #"the invalid Content-Range "bytes */10""#),
        ("", "a part without Content-Range"),
        ("Content-Range: bytes 3-9/10\r\nContent-Encoding: br\r\n", "a part that is encoded"),
        ("Content-Range: bytes 3-9/10\r\nETag: \"v2\"\r\n", #"a part of "v2", although one of "v1""#),
        ("Content-Type: multipart/byteranges; boundary=x\r\n", "a part without Content-Range"),
        ("Content-Range: bytes 3-9/10\r\nETag: W/\"v1\"\r\n", #"a part of W/"v1", although one of "v1""#),
        ("Content-Range: bytes 3-9/10\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "a part without ETag"),
        ("Content-Range: bytes 3-9/10\r\n", "a part without ETag"),
    ])
    func `A part that does not fit is not used, and the whole is asked for once`(_ headers: String, _ message: String)
        async throws
    {
        let server = try LoopbackServer { request, connection in
            guard request["Range"] != nil else {
                connection.respond(200, body: "new")
                return
            }
            // The body never ends: nothing of it is read.
            connection.write("HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\(headers)\r\n345")
            connection.waitUntilPeerCloses()
        }
        defer { server.stop() }
        try Kept.write("012", of: 10, "\"v1\"", for: server.baseURL.appendingPathComponent("x"), beside: file)
        let response = try await APIClient(baseURL: server.baseURL)
            .download(Route.get("x"), to: file, resuming: true)
        #expect(response.attempts == 2)
        let reason = response.history.first?.error ?? ""
        #expect(reason.contains(message), "\(reason)")
        #expect(server.requests.map { $0["Range"] } == ["bytes=3-", nil])
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(try names == ["file.txt"])
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: [
        ("Content-Range: bytes 3-9/10\r\nLast-Modified: \(date)\r\n", true),
        ("Content-Range: bytes 3-9/*\r\nLast-Modified: \(date)\r\n", true),
        ("Content-Range: bytes 3-9/10\r\n", true),
        ("Content-Range: bytes 3-9/*\r\n", false),
        ("Content-Range: bytes 3-9/10\r\nLast-Modified: Sun, 06 Nov 1994 08:49:38 GMT\r\n", false),
    ])
    func `A part that is known by its date goes on with this date, or with this size`(
        _ headers: String, _ goesOn: Bool
    ) async throws {
        let server = try LoopbackServer { request, connection in
            guard request["Range"] != nil else {
                connection.respond(200, body: "new")
                return
            }
            connection.write("HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\(headers)\r\n3456789")
        }
        defer { server.stop() }
        try Kept.write("012", of: 10, Self.date, for: server.baseURL.appendingPathComponent("x"), beside: file)
        #expect(await error(of: APIClient(baseURL: server.baseURL)) == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == (goesOn ? "0123456789" : "new"))
    }

    @Test func `What is kept is lost only when the whole arrives`() async throws {
        let server = try LoopbackServer { request, connection in
            if request["Range"] != nil {
                connection.respond(206, headers: ["Content-Range": "bytes 3-9/10"], body: "3456789")
            } else {
                connection.reset()
            }
        }
        defer { server.stop() }
        try Kept.write("012", of: 10, "\"v1\"", for: server.baseURL.appendingPathComponent("x"), beside: file)
        #expect(await error(of: APIClient(baseURL: server.baseURL))?.kind == .transport)
        #expect(server.requests.map { $0["Range"] }.prefix(2) == ["bytes=3-", nil])
        #expect(try isUnchanged())
        #expect(try String(contentsOf: folder[".file.txt.fingerpost-part"], encoding: .utf8) == "012")
    }

    @Test func `A part that was not asked for is an error`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(206, headers: ["Content-Range": "bytes 0-2/10", "ETag": "\"v1\""], body: "012")
        }
        defer { server.stop() }
        let error = await error(of: APIClient(baseURL: server.baseURL))
        #expect(error?.message == "the server sent a part of the body, although the whole was asked for")
        #expect(try isUnchanged())
        #expect(try names == ["file.txt"])
    }

    @Test func `A shorter part is kept, and the rest is asked for`() async throws {
        let ends = Locked([5, 9])
        let server = try LoopbackServer { request, connection in
            let start = Int(request["Range"]?.dropFirst(6).dropLast() ?? "0") ?? 0
            let end = ends.withLock { $0.isEmpty ? 9 : $0.removeFirst() }
            connection.respond(
                206, headers: ["Content-Range": "bytes \(start)-\(end)/10", "ETag": "\"v1\""],
                body: Array("0123456789".utf8)[start...end])
        }
        defer { server.stop() }
        try Kept.write("012", of: 10, "\"v1\"", for: server.baseURL.appendingPathComponent("x"), beside: file)
        let client = APIClient(baseURL: server.baseURL)
        let error = await error(of: client)
        #expect(error?.message == "the body ended after 6 of 10 bytes")
        #expect(try isUnchanged())
        #expect(await self.error(of: client) == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
        #expect(server.requests.map { $0["Range"] } == ["bytes=3-", "bytes=6-"])
    }

    @Test func `More bytes than announced are an error`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(
                "HTTP/1.1 206 \r\nTransfer-Encoding: chunked\r\nETag: \"v1\"\r\n"
                    + "Content-Range: bytes 3-9/10\r\n\r\n8\r\n3456789x\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        try Kept.write("012", of: 10, "\"v1\"", for: server.baseURL.appendingPathComponent("x"), beside: file)
        let error = await error(of: APIClient(baseURL: server.baseURL))
        #expect(error?.message == "the server sent more than the 10 bytes that it had announced")
        #expect(try isUnchanged())
    }

    @Test(arguments: [
        "", "{", #"{"version":2}"#, #"{"version":1,"request":1,"validator":"\"v1\"","size":10}"#,
        #"{"version":2,"salt":1,"request":1,"varying":[],"address":1,"validator":"\"v1\"","size":2}"#,
        #"{"version":2,"salt":1,"request":1,"varying":[],"address":1,"validator":"\"v1\"","size":10}"#, "\u{0}",
    ])
    func `A description that fits no part is replaced`(_ description: String) async throws {
        let server = try RangeServer("0123456789")
        defer { server.stop() }
        try Kept.write("xyz", description: Data(description.utf8), beside: file)
        #expect(await error(of: APIClient(baseURL: server.baseURL)) == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
        #expect(try names == ["file.txt"])
        #expect(server.asked == [nil])
    }

    @Test func `A second download to the same file is an error`() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            arrive.finish()
            _ = gate.wait(timeout: .now() + 60)
            connection.respond(200, body: "new")
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        async let first = client.download(Route.get("x"), to: file, resuming: true)
        for await _ in arrived {}
        let error = await error(of: client)
        #expect(error?.message.hasSuffix("is in progress, so nothing was sent") == true, "\(error?.message ?? "")")
        #expect(throws: APIError.self) { try APIClient.discardPartialDownload(at: file) }
        gate.signal()
        _ = try await first
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(server.requestCount == 1)
    }

    @Test(arguments: [".file.txt.fingerpost-part", ".file.txt.fingerpost-part.json"])
    func `A link in the place of the part is not followed`(_ name: String) async throws {
        let victim = folder["victim"]
        try Data("safe".utf8).write(to: victim)
        try FileManager.default.createSymbolicLink(at: folder[name], withDestinationURL: victim)
        let server = try RangeServer("0123456789")
        defer { server.stop() }
        let error = await error(of: APIClient(baseURL: server.baseURL))
        #expect(error?.kind == .transport)
        #expect(error?.message.hasSuffix("of this user alone: it is a link, so nothing was sent") == true)
        #expect(error?.fix?.hasSuffix("/\(name)") == true)
        #expect(try String(contentsOf: victim, encoding: .utf8) == "safe")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [".file.txt.fingerpost-part", ".file.txt.fingerpost-part.json"])
    func `A part that is a file of another name too is not used`(_ name: String) async throws {
        let victim = folder["victim"]
        try NewFile.write(Data("safe".utf8), to: victim)
        try FileManager.default.linkItem(at: victim, to: folder[name])
        let server = try RangeServer("0123456789")
        defer { server.stop() }
        let error = await error(of: APIClient(baseURL: server.baseURL))
        #expect(error?.message.contains("it is a hard link") == true, "\(error?.message ?? "")")
        #expect(error?.fix?.hasSuffix("/\(name)") == true)
        #expect(try String(contentsOf: victim, encoding: .utf8) == "safe")
        #expect(server.requests.isEmpty)
    }

    @Test func `What the system forbids for now is not to be deleted`() {
        let error = DownloadFile.failure(POSIXError(.EPERM), file)
        #expect(error.message.hasSuffix(": Operation not permitted"))
        #expect(error.fix?.contains("remove") == false)
    }

    @Test func `A part that others may write is not used`() async throws {
        let part = folder[".file.txt.fingerpost-part"]
        try Data("012".utf8).write(to: part)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: part.path)
        let error = await error(of: APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:9"))))
        #expect(error?.message.contains("of this user alone: its mode lets other users read or write it") == true)
        #expect(error?.fix?.hasSuffix("/.file.txt.fingerpost-part") == true)
    }

    @Test func `A folder in the place of the file is an error`() async throws {
        let target = folder["folder"]
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:9")))
        let error = await #expect(throws: APIError.self) {
            try await client.download(Route.get("x"), to: target, resuming: true)
        }
        #expect(error?.message.contains("is not a file that the body can be written to") == true)
    }

    @Test func `A folder that vanishes meanwhile is an error`() async throws {
        let inner = folder["inner"]
        let server = try LoopbackServer { _, connection in
            try? FileManager.default.removeItem(at: inner)
            connection.respond(200, headers: ["ETag": "\"v1\""], body: "new")
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let error = await #expect(throws: APIError.self) {
            try await client.download(Route.get("x"), to: inner.appendingPathComponent("f"), resuming: true)
        }
        #expect(error?.kind == .transport)
        #expect(error?.message.contains("cannot be written") == true)
    }

    @Test func `A route with a range of its own cannot resume`() async throws {
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:9")))
        let error = await error(of: client, Route.get("x").header(.range, "bytes=0-1"))
        #expect(error?.kind == .invalidRoute)
        #expect(try names == ["file.txt"])
    }

    @Test func `A long name has a part too`() async throws {
        let target = folder[String(repeating: "n", count: 250)]
        let server = try RangeServer("0123456789", breaks: [4])
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        await #expect(throws: APIError.self) {
            try await client.download(Route.get("x"), to: target, resuming: true)
        }
        try await client.download(Route.get("x"), to: target, resuming: true)
        #expect(try String(contentsOf: target, encoding: .utf8) == "0123456789")
        #expect(server.asked == [nil, "bytes=4-"])
    }

    /// A server that sends a part and then waits, and sends the rest when asked for it.
    private static func stallingServer() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request["Range"] == nil {
                connection.write("HTTP/1.1 200 \r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\n0123")
                connection.waitUntilPeerCloses()
            } else {
                connection.respond(206, headers: ["Content-Range": "bytes 4-9/10", "ETag": "\"v1\""], body: "456789")
            }
        }
    }

    @Test func `A cancelled download goes on later`() async throws {
        let server = try Self.stallingServer()
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let part = folder[".file.txt.fingerpost-part"]
        let download = Task { [file] in try await client.download(Route.get("x"), to: file, resuming: true) }
        await poll { (try? FileStatus(of: part.path).size) == 4 }
        download.cancel()
        await #expect(throws: APIError.self) { try await download.value }
        #expect(try isUnchanged())
        #expect(await error(of: client) == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
    }

    @Test func `A download whose time is up goes on later`() async throws {
        let server = try Self.stallingServer()
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        // On a busy machine, the time may be up before anything has come.
        for seconds in [2, 8, 32, 128] where !(try names.contains(".file.txt.fingerpost-part")) {
            let error = await error(of: client, Route.get("x").timeout(.seconds(seconds)))
            #expect(error?.kind == .timedOut)
        }
        #expect(await error(of: client) == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
    }

    /// Keeps the first body, and lets its call fail.
    private struct Keeping: Middleware {
        let body: Locked<Data?>

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            let response = try await next(request)
            if body.withLock({ $0 }) != nil { return response }
            body.withLock { $0 = response.data }
            throw URLError(.cannotDecodeContentData)
        }
    }

    @Test func `A body that middleware keeps survives that its download starts over`() async throws {
        let body = Locked<Data?>(nil)
        let server = try LoopbackServer { request, connection in
            let isFirst = request["Range"] == nil
            connection.respond(
                200, headers: ["ETag": isFirst ? "\"1\"" : "\"2\""], body: isFirst ? "0123456789" : "new")
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [Keeping(body: body)] }
        #expect(await error(of: client) != nil)
        #expect(await error(of: client) == nil)
        #expect(server.requests.last?["Range"] == "bytes=9-")
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(body.withLock { $0 } == Data("0123456789".utf8))
    }
}
