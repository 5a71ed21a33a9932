import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// What may go wrong around a signature: what is cancelled, repeated, changed, replaced or echoed.
@Suite(.inTurn, .concurrent) struct SignedAttemptsTests {
    private let signer = NumberedSigner()

    // MARK: What is signed

    /// What `URLSession` adds, which the documentation of ``RequestSigner`` names.
    private static let later: Set<String> = [
        "host", "content-length", "accept-encoding", "cookie", "transfer-encoding", "connection", "x-plain",
        "user-agent", "accept-language",
    ]

    private static let shapes: [Route] = [
        .get("x"), .get("a b/\u{E9}").query(["q": "a b+c&d", "e": ""]), .get("x/"), .delete("x"), .head("x"),
        Route.post("x").body(.data(Data("body".utf8))), Route.post("x"), Route.put("x"),
        Route.post("x").body(.stream(BodyStream { InputStream(data: Data("stream".utf8)) })),
        Route(method: "PURGE", path: "x"),
    ]

    @Test(arguments: shapes.indices) func `A signer sees what the server gets`(_ index: Int) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let client = APIClient(baseURL: server.baseURL) { $0.authorization = .combined(.bearer("t"), .signing(signer)) }
        _ = try await client.response(for: Self.shapes[index], as: Data.self)
        let signed = try #require(signer.seen.withLock { $0.first })
        let received = try #require(server.requests.first)
        let url = try #require(signed.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) })
        let target = url.percentEncodedPath + (url.percentEncodedQuery.map { "?" + $0 } ?? "")
        let headers = (signed.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) }
        let found = try (signed.httpMethod, target, signed.bytes(), Self.early(headers))
        #expect(
            found == (
                received.method, received.target, received.body,
                Self.early(received.headers.map { ($0.name, $0.value) })
            ))
    }

    private static func early(_ headers: [(name: String, value: String)]) -> [String] {
        headers.filter { !later.contains($0.name.lowercased()) }.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
    }

    // MARK: Cancellation

    @Test(arguments: [false, true])
    func `After a cancellation or the deadline, a request that was signed all the same is not sent`(_ isLate: Bool)
        async throws
    {
        let (transport, gate, isDone) = (StubTransport(200), FirstResult<Void>(), Locked(false))
        let isSigning = Locked(false)
        let client = transport.client {
            $0.timeout = isLate ? .milliseconds(20) : .seconds(60)
            $0.authorization = .signing { _ in
                isSigning.withLock { $0 = true }
                // Does not heed cancellation.
                try await Task.detached { try await gate.value() }.value
                isDone.withLock { $0 = true }
                return ["X-Plain": "s"]
            }
        }
        let task = Task { try await client.send(Route.get("x")) }
        await poll { isSigning.withLock { $0 } }
        if !isLate { task.cancel() }
        if isLate { try await failure(.timedOut) { try await task.value } }
        gate.end(.success(()))
        try await failure(isLate ? .timedOut : .cancelled) { try await task.value }
        await poll { isDone.withLock { $0 } }
        await settle()
        #expect(transport.requests.isEmpty)
    }

    @Test func `A call that is cancelled during signAgain is not sent once more`() async throws {
        let (transport, isHearing) = (StubTransport(401), Locked(false))
        let signer = NumberedSigner { _ in
            isHearing.withLock { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            return true
        }
        let client = transport.client { $0.authorization = .signing(signer) }
        let task = Task { try await client.send(Route.get("x")) }
        await poll { isHearing.withLock { $0 } }
        task.cancel()
        try await failure(.cancelled) { try await task.value }
        #expect(transport.requests.count == 1)
    }

    // MARK: Order

    /// How the signer treats the token of the client that it is combined with.
    @Test(arguments: [false, true]) func `A token that the signature contains is refreshed`(_ isFirst: Bool)
        async throws
    {
        let (refreshes, store) = (Locked(0), InMemoryCredentialStore("old"))
        let transport = StubTransport { request, _ in
            (request.values("Authorization").contains("new1") ? 200 : 401, [:], "")
        }
        let token = Authorization.refreshing(store) { _ in "new\(refreshes.next())" }
        let signer = Authorization.signing { ["authorization": "Signed \($0.values("Authorization"))"] }
        try await transport.client { $0.authorization = isFirst ? .combined(signer, token) : .combined(token, signer) }
            .send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Signed Bearer old", "Signed Bearer new1"])
    }

    @Test func `Middleware that sends twice, or changes the request, has new signatures and sees none`() async throws {
        let (transport, seen) = (StubTransport(200), Locked<[String]>([]))
        let note = { @Sendable (response: Response<Data>) in
            seen.withLock { $0.append(response.request.values("X-Plain")) }
        }
        let client = transport.client {
            $0.authorization = .signing(signer)
            $0.middleware = [
                RepeatingMiddleware(between: note),
                ChangingMiddleware { $0.setValue("stale", forHTTPHeaderField: "x-plain") },
            ]
        }
        try await client.send(Route.post("x").body(.data(Data("body".utf8))))
        let away = transport.client {
            $0.authorization = .signing(signer)
            $0.middleware = [ChangingMiddleware { $0.url = URL(string: "https://other.example/x") }]
        }
        try await away.send(Route.get("x"))
        let signatures = ["signature-1-4711", "signature-2-4711", nil]
        #expect((transport.sent("X-Plain"), seen.withLock { $0 }) == (signatures, ["-"]))
    }

    /// The status, and what the second request is for the signer and the server.
    private static let redirects = [
        (301, "GET  -"), (302, "GET  -"), (303, "GET  -"), (307, "POST body -"), (308, "POST body -"),
    ]

    @Test(arguments: redirects) func `A redirect is signed as what it is`(_ status: Int, _ expected: String)
        async throws
    {
        for location in ["/y", "https://other.example/y"] {
            let signer = NumberedSigner()
            let transport = StubTransport { _, index in
                index == 0 ? (status, [.location: location], "") : (200, [:], "")
            }
            let body = BodyStream { InputStream(data: Data("body".utf8)) }
            try await transport.client { $0.authorization = .signing(signer) }
                .send(Route.post("x").header("X-Plain", "own").body(.stream(body)))
            let seen = try signer.seen.withLock { $0 }.map { request in
                let header = request.values("X-Plain") == "own" ? "-" : "?"
                return "\(request.httpMethod ?? "") \(String(decoding: try request.bytes(), as: UTF8.self)) \(header)"
            }
            let (signed, last) = location == "/y" ? ([expected], "signature-2-4711") : ([], nil)
            #expect((seen, transport.sent("X-Plain")) == (["POST body -"] + signed, ["signature-1-4711", last]))
        }
    }

    @Test func `A download that resumes is signed with its range`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { request, connection in
            if request["Range"] == nil {
                connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\nVary: X-Plain\r\n\r\n01234")
                connection.close()
            } else if request["X-Plain"]?.contains("-2-") == true {
                _ = connection.respond(401, headers: ["X-Challenge": "1"])
            } else {
                _ = connection.respond(
                    206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 5-9/10", "Vary": "X-Plain"], body: "56789")
            }
        }
        try await APIClient(baseURL: server.baseURL) {
            $0.retry = .atOnce(9)
            $0.authorization = .signing(signer)
        }.download(Route.get("x"), to: folder.url.appendingPathComponent("f"), resuming: true)
        let ranges = (
            server.requests.map { $0["Range"] ?? "-" }, signer.seen.withLock { $0 }.map { $0.values("Range") }
        )
        #expect(ranges == (["-", "bytes=5-", "bytes=5-"], ["-", "bytes=5-", "bytes=5-"]))
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("f")) == Data("0123456789".utf8))
    }

    @Test func `Calls in a queue of one that are all challenged have signatures of their own`()
        async throws
    {
        let (transport, signer) = (StubTransport(403), NumberedSigner { _ in true })
        let client = transport.client {
            $0.maximumCallsPerHost = 1
            $0.authorization = .signing(signer)
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let task = Task { try await client.send(Route.get("x")) }
                    if index % 5 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        let signatures = transport.sent("X-Plain")
        #expect(Set(signatures).count == signatures.count && signatures.count >= 80)
        try await failure(.status(403)) { try await client.send(Route.get("last")) }
        #expect(transport.requests.suffix(2).map(\.url?.path) == ["/last", "/last"])
    }

    @Test func `The challenge of another server is not answered`() async throws {
        let heard = Locked<[Int]>([])
        let numbered = NumberedSigner { response in
            heard.withLock { $0.append(response.status) }
            return true
        }
        let transport = StubTransport { request, _ in
            request.url?.host == "api.example.com"
                ? (307, [.location: "https://other.example/y"], "") : (401, ["X-Challenge": "1"], "")
        }
        let client = transport.client { $0.authorization = .combined(.bearer("t"), .signing(numbered)) }
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        let sent = transport.requests.map { $0.values("X-Plain", "Authorization") }
        #expect((heard.withLock { $0 }, sent) == ([307], ["signature-1-4711 Bearer t", "- -"]))
    }

    // MARK: Values

    private static let refused: [HTTPHeaders] = [
        ["Host": "evil"], ["content-length": "0"], ["Transfer-Encoding": "chunked"], ["X-A": "a\nb"], ["X A": "b"],
        ["X-A": "\0"], ["": "x"], ["X-A": "a\r\nX-Evil: 1"],
    ]

    @Test func `A signature cannot change how a request is framed`() async throws {
        let transport = StubTransport(200)
        for headers in Self.refused {
            try await failure(.invalidRoute) {
                try await transport.client { $0.authorization = .signing { _ in headers } }.send(Route.get("x"))
            }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `Two spellings of a name are one header`() async throws {
        let transport = StubTransport(200)
        try await transport.client { $0.authorization = .signing { _ in ["X-A": "1", "x-a": "2", "X-E": ""] } }
            .send(Route.get("x").header("x-A", "own").header("x-e", "own"))
        let request = try #require(transport.requests.first)
        let names = request.allHTTPHeaderFields?.keys.map { $0.lowercased() }.filter { $0.hasPrefix("x-") }.sorted()
        #expect((names, request.values("X-A", "X-E")) == (["x-a", "x-e"], "1, 2 "))
    }
}
