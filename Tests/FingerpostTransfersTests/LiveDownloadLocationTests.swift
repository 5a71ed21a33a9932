import CallSupport

@testable import FingerpostTransfers

/// Downloads where the system forbids files beside the target, or to replace it.
@Suite(.inTurn) struct LiveDownloadLocationTests: DownloadSuite {
    let folder: TemporaryFolder
    private let system: TemporaryFolder

    init() throws { (folder, system) = (try TemporaryFolder(["file.txt": "old"]), try TemporaryFolder()) }

    /// Forbids files beside the target, as a sandbox does after a save panel.
    private var sandbox: DownloadLocation.Sandbox {
        DownloadLocation.Sandbox { _ in
            throw POSIXError(.EPERM)
        } createReplacementFolder: { [system] _ in
            let folder = system[UUID().uuidString]
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
    }

    private func download(
        _ client: APIClient, _ route: Route = .get("x"), resuming: Bool = true, in sandbox: DownloadLocation.Sandbox
    ) async throws {
        let sink = DownloadSink(for: file, resuming: resuming, in: sandbox)
        _ = try await client.transfer(route, by: sink)
    }

    @Test(arguments: [false, true])
    func `Without permission for files beside it, only the target itself is written`(resuming: Bool) async throws {
        let meanwhile = Locked<[[String]]>([])
        let server = try LoopbackServer { [folder] _, connection in
            // An error counts as a file.
            let names = (try? folder.names) ?? ["?"]
            meanwhile.withLock { $0.append(names) }
            connection.respond(200, headers: ["ETag": "\"v1\""], body: "new")
        }
        let client = APIClient(baseURL: server.baseURL)
        chmod(file.path, 0o640)
        try await download(client, resuming: resuming, in: sandbox)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        let found = try (text, mode)
        #expect(found == ("new", 0o640))
        // A save panel names a file that does not exist yet.
        unlink(file.path)
        try await download(client, resuming: resuming, in: sandbox)
        let found2 = try (text, meanwhile.withLock { $0 }, folder.names, system.names)
        #expect(found2 == ("new", [["file.txt"], []], ["file.txt"], []))
    }

    @Test func `Without permission for a part, a download goes on in its call, and anew in the next`() async throws {
        let server = try RangeServer("0123456789", breaks: [4, 7, 2])
        let client = APIClient(baseURL: server.baseURL)
        let twice = Route.get("x").retry(.atOnce(2))
        await #expect(throws: APIError.self) { try await download(client, twice, in: sandbox) }
        #expect(try system.names == [])
        try await download(client, twice, in: sandbox)
        let found = try (text, server.asked)
        #expect(found == ("0123456789", [nil, "bytes=4-", nil, "bytes=2-"]))
    }

    @Test func `A target that cannot be replaced keeps its content, and nothing is sent`() async throws {
        var forbidding = sandbox
        forbidding.createReplacementFolder = { _ in throw POSIXError(.EPERM) }
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:9")))
        let error = try await failure { try await download(client, in: forbidding) }
        #expect(try error.message.hasSuffix(": Operation not permitted, so nothing was sent") && text == "old")
    }

    @Test func `A part is kept and stays private when the target cannot be replaced`() async throws {
        let body = String(repeating: "0123456789", count: 10)
        let server = try RangeServer(body)
        // Makes a folder of the target when the body has arrived.
        let obstructing = ClosureMiddleware { [file] request, _, next in
            let response = try await next(request)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            return response
        }
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [obstructing] }
        await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: file, resuming: true) }
        try FileManager.default.removeItem(at: file)
        try await APIClient(baseURL: server.baseURL).download(Route.get("x"), to: file, resuming: true)
        let found = try (text, server.asked, folder.names)
        #expect(found == (body, [nil, "bytes=99-"], ["file.txt"]))
    }

    @Test func `A part beside the target is kept while the system protects it`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/x"))
        try Kept.write("012", for: url, beside: file)
        let error = try await failure { try await download(APIClient(baseURL: url), in: sandbox) }
        #expect(error.message.hasSuffix(": Operation not permitted, so nothing was sent"))
        let found = try (error.fix?.contains("remove"), folder.names)
        #expect(found == (false, [Kept.part, Kept.description, "file.txt"]))
    }
}
