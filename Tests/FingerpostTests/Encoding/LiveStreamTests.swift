import CallSupport
import FingerpostMocks
import FingerpostStreams
import FingerpostTransfers

@testable import Fingerpost

@Suite("Live: bodies from files and streams", .inTurn)
struct LiveStreamTests {
    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }
    private static let body = bytes(200_000)

    @Test("A stream with a length is sent with it", arguments: [0, 1, 16_385, 1_000_000])
    func length(_ size: Int) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let body = Self.bytes(size)
        let stream = BodyStream(contentType: "x/y", length: Int64(size)) { InputStream(data: body) }
        try await APIClient(baseURL: server.baseURL).send(Route.put("x").body(.stream(stream)))
        let request = server.requests.first
        #expect(
            (request?.body, request?["Content-Length"], request?["Transfer-Encoding"]) == (body, "\(size)", nil))
    }

    @Test("A stream with another length than it was created with is an error", arguments: [-1, 0, 199_999, 200_001])
    func otherLength(_ length: Int64) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let stream = BodyStream(length: length) { InputStream(data: Self.body) }
        let error = try await failure {
            try await APIClient(baseURL: server.baseURL).send(Route.put("x").body(.stream(stream)))
        }
        #expect(server.requests.allSatisfy { $0.body != Self.body })
        #if canImport(FoundationNetworking)
            let fix = "pass the number of bytes of the stream as length, or leave it out"
            let isNamed = error.message.contains("\(length) bytes")
            #expect((error.kind, isNamed, error.fix) == (.encoding, true, fix), "\(error)")
        #endif
    }

    @Test("A redirect that keeps the body sends it again", arguments: [303, 307])
    func redirect(_ status: Int) async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(request.path == "/start" ? status : 200, headers: ["Location": "/target"])
        }
        let opened = Locked(0)
        let stream = BodyStream(contentType: "x/y") {
            opened.withLock { $0 += 1 }
            return InputStream(data: Self.body)
        }
        try await APIClient(baseURL: server.baseURL).send(Route.put("start").body(.stream(stream)))
        let keeps = status == 307
        let lines = server.requests.map { request in
            let body = request.body == Self.body ? "the body" : request.text
            return "\(request.method) \(request.target) \(request["Content-Type"] ?? "no type") \(body)"
        }
        let target = keeps ? "PUT /target x/y the body" : "GET /target no type "
        // One stream for the request, and one for each time it is sent.
        #expect((lines, opened.withLock { $0 }) == (["PUT /start x/y the body", target], keeps ? 3 : 2))
    }

    @Test("Middleware that sends twice sends the body twice, even after reading it") func sentTwice() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let folder = try TemporaryFolder()
        try folder.write(Self.body, to: "x.bin")
        let read = Locked(0)
        let middleware = RepeatingMiddleware(first: { request in
            let stream = try #require(request.httpBodyStream)
            stream.open()
            defer { stream.close() }
            var buffer = [UInt8](repeating: 0, count: 10_000)
            while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
                read.withLock { $0 += count }
            }
        })
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [middleware] }
        try await client.send(Route.post("x").body(.file(folder["x.bin"])))
        #expect((read.withLock { $0 }, server.requests.map(\.body)) == (Self.body.count, [Self.body, Self.body]))
    }

    @Test("A file that vanishes after the request was built fails the call") func vanishing() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let folder = try TemporaryFolder(["x.txt": "x"])
        let file = folder["x.txt"]
        let middleware = RepeatingMiddleware(first: { _ in try FileManager.default.removeItem(at: file) })
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [middleware] }
        let error = try await failure { try await client.send(Route.post("x").body(.file(file))) }
        let seen = (error.kind, error.message.contains("x.txt"), server.requestCount)
        #expect(seen == (.encoding, true, 0), "\(error)")
    }

    @Test("A stream that cannot be opened fails the call, and nothing is sent") func unopened() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await failure(.encoding) {
            try await APIClient(baseURL: server.baseURL).send(Route.post("x").body(.stream(BodyStream { nil })))
        }
        #expect(server.connectionCount == 0)
    }

    @Test("A request with a used-up stream is not sent again without its body") func foreignStream() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(request.path == "/a" ? 307 : 200, headers: ["Location": "/b"])
        }
        var request = URLRequest(url: server.baseURL.appendingPathComponent("a"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Self.body)
        let client = APIClient(baseURL: server.baseURL)
        let sent = request
        let error = try await failure(.encoding) { _ = try await client.response(for: sent) }
        #expect((error.message.contains("used up"), server.requests.map(\.body)) == (true, [Self.body]))
    }

    // MARK: Used-up streams

    /// When a stream that can be read only once is needed.
    enum Need: String, CaseIterable, Sendable {
        case firstTime, afterRedirect, afterRefresh, afterFailure
    }

    @Test("A stream that was opened before is an error, and not sent as an empty or cut body", arguments: Need.allCases)
    func usedUp(_ need: Need) async throws {
        let server = try LoopbackServer { request, connection in
            switch need {
            case .firstTime: connection.respond(200)
            case .afterRedirect:
                connection.respond(request.path == "/a" ? 307 : 200, headers: ["Location": "/b"])
            case .afterRefresh: connection.respond(request["Authorization"] == "Bearer old" ? 401 : 200)
            case .afterFailure:
                connection.respond(request.connection == 1 ? 503 : 200, headers: ["Connection": "close"])
            }
        }
        // Safe to share: URLSession has opened it before the client looks at it again.
        nonisolated(unsafe) let stream = InputStream(data: Self.body)
        if need == .firstTime {
            stream.open()
            var buffer = [UInt8](repeating: 0, count: 1000)
            try #require(stream.read(&buffer, maxLength: 1000) == 1000)
        }
        let client = APIClient(baseURL: server.baseURL) {
            $0.retry = RetryPolicy(backoff: .exponential(base: .zero, maximum: .zero))
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        let error = try await failure { try await client.send(Route.put("a").body(.stream(BodyStream { stream }))) }
        let isNamed =
            error.message.contains("the body's stream has been opened before")
            && error.fix?.contains("new stream") == true
        let statuses: [Need: [Int?]] = [.afterRedirect: [307], .afterRefresh: [401], .afterFailure: [503]]
        let seen = (error.kind, isNamed, error.history.map(\.status), server.requests.map(\.body))
        #expect(seen == (.encoding, true, statuses[need] ?? [], need == .firstTime ? [] : [Self.body]), "\(error)")
    }

    @Test("A stream in a request that other code made is not sent if it was opened before", arguments: [false, true])
    func openedByOthers(_ isPrebuilt: Bool) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let opened = { @Sendable (request: inout URLRequest) in
            request.httpMethod = "PUT"
            let stream = InputStream(data: Self.body)
            stream.open()
            request.httpBodyStream = stream
        }
        let client = APIClient(baseURL: server.baseURL)
        let url = server.baseURL
        let error = try await failure(.encoding) {
            if isPrebuilt {
                var request = URLRequest(url: url)
                opened(&request)
                _ = try await client.response(for: request)
            } else {
                try await client.send(Route.put("x").configure(opened))
            }
        }
        #expect((error.message.contains("opened before"), server.requestCount) == (true, 0), "\(error)")
    }

    // MARK: Connections

    /// How the server closes a connection that the client keeps open.
    enum Ending: String, CaseIterable, Sendable {
        /// Right after a response, without `Connection: close`: the next request can race with the close.
        case afterAnswer
        /// When the next request has arrived whole.
        case atNextRequest
        /// With a reset, when the next request has arrived whole.
        case resetAtNextRequest
    }

    @Test(
        "A stream on a closing connection arrives complete or fails, and is never truncated", .heavy,
        arguments: Ending.allCases, [0, 1, 200_000])
    func closing(_ ending: Ending, _ size: Int) async throws {
        let body = Self.bytes(size)
        let folder = try TemporaryFolder()
        try folder.write(body, to: "x.bin")
        let server = try LoopbackServer { request, connection in
            switch ending {
            case .afterAnswer:
                connection.respond(200)
                connection.close()
            case .atNextRequest where request.path == "/bad": connection.close()
            case .resetAtNextRequest where request.path == "/bad": connection.reset()
            default: connection.respond(200)
            }
        }
        let client = APIClient(baseURL: server.baseURL)
        let bodies: [RequestBody] = [.stream(BodyStream { InputStream(data: body) }), .file(folder["x.bin"])]
        for number in 1...20 {
            for path in ["good", "bad"] {
                do {
                    try await client.send(
                        Route.post(RoutePath(raw: path)).body(bodies[number % 2]).timeout(.seconds(30)))
                    #expect(path == "good" || ending == .afterAnswer)
                } catch {
                    #expect(error.kind == .transport, "\(error)")
                    #expect(path == "bad" || ending == .afterAnswer, "\(error)")
                }
            }
        }
        #expect(server.requests.allSatisfy { $0.body == body } && server.requestCount > 0)
    }

    @Test func `A stream that middleware puts in place of the body is sent, and not sent again`() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(request.path == "/again" ? 503 : 200)
        }
        let client = APIClient(baseURL: server.baseURL) {
            $0.middleware = [ChangingMiddleware { $0.httpBodyStream = InputStream(data: Data("encrypted".utf8)) }]
            $0.retry = .standard
        }
        let body = RequestBody.stream(BodyStream { InputStream(data: Data("plain".utf8)) })
        try await client.send(Route.put("x").body(body))
        await #expect(throws: APIError.self) { try await client.send(Route.put("again").body(body)) }
        #expect(server.requests.allSatisfy { $0.body == Data("encrypted".utf8) } && server.requestCount == 2)
    }

    /// Returns some bytes and then fails.
    private final class BreakingStream: InputStream {
        // Safe to share: URLSession reads a stream on one queue.
        nonisolated(unsafe) private var rest = 3
        nonisolated(unsafe) private var status = Stream.Status.notOpen

        init() { super.init(data: Data()) }
        override func open() { status = .open }
        override func close() { status = .closed }
        override var streamStatus: Stream.Status { status }
        override var streamError: (any Error)? { status == .error ? POSIXError(.EIO) : nil }
        override var hasBytesAvailable: Bool { true }
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            guard rest > 0 else {
                status = .error
                return -1
            }
            rest -= 1
            buffer.update(repeating: 0x61, count: min(length, 100))
            return min(length, 100)
        }
    }

    #if canImport(FoundationNetworking)
        @Test("A failing stream fails the call, and the server receives no complete request", arguments: [true, false])
        func breaking(isMissing: Bool) async throws {
            let server = try LoopbackServer { _, connection in connection.respond(200) }
            let missing = try TemporaryFolder()["missing"]
            let stream = BodyStream { isMissing ? InputStream(url: missing) : BreakingStream() }
            let route = Route.post("x").body(.stream(stream)).timeout(.seconds(30))
            try await failure(.transport) { try await APIClient(baseURL: server.baseURL).send(route) }
            #expect(server.requestCount == 0)
        }
    #endif
}
