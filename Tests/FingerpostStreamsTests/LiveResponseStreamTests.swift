import CallSupport
import FingerpostStreams

/// Streams of a server on this machine.
@Suite(.inTurn, .concurrent) struct LiveResponseStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Begins a body of chunks.
    private static func begin(_ text: String, on connection: Connection) {
        connection.write(head)
        chunk(text, on: connection)
    }

    /// Sends a chunk (RFC 9112 section 7.1); an empty one is the last.
    @discardableResult
    private static func chunk(_ text: String, on connection: Connection) -> Bool {
        connection.write(String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n")
    }

    private func client(
        _ server: LoopbackServer, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient { APIClient(baseURL: server.baseURL, configure) }

    @Test func `An event is read before the next one is sent`() async throws {
        let isRead = Locked(0)
        let server = try LoopbackServer { _, connection in
            connection.write(Self.head)
            for number in 1...3 {
                Self.chunk("id: \(number)\ndata: event \(number)\n\n", on: connection)
                while isRead.withLock({ $0 }) < number {
                    if connection.waitUntilPeerCloses(atMost: .milliseconds(1)) { return }
                }
            }
            Self.chunk("", on: connection)
        }
        let stream = try await client(server).stream(Route.get("events"))
        var events: [ServerSentEvent] = []
        for try await event in stream.events {
            events.append(event)
            isRead.withLock { [count = events.count] in $0 = count }
        }
        #expect(
            (stream.status, stream.source, stream.history.map(\.status), events)
                == (200, .network, [200], (1...3).map { ServerSentEvent("event \($0)", id: "\($0)") }))
    }

    @Test func `A stream is retried, redirected, authorized and refused up to its head`() async throws {
        let statuses = Locked([503, 200])
        let server = try LoopbackServer { request, connection in
            switch (request.path, request["Authorization"]) {
            case ("/old", "Bearer new"): connection.respond(307, headers: ["Location": "/new"])
            case ("/gone", _): connection.respond(404, body: #"{"message": "gone"}"#)
            case ("/new", "Bearer new"): connection.respond(statuses.withLock { $0.removeFirst() }, body: "line")
            default: connection.respond(401)
            }
        }
        let client = client(server) {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
            $0.retry = .atOnce()
        }
        let stream = try await client.stream(Route.get("old"))
        let found = try await (stream.history.map(\.status), stream.lines.all())
        #expect(found == ([401, 307, 503, 307, 200], ["line"]))
        let error = try await failure { try await client.stream(Route.get("gone")) }
        #expect((error.kind, error.serverMessage, error.attempts) == (.status(404), "gone", 1))
    }

    enum Leaving: CaseIterable, Sendable { case loop, stream, cancellation, iterator }

    @Test(arguments: Leaving.allCases)
    func `The server sees at once that nobody reads any more`(_ leaving: Leaving) async throws {
        let isClosed = Locked(false)
        let server = try LoopbackServer { _, connection in
            Self.begin("data: a\n\n", on: connection)
            if connection.waitUntilPeerCloses() { isClosed.withLock { $0 = true } }
        }
        let client = client(server)
        switch leaving {
        case .loop:
            let stream = try await client.stream(Route.get("x"))
            for try await _ in stream.events { break }
            await poll { isClosed.withLock { $0 } }
            let error = try await failure { try await stream.events.all() }
            #expect(
                error.line == "invalid route: the stream was read before, by another loop or a copy of its iterator")
        case .stream: _ = try await client.stream(Route.get("x"))
        case .iterator:
            var events = try await client.stream(Route.get("x")).events.makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
        case .cancellation:
            let task = Task {
                for try await _ in try await client.stream(Route.get("x")).events {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            #expect(try await failure { try await task.value }.kind == .cancelled)
        }
        await poll { isClosed.withLock { $0 } }
    }

    @Test func `A lost connection is an error after what has come`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/refused" {
                connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nhalf")
            } else {
                Self.begin("data: a\n\n", on: connection)
            }
            if request.path == "/reset" { connection.reset() } else { connection.close() }
        }
        for path in ["reset", "closed", "refused"] as [RoutePath] {
            var events: [String] = []
            let error = try await failure {
                for try await event in try await client(server).stream(Route.get(path)).events {
                    events.append(event.data)
                }
            }
            #expect((error.kind, error.route, error.attempts) == (.transport, "GET \(path)", 1))
            #expect(path != "closed" || events == ["a"])
            #expect(path != "refused" || error.status == 404 && error.body == Data("half".utf8))
        }
    }

    @Test func `The timeout covers the head alone, and the idle timeout what follows`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/late" { return }
            connection.write(Self.head)
            for _ in 1...8 {
                Self.chunk("data: a\n\n", on: connection)
                if connection.waitUntilPeerCloses(atMost: .milliseconds(100)) { return }
            }
            if request.path == "/silent" { _ = connection.waitUntilPeerCloses() }
            Self.chunk("", on: connection)
        }
        let late = try await failure { try await client(server).stream(Route.get("late").timeout(.seconds(0.2))) }
        let events = try await client(server).stream(Route.get("x").timeout(.seconds(15))).events.all()
        let silent = try await failure {
            _ = try await client(server).stream(Route.get("silent").idleTimeout(.seconds(3))).events.all()
        }
        // A busy machine can be silent earlier, after fewer bytes.
        let reason = silent.line.components(separatedBy: ", after ")[0]
        #expect(
            (late.kind, events.count, reason) == (.timedOut, 8, "timed out: nothing came for 3.0 seconds in the body"))
    }

    @Test func `What is too large is an error`() async throws {
        let server = try LoopbackServer { request, connection in
            let line = request.path == "/event" ? "data: aaaaaaa\n" : "aaaaaaaaaa"
            Self.begin(String(repeating: line, count: 200), on: connection)
            connection.waitUntilPeerCloses()
        }
        let client = client(server) { $0.streamLimits.elementSize = 1000 }
        for (path, element) in [("event", "an event"), ("line", "a line")] {
            let error = try await failure { _ = try await client.stream(Route.get("\(path)")).events.all() }
            #expect(error.line == "transport: \(element) of the stream is larger than 1000 bytes")
        }
    }

    @Test func `A reader that is too slow gets an error, and the memory stays bounded`() async throws {
        let isFull = Locked(false)
        let server = try LoopbackServer { _, connection in
            connection.write(Self.head)
            while Self.chunk(String(repeating: "a", count: 10_000), on: connection) {}
            isFull.withLock { $0 = true }
        }
        let client = client(server) { $0.streamLimits.bufferSize = 100_000 }
        let stream = try await client.stream(Route.get("x"))
        #if canImport(FoundationNetworking)
            await poll { isFull.withLock { $0 } }
            let error = try await failure { _ = try await stream.all() }
            #expect(error.message == "the stream is read too slowly: more than 100000 bytes wait to be read")
        #else
            var size = 0
            for try await piece in stream {
                size += piece.count
                if size > 1_000_000 { break }
            }
        #endif
    }

    @Test func `A lost connection in a compressed body is an error after what has come`() async throws {
        // The header of gzip, and a block that is not the last. Deflate may store a block as it is (RFC 1951, 3.2.4).
        let text = Data((1...10_000).map { "\($0)\n" }.joined().utf8)
        let sizes = [UInt16(text.count), ~UInt16(text.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let half = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0] + sizes) + text
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write("\(String(half.count, radix: 16))\r\n")
            connection.write(half)
            connection.close()
        }
        var lines: [String] = []
        let error = try await failure {
            for try await line in try await client(server).stream(Route.get("x")).lines { lines.append(line) }
        }
        #expect(error.kind == .transport && lines.first == "1" && (1000...10_000).contains(lines.count))
    }

    @Test func `One JSON array is not a value per line`() async throws {
        for body in ["[\n  {\"id\": 1}\n]", "[{\"id\": 1},\n {\"id\": 2}]"] {
            let server = try LoopbackServer { _, connection in connection.respond(200, body: body) }
            let error = try await failure {
                _ = try await client(server).stream(Route.get("x")).json(as: Item.self).all()
            }
            let reason =
                "line 1 of the stream does not decode as Item: the stream is one JSON array, not a value per line"
            let fix = "read it whole with send(_:as: [Item].self), or ask the server for lines or events"
            #expect((error.message, error.fix) == (reason, fix), "\(body)")
        }
    }

    @Test func `A stream keeps its place among the calls to a host`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/x" {
                connection.respond(200, body: "1")
            } else {
                Self.begin("data: a\n\n", on: connection)
                connection.waitUntilPeerCloses()
            }
        }
        let client = client(server) { $0.maximumCallsPerHost = 1 }
        do {
            let stream = try await client.stream(Route.get("stream"))
            let error = try await failure { try await client.data(for: Route.get("x").timeout(.seconds(0.2))) }
            #expect(error.kind == .timedOut)
            for try await _ in stream { break }
        }
        #expect(try await client.data(for: Route.get("x")) == Data("1".utf8))
    }

    @Test func `Middleware sees the head, may send again, and may answer`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "line") }
        let seen = Locked<[Int]>([])
        let twice = ClosureMiddleware { request, route, next in
            if route.headers["X-Own"] != nil { return Response(status: 200, data: Data("own".utf8), request: request) }
            _ = try await next(request)
            let response = try await next(request)
            seen.withLock { $0.append(response.data.count) }
            return response
        }
        let client = client(server) {
            $0.middleware = [twice]
            // The first stream must not keep the only place.
            $0.maximumCallsPerHost = 1
        }
        let lines = try await client.stream(Route.get("x")).lines.all()
        let own = try await client.stream(Route.get("x").header("X-Own", "1")).lines.all()
        #expect((lines, seen.withLock { $0 }, own) == (["line"], [0], ["own"]))
    }

    @Test func `Neither a stream nor its parts show a credential`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(
                200, headers: ["Set-Cookie": "sid=S3cretSession", "X-Echo": "S3cretToken"],
                body: "{\"id\": \"S3cretSession\"}\n")
        }
        let client = client(server) {
            $0.authorization = .bearer("S3cretToken")
            $0.headers["X-Api-Key"] = "S3cretKey"
        }
        let stream = try await client.stream(Route.get("x"))
        var text = "\(stream)"
        dump(stream, to: &text)
        dump(stream.lines.makeAsyncIterator(), to: &text)
        dump(client.events(Route.get("x")), to: &text)
        dump(client.events(Route.get("x")).makeAsyncIterator(), to: &text)
        let error = try await failure { _ = try await client.stream(Route.get("x")).json(as: Item.self).all() }
        text += "\(error)"
        dump(error, to: &text)
        #expect(!text.contains("S3cret"), "\(text)")
    }

    @Test func `A transport that only returns whole responses delivers one piece`() async throws {
        let client = StubTransport(200, [:], "a\r\n\nb").client()
        let pieces = try await client.stream(Route.get("x")).all()
        let found = try await (pieces, client.stream(Route.get("x")).lines.all())
        #expect(found == ([Data("a\r\n\nb".utf8)], ["a", "", "b"]))
    }
}

private struct Item: Decodable, Sendable { let id: Int }
