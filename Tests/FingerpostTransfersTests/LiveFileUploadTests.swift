import CallSupport

@testable import FingerpostTransfers

/// Bodies of known size that are not in memory: files, and forms that are sent from a temporary file.
@Suite(.inTurn, .serialized) struct LiveFileUploadTests {
    private static let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    /// Larger than the buffers of a connection, so that a server that does not read stops the upload.
    private static let largeSize = 20 << 20

    private let folder: TemporaryFolder
    private let file: URL
    /// A sparse file of ``largeSize`` bytes.
    private let largeFile: URL

    init() throws {
        folder = try TemporaryFolder(["large.bin": ""])
        (file, largeFile) = (folder["body.png"], folder["large.bin"])
        try folder.write(Self.body, to: "body.png")
        try Self.resize(largeFile, to: Self.largeSize)
    }

    private static func resize(_ file: URL, to size: Int) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
    }

    // MARK: Length

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000], [.post, .put] as [HTTPMethod])
    func `A file is sent with its type and length, and not in chunks`(size: Int, method: HTTPMethod) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let body = Self.body.prefix(size)
        try folder.write(body, to: "x.pdf")
        let route = Route(method: method, path: "x").body(.file(folder["x.pdf"]))
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...2 { try await client.send(route) }
        let names = ["Content-Length", "Content-Type", "Transfer-Encoding", "Expect"]
        let sent = server.requests.map { request in names.map { request.values(of: $0) } }
        #expect(sent == Array(repeating: [["\(size)"], ["application/pdf"], [], []], count: 2))
        #expect(server.requests.allSatisfy { $0.body == body })
        // The second request began where the first one ended.
        #expect(server.connectionCount == 1)
    }

    @Test func `Other code sees a stream, and no headers that the connection sets`() async throws {
        let transport = StubTransport(200)
        try await transport.client().send(Route.put("x").body(.file(file)))
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let response = try await APIClient(baseURL: server.baseURL).response(
            for: Route.put("x").body(.file(file)), as: Data.self)
        for request in transport.requests + [response.request] {
            #expect(
                (request.httpBodyStream != nil, request.httpBody, request.allHTTPHeaderFields?.keys.sorted())
                    == (true, nil, ["Accept", "Content-Type"]))
        }
    }

    /// Does something with the stream of the body before it passes the request on.
    private struct Passing: Transport {
        let change: @Sendable (inout URLRequest) throws -> Void

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            var request = request
            try change(&request)
            return try await URLSessionTransport().send(request, for: route)
        }
    }

    @Test func `A stream is sent in chunks, even of a file, and in the place of a file's own`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let stream = BodyStream { [file] in InputStream(url: file) }
        try await APIClient(baseURL: server.baseURL).send(Route.put("x").body(.stream(stream)))
        let transport = Passing { $0.httpBodyStream = InputStream(data: Data("other".utf8)) }
        try await APIClient(baseURL: server.baseURL) { $0.transport = transport }.send(Route.put("x").body(.file(file)))
        let headers = server.requests.map { [$0["Content-Length"], $0["Transfer-Encoding"]] }
        #expect(
            (headers, server.requests.map(\.body))
                == ([[nil, "chunked"], [nil, "chunked"]], [Self.body, Data("other".utf8)]))
    }

    @Test func `A transport that reads the stream of a file does not send an empty body`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let transport = Passing { request in
            let stream = try #require(request.httpBodyStream)
            stream.open()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while stream.hasBytesAvailable, stream.read(&buffer, maxLength: buffer.count) > 0 {}
        }
        let client = APIClient(baseURL: server.baseURL) { $0.transport = transport }
        let error = try await failure { try await client.send(Route.put("x").body(.file(file))) }
        #expect((error.kind, server.connectionCount) == (.encoding, 0))
        #expect(error.message.contains("opened before"), "\(error)")
    }

    // MARK: Again

    enum Again: CaseIterable {
        case redirect307, redirect308, refresh, retry
    }

    @Test(arguments: Again.allCases, [false, true])
    func `A file that is sent again is sent whole, with its type and length`(again: Again, asForm: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            switch again {
            case .redirect307 where request.path == "/a": connection.respond(307, headers: ["Location": "/b"])
            case .redirect308 where request.path == "/a": connection.respond(308, headers: ["Location": "/b"])
            case .refresh where request["Authorization"] == "Bearer old": connection.respond(401)
            case .retry where request.connection == 1: connection.respond(503, headers: ["Connection": "close"])
            default: connection.respond(200)
            }
        }
        let client = APIClient(baseURL: server.baseURL) {
            $0.retry = .atOnce()
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        // The client can send the same form again only from a temporary file.
        let form = MultipartForm().data("padding", Data(count: 1 << 20)).file("file", file)
        let route = Route.put("a").body(asForm ? .multipart(form) : .file(file))
        let response = try await client.response(for: route, as: Data.self)
        let requests = server.requests
        let type = asForm ? "multipart/form-data; boundary=\(form.boundary)" : "image/png"
        let body = try #require(requests.last).body
        let headers = ["Content-Length", "Content-Type", "Transfer-Encoding"]
        let sent = requests.map { request in headers.map { request[$0] } }
        #expect((response.attempts, sent) == (2, Array(repeating: ["\(body.count)", type, nil], count: 2)))
        #expect(requests[0].body == body && (asForm || body == Self.body))
    }

    @Test func `A redirect that drops the body drops its length`() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(request.path == "/a" ? 303 : 200, headers: ["Location": "/b"])
        }
        let response = try await APIClient(baseURL: server.baseURL).response(
            for: Route.post("a").body(.file(file)), as: Data.self)
        let second = server.requests[1]
        let headers = ["Content-Length", "Content-Type"].map { second[$0] }
        #expect(
            (response.attempts, server.requests.map(\.method), second.bodySize, headers)
                == (2, ["POST", "GET"], 0, [nil, nil]))
    }

    // MARK: Early answers

    /// Bodies of 20 MB.
    enum Large: CaseIterable {
        case file, form, data, stream
    }

    private func route(_ large: Large) -> Route {
        let body: RequestBody =
            switch large {
            case .file: .file(largeFile)
            case .form: .multipart(MultipartForm().file("file", largeFile))
            case .data: .data(Data(count: Self.largeSize))
            case .stream: .stream(BodyStream { [largeFile] in InputStream(url: largeFile) })
            }
        return Route.put("x").body(body)
    }

    // A body in memory takes the longest: Foundation copies it.
    @Test(
        arguments: [(413, .data), (413, .file), (413, .form), (413, .stream), (401, .file), (500, .file)]
            as [(Int, Large)])
    func `An answer that comes during the upload is the call's answer`(status: Int, large: Large) async throws {
        for isClosing in [false, true] {
            let server = try LoopbackServer(
                keepingBodies: false,
                head: { request, connection in
                    guard request.path == "/x" else { return }
                    let challenge: KeyValuePairs = ["Connection": "close", "WWW-Authenticate": #"Basic realm="x""#]
                    connection.respond(status, headers: isClosing ? challenge : [:], body: #"{"message": "no"}"#)
                },
                handler: { request, connection in if request.path == "/next" { connection.respond(200) } })
            let client = APIClient(baseURL: server.baseURL)
            let error = try await failure { try await client.send(route(large)) }
            try await client.send(Route.get("next"))
            #expect(
                (error.kind, error.serverMessage, error.attempts, server.requests.map(\.path))
                    == (.status(status), "no", 1, ["/next"]))
        }
    }

    @Test(arguments: Large.allCases, [false, true])
    func `A server that closes during the upload ends the call`(large: Large, isExpecting: Bool) async throws {
        let server = try LoopbackServer(
            keepingBodies: false,
            head: { request, connection in
                guard request.path == "/x" else { return }
                connection.respond(413, headers: ["Connection": "close"])
                // Closing the connection before the whole request was read resets it. The client may learn of this
                // while it sends, before it has read the answer (RFC 9112 section 9.6).
                connection.close()
            },
            handler: { _, connection in connection.respond(200) })
        let client = APIClient(baseURL: server.baseURL)
        var route = route(large)
        if isExpecting { route = route.header(.expect, "100-continue") }
        let error = try await failure { try await client.send(route) }
        #expect(error.kind == .status(413) || !isExpecting && error.kind == .transport, "\(error)")
        try await client.send(Route.get("next"))
        #expect((error.attempts, server.requests.map(\.path)) == (1, ["/next"]))
    }

    @Test(arguments: Large.allCases)
    func `A body that the server has asked for is sent whole`(large: Large) async throws {
        // This server answers the header with 100.
        let server = try LoopbackServer(keepingBodies: false) { _, connection in connection.respond(200) }
        let route = route(large).header(.expect, "100-continue")
        try await APIClient(baseURL: server.baseURL).send(route)
        #expect(server.requests.map { $0.bodySize >= Self.largeSize } == [true])
    }

    @Test func `A token that is refused during the upload is replaced, and the whole file is sent`() async throws {
        let server = try LoopbackServer(
            keepingBodies: false,
            head: { request, connection in
                if request["Authorization"] == "Bearer old" { connection.respond(401) }
            },
            handler: { _, connection in connection.respond(200) })
        let client = APIClient(baseURL: server.baseURL) {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        let response = try await client.response(for: route(.file), as: Data.self)
        let request = try #require(server.requests.last)
        #expect((response.history.map(\.status), request["Authorization"]) == ([401, 200], "Bearer new"))
        #expect((request.bodySize, request["Content-Length"]) == (Self.largeSize, "\(Self.largeSize)"))
    }

    // MARK: Changes

    // On other platforms, only CFNetwork knows how much of a file it has read.
    #if canImport(FoundationNetworking)
        @Test(arguments: [0, 1, largeSize - 1, largeSize + 1, 2 * largeSize])
        func `A file that changes its size while it is sent is an error, and never arrives whole`(
            newSize: Int
        ) async throws {
            let server = try LoopbackServer(
                keepingBodies: false,
                head: { [largeFile] request, _ in
                    // The file cannot have been read to its end, because nothing reads the body.
                    if request.path == "/x" { try? Self.resize(largeFile, to: newSize) }
                }, handler: { _, connection in connection.respond(200) })
            let client = APIClient(baseURL: server.baseURL) { $0.retry = .standard }
            let error = try await failure { try await client.send(route(.file)) }
            try await client.send(Route.get("next"))
            #expect(
                (error.kind, error.attempts, error.fix != nil, server.requests.map(\.path))
                    == (.encoding, 1, true, ["/next"]))
            #expect(error.message.contains("large.bin had 20971520 bytes, and changed its size"), "\(error)")
        }
    #endif

    // MARK: Ends and progress

    enum End: CaseIterable {
        case deadline, idleTimeout, cancellation
    }

    @Test(arguments: End.allCases, [Large.file, .form])
    func `A call that is stuck in the upload can end`(end: End, large: Large) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (heads, head) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer(
            keepingBodies: false,
            head: { _, connection in
                head.finish()
                _ = gate.wait(timeout: .now() + .seconds(240))
                // The connection is closed a moment after the call has ended. A server that answered meanwhile could
                // keep it open.
                connection.waitUntilPeerCloses(atMost: .seconds(240))
            },
            handler: { _, connection in connection.respond(200) })
        var route = route(large)
        switch end {
        case .deadline: route = route.timeout(.seconds(2))
        case .idleTimeout: route = route.idleTimeout(.seconds(1))
        case .cancellation: break
        }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { [route] in try await client.send(route) }
        if end == .cancellation {
            for await _ in heads {}
            task.cancel()
        }
        let error = try await failure { try await task.value }
        gate.signal()
        let kind = end == .cancellation ? APIError.Kind.cancelled : .timedOut
        let found = await (error.kind, server.closedAllConnections(), server.requestCount)
        #expect(found == (kind, true, 0))
    }
}
