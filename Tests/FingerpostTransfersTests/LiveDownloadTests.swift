import CallSupport
import FingerpostTransfers

@Suite("Live: downloads", .inTurn)
struct LiveDownloadTests: DownloadSuite {
    /// A folder that already contains one file.
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(["file.txt": "old"]) }

    @Test("The body of a success replaces the file") func success() async throws {
        let server = try LoopbackServer { request, connection in
            let isEmpty = request.path == "/empty"
            connection.respond(isEmpty ? 204 : 200, headers: ["ETag": "7"], body: isEmpty ? "" : "new")
        }
        let client = APIClient(baseURL: server.baseURL)
        let response = try await client.download(Route.get("x"), to: file)
        let found = try (text, folder.names, response.data.count)
        #expect(found == ("new", ["file.txt"], 0))
        #expect((response.value, response.status, response.headers["ETag"]) == (file, 200, "7"))
        let below = folder["a/b/file.txt"]
        var texts: [String] = []
        for path in ["x", "empty"] {
            try await client.download(Route.get("\(path)"), to: below)
            texts.append(try String(contentsOf: below, encoding: .utf8))
        }
        #expect(texts == ["new", ""])
    }

    /// The mode of the hidden file beside the target; nil until it contains something.
    private static func partialMode(in folder: TemporaryFolder) -> Int? {
        // The file may appear or disappear in the meantime.
        guard let name = (try? folder.names)?.first(where: { $0.hasPrefix(".") }),
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder[name].path)
        else { return nil }
        return attributes[.size] as? Int == 0 ? nil : attributes[.posixPermissions] as? Int
    }

    @Test("A download in progress is private, and the file keeps its mode") func mode() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let seen = Locked<Int?>(nil)
        let server = try LoopbackServer { [folder] _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha")
            while Self.partialMode(in: folder) == nil {
                if connection.waitUntilPeerCloses(atMost: .milliseconds(2)) { return }
            }
            seen.withLock { $0 = Self.partialMode(in: folder) }
            connection.write("lf")
        }
        try await APIClient(baseURL: server.baseURL).download(Route.get("x"), to: file)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        let found = try (seen.withLock { $0 }, text, mode)
        #expect(found == (0o600, "half", 0o640))
    }

    @Test(
        "A failure leaves the file unchanged and no other file behind",
        arguments: ["status", "reset", "short", "time", "cancel"]
    )
    func leavesFile(way: String) async throws {
        let server = try LoopbackServer { _, connection in
            if way != "status" { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }
            switch way {
            case "status": connection.respond(404, body: #"{"message": "no such film"}"#)
            case "reset": connection.reset()
            case "short": connection.close()
            default: connection.waitUntilPeerCloses()
            }
        }
        let route = Route.get("x").timeout(.milliseconds(way == "time" ? 200 : 30_000))
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { [file] in try await client.download(route, to: file) }
        await server.received(1)
        if way == "cancel" { task.cancel() }
        let error = try await failure { try await task.value }
        let kinds: [String: APIError.Kind] = ["status": .status(404), "time": .timedOut, "cancel": .cancelled]
        let message = way == "status" ? "no such film" : nil
        let found = try (error.kind, error.serverMessage, text, folder.names)
        #expect(found == (kinds[way] ?? .transport, message, "old", ["file.txt"]))
    }

    private static let body = String(repeating: "0123456789", count: 200_000)

    private func download(through middleware: any Middleware) async throws -> Response<URL> {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: Self.body) }
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [middleware] }
        return try await client.download(Route.get("x"), to: file)
    }

    @Test("Middleware may change a body, and send a download more than once") func middleware() async throws {
        let cutting = ClosureMiddleware { request, _, next in
            let response = try await next(request)
            return Response(status: response.status, data: response.data.dropFirst(2), request: response.request)
        }
        let cut = try await download(through: cutting)
        #expect(try text == Self.body.dropFirst(2) && folder.names == ["file.txt"])
        let reading = RepeatingMiddleware { #expect($0.data == Data(Self.body.utf8)) }
        let read = try await download(through: reading)
        #expect(try text == Self.body && folder.names == ["file.txt"])
        #expect([cut, read].map(\.attempts) == [1, 2])
    }

    @Test("Nothing is sent when the file cannot be written") func unwritable() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let client = APIClient(baseURL: server.baseURL)
        let web = try #require(URL(string: "https://example.com/x"))
        for target in [folder.url, file.appendingPathComponent("x"), web] {
            let error = try await failure { try await client.download(Route.get("x"), to: target) }
            #expect((error.kind, error.route, server.requestCount) == (.transport, "GET x", 0))
            #expect(error.message.contains("nothing was sent"), "\(error)")
        }
    }
}
