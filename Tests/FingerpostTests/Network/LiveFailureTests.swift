import CallSupport
import FingerpostMocks
import FingerpostStreams

// Not tested: a connection that ends within the head of a response. Foundation of Swift 6.3 on Linux then crashes
// ("Transfer completed, but there's no response"), and there is no workaround. The same applies to trailers after the
// last chunk.
@Suite("Live: broken connections", .inTurn)
struct LiveFailureTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"

    /// What the server sends before it closes the connection, or resets it.
    private static let faults: [(name: String, bytes: String, isReset: Bool)] = [
        ("closed at once", "", false), ("reset at once", "", true),
        ("closed within the body", head + "Content-Length: 100\r\n\r\nhalf a body", false),
        ("reset within the body", head + "Content-Length: 100\r\n\r\nhalf a body", true),
        ("closed within a chunk", head + "Transfer-Encoding: chunked\r\n\r\n20\r\nhalf a chunk", false),
        ("closed between chunks", head + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", false),
        ("broken chunk", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n0\r\n\r\n", false),
        ("broken gzip", head + "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip", false),
        ("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", false), ("no text", "\0\u{1}\u{2}\u{3}ÿþ\r\n\r\n", false),
        ("unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("impossible status", "HTTP/1.1 1000 Many\r\nContent-Length: 0\r\n\r\n", false),
    ]

    @Test(arguments: faults)
    func `A broken connection is a transport error, and the client's next call works`(
        name: String, bytes: String, isReset: Bool
    ) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.path != "/good" else {
                _ = connection.respond(200, body: "good")
                return
            }
            connection.write(bytes.unicodeScalars.map { UInt8($0.value) })
            if isReset { connection.reset() }
            connection.close()
        }
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...3 {
            let error = try await failure(.transport) { try await client.send(Route.get("bad")) }
            #expect(!error.message.isEmpty && error.underlying != nil)
            let good = try await String(decoding: client.data(for: Route.get("good")), as: UTF8.self)
            #expect((error.request, error.attempts, good) == ("GET \(server.baseURL)/bad", 1, "good"))
        }
    }

    /// Lengths, and whether a body of four bytes has this one.
    private static let lengths = [
        "4": true, "04": true, "4, 4": true, "5": false, "+4": false, "4x": false, "4, 5": false, "0x4": false,
        "99999999999999999999": false,
    ]

    @Test func `A length is digits, and the body is as long`() async throws {
        for (length, isRight) in Self.lengths {
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\nbody")
                connection.close()
            }
            var body: Data?
            let client = APIClient(baseURL: server.baseURL)
            let error = await errorIfAny { body = try await client.data(for: Route.get("x")) }
            let expected: (Data?, APIError.Kind?) = isRight ? (Data("body".utf8), nil) : (nil, .transport)
            #expect((body, error?.kind) == expected, "\(length)")
        }
    }

    @Test func `A 401 that breaks off is refreshed, or is an error with its headers and body`() async throws {
        let server = try LoopbackServer { request, connection in
            guard request["Authorization"] != "Bearer new" else {
                _ = connection.respond(200, body: "good")
                return
            }
            connection.write("HTTP/1.1 401 No\r\nX-Id: 7\r\nContent-Length: 100\r\n\r\nhalf")
            connection.close()
        }
        var bodies: [Data] = []
        for streams in [false, true] {
            let client = APIClient(baseURL: server.baseURL) {
                $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
            }
            bodies.append(
                streams
                    ? try await client.stream(Route.get("x")).all().reduce(Data()) { $0 + $1 }
                    : try await client.data(for: Route.get("x")))
        }
        let plain = APIClient(baseURL: server.baseURL)
        let error = try await failure(.transport) { try await plain.data(for: Route.get("x")) }
        let broken = (error.status, error.headers["X-Id"], error.body, error.underlying is URLError)
        #expect(broken == (401, "7", Data("half".utf8), true))
        #expect(bodies == [Data("good".utf8), Data("good".utf8)])
    }

    #if os(Linux)
        /// Whole answers, and what is said of them; nil if Foundation reads them.
        private static let answers: [(String, String?)] = {
            let (ok, empty) = ("HTTP/1.1 200 OK\r\n", "\r\nContent-Length: 0\r\n\r\n")
            let head = "the head of the response cannot be read: "
            let other = "is not an HTTP response that can be read"
            return [
                (ok + "X-Foo:bar" + empty, "one of its header lines is invalid"),
                (ok + "X-Foo: caf\u{E9}" + empty, nil),
                (ok + "X-Long: \(String(repeating: "x", count: 150_000))\r\n\r\n", "one of its lines is too long"),
                ("SSH-2.0-OpenSSH_9.2\r\n", "\(other): Received HTTP/0.9"),
                ("<html>hello</html>", "\(other): Received HTTP/0.9"),
                ("HTTP/7.3 200 OK" + empty, "\(other): Unsupported"),
                (ok + "No colon\r\n\r\n", head + "Header without colon"), (ok + "X: a\0b\r\n\r\n", head + "Nul byte"),
                (ok + "Content-Length: -1\r\n\r\n", head + "Invalid Content-Length"),
                ("HTTP/1.1 1000 Many" + empty, other),
            ]
        }()

        @Test(arguments: answers)
        func `A head that Foundation cannot read is reported as such`(_ answer: String, _ expected: String?)
            async throws
        {
            let server = try LoopbackServer { _, connection in
                connection.write(answer)
                connection.close()
            }
            let client = APIClient(baseURL: server.baseURL)
            guard let expected else { return try await client.send(Route.get("x")) }
            let error = try await failure(.transport) { try await client.send(Route.get("x")) }
            #expect(error.fix != nil && error.message.contains(expected), "\(error.message)")
        }
    #endif

    @Test("A refused connection is reported as refused, with a fix") func refused() async throws {
        let port = try ClosedPort()
        let client = APIClient(baseURL: port.baseURL)
        let error = try await failure(.transport) { try await client.send(Route.post("x").json([1])) }
        #expect(error.message.contains("refused") && error.fix?.contains("port") == true && error.status == nil)
        withExtendedLifetime(port) {}
    }

    @Test(
        "A request with a body on a closing connection fails at once, and is not sent without its body",
        arguments: [.post, .put, .patch, .delete] as [HTTPMethod])
    func closedByTheNextRequest(_ method: HTTPMethod) async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/bad" { connection.close() } else { connection.respond(200, body: request.body) }
        }
        let client = APIClient(baseURL: server.baseURL)
        var echoes: [Int] = []
        for number in 1...3 {
            echoes.append(try await client.send(Route(method: method, path: "good").json(number), as: Int.self))
            try await failure(.transport) { try await client.send(Route(method: method, path: "bad").json(number)) }
        }
        #expect((echoes, server.requests.map(\.text)) == ([1, 2, 3], ["1", "1", "2", "2", "3", "3"]))
    }
}
