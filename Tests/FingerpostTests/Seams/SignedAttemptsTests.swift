import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// What may go wrong around a signature: what is cancelled, repeated, changed, replaced or echoed.
@Suite(.inTurn, .concurrent) struct SignedAttemptsTests {
    private let signer = NumberedSigner()
    private let retry = RetryPolicy(maximumAttempts: 9, backoff: .exponential(base: .zero, maximum: .zero))

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
        let headers = (signed.allHTTPHeaderFields ?? [:]).map { "\($0.key.lowercased()): \($0.value)" }
        #expect(signed.httpMethod == received.method)
        #expect(url.percentEncodedPath + (url.percentEncodedQuery.map { "?" + $0 } ?? "") == received.target)
        #expect(try signed.bytes() == received.body)
        #expect(
            headers.filter { !Self.later.contains(String($0.prefix { $0 != ":" })) }.sorted()
                == received.headers.filter { !Self.later.contains($0.name.lowercased()) }
                .map { "\($0.name.lowercased()): \($0.value)" }.sorted())
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
        if isLate { await #expect(throws: APIError.self) { try await task.value } }
        gate.end(.success(()))
        let error = await #expect(throws: APIError.self) { try await task.value }
        await poll { isDone.withLock { $0 } }
        await settle()
        #expect(error?.kind == (isLate ? .timedOut : .cancelled) && transport.requests.isEmpty)
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
        let error = await #expect(throws: APIError.self) { try await task.value }
        #expect(error?.kind == .cancelled && transport.requests.count == 1)
    }

    @Test func `A signer whose own work is cancelled fails the call as one that throws`() async throws {
        let client = StubTransport(200).client { $0.authorization = .signing { _ in throw CancellationError() } }
        try await failure(.authorization) { try await client.send(Route.get("x")) }
    }

    // MARK: Order

    /// How the signer treats the token of the client that it is combined with.
    @Test(arguments: [false, true]) func `A token that the signature contains is refreshed`(_ isFirst: Bool)
        async throws
    {
        let (refreshes, store) = (Locked(0), InMemoryCredentialStore("old"))
        let transport = StubTransport { request, _ in
            (request.value(forHTTPHeaderField: "Authorization")?.contains("new1") == true ? 200 : 401, [:], "")
        }
        let token = Authorization.refreshing(store) { _ in "new\(refreshes.next())" }
        let signer = Authorization.signing {
            ["authorization": "Signed \($0.value(forHTTPHeaderField: "Authorization") ?? "-")"]
        }
        try await transport.client { $0.authorization = isFirst ? .combined(signer, token) : .combined(token, signer) }
            .send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Signed Bearer old", "Signed Bearer new1"])
    }

    @Test func `Tokens are refreshed once for all retries, each signed anew`() async throws {
        let refreshes = Locked(0)
        let transport = StubTransport { _, index in ([503, 401][index % 2], [:], "") }
        let client = transport.client {
            $0.retry = retry
            $0.authorization = .combined(
                .refreshing(InMemoryCredentialStore("old")) { _ in "new\(refreshes.next())" }, .signing(signer))
        }
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        #expect(transport.sent("Authorization") == ["old", "old", "new1", "new1"].map { "Bearer \($0)" })
        #expect(Set(transport.sent("X-Plain")).count == transport.requests.count && refreshes.withLock { $0 } == 1)
    }

    @Test func `A call whose user signs out while it is refused is not signed once more`() async throws {
        let store = InMemoryCredentialStore("old")
        let transport = StubTransport { _, _ in
            store.clear()
            return (401, [:], "")
        }
        let client = transport.client {
            $0.authorization = .combined(.refreshing(store) { _ in "new" }, .signing(signer))
        }
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        #expect(transport.requests.count == 1)
    }

    @Test func `Middleware that sends twice, or changes the request, has new signatures`() async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.authorization = .signing(signer)
            $0.middleware = [
                RepeatingMiddleware(), ChangingMiddleware { $0.setValue("stale", forHTTPHeaderField: "x-plain") },
            ]
        }
        try await client.send(Route.post("x").body(.data(Data("body".utf8))))
        #expect(transport.sent("X-Plain") == ["signature-1-4711", "signature-2-4711"])
        let away = transport.client {
            $0.authorization = .signing(signer)
            $0.middleware = [ChangingMiddleware { $0.url = URL(string: "https://other.example/x") }]
        }
        try await away.send(Route.get("x"))
        #expect(transport.sent("X-Plain").last == .some(nil))
    }

    /// The status, and what the second request is.
    private static let redirects: [(Int, String)] = [
        (301, "GET  -"), (302, "GET  -"), (303, "GET  -"), (307, "POST body -"), (308, "POST body -"),
    ]

    @Test(arguments: redirects.indices) func `A redirect is signed as what it is`(_ row: Int) async throws {
        let (status, expected) = Self.redirects[row]
        for away in [false, true] {
            let signer = NumberedSigner()
            let transport = StubTransport { _, index in
                let location = away ? "https://other.example/y" : "/y"
                return index == 0 ? (status, [.location: location], "") : (200, [:], "")
            }
            try await transport.client { $0.authorization = .signing(signer) }
                .send(
                    Route.post("x").header("X-Plain", "own").body(
                        .stream(BodyStream { InputStream(data: Data("body".utf8)) })))
            let last = try #require(transport.requests.last)
            let seen = signer.seen.withLock { $0 }
            #expect(seen.count == (away ? 1 : 2) && transport.requests.count == 2)
            #expect(last.value(forHTTPHeaderField: "X-Plain") == (away ? nil : "signature-2-4711"))
            if !away, let seen = seen.last {
                let body = String(decoding: try seen.bytes(), as: UTF8.self)
                #expect(
                    "\(seen.httpMethod ?? "") \(body) \(seen.value(forHTTPHeaderField: "X-Plain") == "own" ? "-" : "?")"
                        == expected)
            }
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
            $0.retry = retry
            $0.authorization = .signing(signer)
        }.download(Route.get("x"), to: folder.url.appendingPathComponent("f"), resuming: true)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-", "bytes=5-"])
        #expect(
            signer.seen.withLock { $0 }.map { $0.value(forHTTPHeaderField: "Range") } == [nil, "bytes=5-", "bytes=5-"])
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("f")) == Data("0123456789".utf8))
    }

    @Test(arguments: [false, true]) func `A challenge and an expired token are answered in either order`(
        _ isFirst: Bool
    ) async throws {
        let refreshes = Locked(0)
        let transport = StubTransport { _, index in
            index == 0 ? (401, ["X-Challenge": "1"], "") : (index == 1 ? 401 : 200, [:], "")
        }
        let token = Authorization.refreshing(InMemoryCredentialStore("old")) { _ in "new\(refreshes.next())" }
        let client = transport.client {
            $0.maximumCallsPerHost = 1
            $0.authorization = isFirst ? .combined(.signing(signer), token) : .combined(token, .signing(signer))
        }
        try await client.send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Bearer old", "Bearer old", "Bearer new1"])
        #expect(
            (
                Set(transport.sent("X-Plain")).count,
                signer.seen.withLock { $0 }.map { $0.value(forHTTPHeaderField: "Authorization") }
            ) == (3, transport.sent("Authorization")))
    }

    @Test func `Calls in a queue of one that are all challenged have signatures of their own`()
        async throws
    {
        let (seen, signer) = (Locked<Set<String>>([]), NumberedSigner { _ in true })
        let transport = StubTransport { request, _ in
            seen.withLock { seen in _ = seen.insert(request.value(forHTTPHeaderField: "X-Plain") ?? "-") }
            return (403, [:], "")
        }
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
        #expect(seen.withLock { $0.count } == transport.requests.count && transport.requests.count >= 80)
        await #expect(throws: APIError.self) { try await client.send(Route.get("last")) }
        #expect(transport.requests.suffix(2).map(\.url?.path) == ["/last", "/last"])
    }

    @Test func `The challenge of another server is not answered`() async throws {
        let (asked, signer) = (Locked(0), Locked<[Int]>([]))
        let numbered = NumberedSigner { response in
            signer.withLock { $0.append(response.status) }
            return true
        }
        let transport = StubTransport { request, _ in
            _ = asked.next()
            return request.url?.host == "api.example.com"
                ? (307, [.location: "https://other.example/y"], "") : (401, ["X-Challenge": "1"], "")
        }
        let client = transport.client { $0.authorization = .combined(.bearer("t"), .signing(numbered)) }
        try await failure(.status(401)) { try await client.send(Route.get("x")) }
        #expect(asked.withLock { $0 } == 2 && signer.withLock { $0 } == [307])
        #expect(transport.sent("X-Plain").last == .some(nil) && transport.sent("Authorization").last == .some(nil))
    }

    // MARK: Which servers

    @Test func `The key of a base URL is signed for as tokens are sent`() async throws {
        let environment = try Environment(
            "Live", values: ["baseURL": "https://api.example.com", "other": "https://other.example"])
        let rows: [(AuthorizationPolicy, Bool)] = [
            (.optional, false), (.required, true), (.anywhere, true), (.none, false),
        ]
        for (policy, isSigned) in rows {
            let transport = StubTransport(200)
            try await transport.client(in: environment) { $0.authorization = .combined(.bearer("t"), .signing(signer)) }
                .send(Route.get("x").baseURLKey("other").authorization(policy))
            #expect((transport.sent("X-Plain")[0] != nil) == isSigned, "\(policy)")
            #expect((transport.sent("Authorization")[0] != nil) == isSigned, "\(policy)")
        }
    }

    // MARK: Values

    private static let refused: [HTTPHeaders] = [
        ["Host": "evil"], ["content-length": "0"], ["Transfer-Encoding": "chunked"], ["X-A": "a\nb"], ["X A": "b"],
        ["X-A": "\0"], ["": "x"],
    ]

    @Test(arguments: refused) func `A signature cannot change how a request is framed`(_ headers: HTTPHeaders)
        async throws
    {
        let transport = StubTransport(200)
        try await failure(.invalidRoute) {
            try await transport.client { $0.authorization = .signing { _ in headers } }.send(Route.get("x"))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `Two spellings of a name are one header`() async throws {
        let transport = StubTransport(200)
        try await transport.client { $0.authorization = .signing { _ in ["X-A": "1", "x-a": "2", "X-E": ""] } }
            .send(Route.get("x").header("x-A", "own").header("x-e", "own"))
        let request = try #require(transport.requests.first)
        #expect(request.allHTTPHeaderFields?.keys.filter { $0.lowercased() == "x-a" }.count == 1)
        #expect(transport.sent("X-A") == ["1, 2"] && transport.sent("X-E") == [""])
    }

    @Test func `What a signer throws is no reason to say that a request could take effect twice`() async throws {
        let count = Locked(0)
        let client = StubTransport(200).client {
            $0.retry = retry
            $0.authorization = .signing { _ in
                _ = count.next()
                throw URLError(.networkConnectionLost)
            }
        }
        let error = try await failure(.authorization) { try await client.send(Route.post("x")) }
        #expect(count.withLock { $0 } == 1 && !error.message.contains("take effect twice"), "\(error)")
    }
}
