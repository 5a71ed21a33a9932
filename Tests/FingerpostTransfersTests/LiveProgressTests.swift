import CallSupport
import FingerpostTransfers

/// The progress of calls to a server.
@Suite("Live: progress", .inTurn)
struct LiveProgressTests {
    private static let size: Int64 = 3 << 20
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder([:]) }

    /// Answers with a large body, or as the path says.
    private static func respond(_ request: ReceivedRequest, _ connection: Connection) {
        let body = Data(repeating: 7, count: Int(size))
        switch request.path {
        case "/chunked":
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 1...3 { connection.write(Array("100000\r\n".utf8) + body.prefix(1 << 20) + Array("\r\n".utf8)) }
            connection.write("0\r\n\r\n")
        case "/close":
            connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            connection.write(body)
            connection.close()
        case "/small": connection.respond(200, body: "[1]")
        default: connection.respond(200, body: body)
        }
    }

    private func server() throws -> LoopbackServer { try LoopbackServer(handler: Self.respond) }

    // MARK: Downloads

    @Test func `A download grows up to its end, to memory and to a file`() async throws {
        let server = try server()
        let client = APIClient(baseURL: server.baseURL)
        for (path, total) in [("body", Self.size), ("chunked", nil), ("close", Self.size)] {
            let (toMemory, toFile) = (ProgressLog(), ProgressLog())
            let count = try await client.data(for: Route.get("\(path)"), progress: toMemory.add).count
            try await client.download(Route.get("\(path)"), to: folder["file"], progress: toFile.add)
            #expect(count == Self.size)
            for log in [toMemory, toFile] {
                #expect((log.outcome, log.uploads) == (.end(Self.size, total: total), []), "\(path)")
                // Until the end, a body that ends with its connection has an unknown size too.
                let totals = Set(log.all.dropLast().map(\.totalBytes))
                #expect(totals.isSubset(of: [path == "body" ? Self.size : nil]), "\(path)")
            }
        }
    }

    @Test func `A compressed body has no total, and its bytes are those after decompression`() async throws {
        let zipped = try CompressedZeros.data(Int(Self.size))
        let server = try LoopbackServer { _, connection in
            connection.respond(200, headers: ["Content-Encoding": "gzip"], body: zipped)
        }
        let log = ProgressLog()
        _ = try await APIClient(baseURL: server.baseURL).data(for: Route.get("x"), progress: log.add)
        #expect(log.outcome == .end(Self.size, total: nil))
        #expect(log.all.allSatisfy { $0.fractionCompleted == nil && ($0.isFinished || $0.remaining == nil) })
    }

    // MARK: Uploads

    enum Body: CaseIterable, Sendable {
        case data, json, file, stream, form, largeForm

        func make(_ file: URL) -> RequestBody {
            switch self {
            case .data: .data(Data(count: Int(size)))
            case .json: .json([String](repeating: "text", count: 100_000))
            case .file: .file(file)
            case .stream: .stream(BodyStream { InputStream(url: file) })
            case .form: .multipart(MultipartForm().data("data", Data(count: 100_000)))
            case .largeForm: .multipart(MultipartForm().file("file", file))
            }
        }
    }

    @Test(arguments: Body.allCases) func `Every kind of body is reported up to its end`(body: Body) async throws {
        let file = folder["upload.bin"]
        try Data(count: Int(Self.size)).write(to: file)
        let server = try LoopbackServer(keepingBodies: false) { _, connection in connection.respond(200, body: "[1]") }
        let log = ProgressLog()
        let route = Route.put("x").body(body.make(file))
        let values: [Int] = try await APIClient(baseURL: server.baseURL).send(route, progress: log.add)
        let size = server.requests.first.map { Int64($0.bodySize) }
        let totals = Set(log.uploads.map(\.totalBytes))
        #expect((values, log.outcome, totals) == ([1], .end(3, total: 3), [body == .stream ? nil : size]))
        #expect((log.uploads.last?.completedBytes, log.uploads.last?.isFinished) == (size, true))
    }

    // MARK: The end of a call

    @Test(arguments: ["cancel", "deadline", "reset"])
    func `A call that ends early reports nothing more`(end: String) async throws {
        let isReported = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
            let write = {
                connection.write(Data(count: 1000)) && !connection.waitUntilPeerCloses(atMost: .milliseconds(5))
            }
            while isReported.wait(timeout: .now()) == .timedOut { guard write() else { return } }
            if end == "reset" { return connection.reset() }
            while write() {}
        }
        let route = Route.get("x").timeout(.seconds(end == "deadline" ? 2 : 240))
        let log = ProgressLog()
        let isOver = Locked(false)
        let calling = Locked<Task<Data, any Error>?>(nil)
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in started {}
            return try await APIClient(baseURL: server.baseURL).data(for: route) { progress in
                #expect(!isOver.withLock { $0 })
                log.add(progress)
                if end == "cancel" { calling.withLock { $0 }?.cancel() }
                isReported.signal()
            }
        }
        calling.withLock { $0 = task }
        start.finish()
        let error = try await failure { try await task.value }
        isOver.withLock { $0 = true }
        let kind = ["cancel": APIError.Kind.cancelled, "deadline": .timedOut, "reset": .transport][end]
        #expect((error.kind, log.faults, log.all.contains { $0.isFinished }) == (kind, [], false))
        #expect(end != "cancel" || log.all.count == 1)
        #expect(await server.closedAllConnections())
    }

    @Test(.heavy) func `The call waits for a slow closure, and other calls do not`() async throws {
        let server = try server()
        let client = APIClient(baseURL: server.baseURL)
        let isDone = Locked(false)
        let count = try await client.data(for: Route.get("close")) { _ in
            // A blocking call to the same server, while bytes of the first one may still arrive.
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                try await client.send(Route.get("small"))
                done.signal()
            }
            #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
            isDone.withLock { $0 = true }
        }.count
        #expect((Int64(count), isDone.withLock { $0 }) == (Self.size, true))
    }
}
