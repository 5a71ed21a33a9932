import CallSupport
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers

@testable import Fingerpost

/// Signatures of requests as they are sent: `Authorization.signing`.
@Suite(.inTurn, .concurrent) struct RequestSignerTests {
    /// Signs everything that a request contains, with a number that no other request has.
    private final class Stamp: RequestSigner {
        private let number = Locked(0)
        let heard = Locked<[String]>([])
        private let again: @Sendable (Response<Data>) -> Bool

        init(again: @escaping @Sendable (Response<Data>) -> Bool = { $0.headers["X-Challenge"] != nil }) {
            self.again = again
        }

        func headers(for request: URLRequest) async throws -> HTTPHeaders {
            let nonce = "nonce-\(number.next())"
            let parts = [
                request.httpMethod, request.url?.path, request.value(forHTTPHeaderField: "Authorization"), nonce,
                SHA256.hash(data: try request.bytes()).hex,
            ]
            return ["X-Nonce": nonce, "X-Signature": Self.signature(parts)]
        }

        func signAgain(after response: Response<Data>, to request: URLRequest) async -> Bool {
            let isSigned = request.value(forHTTPHeaderField: "X-Signature") != nil
            heard.withLock { $0.append("\(response.status) \(response.data.count) \(isSigned)") }
            return again(response)
        }

        static func signature(_ parts: [String?]) -> String {
            SHA256.hash(data: Data(parts.map { $0 ?? "-" }.joined(separator: "\n").utf8)).hex
        }
    }

    /// What servers got: one line for each request.
    private final class Ledger: Sendable {
        private let used = Locked<Set<String>>([])
        private let list = Locked<[String]>([])

        var lines: [String] { list.withLock { $0 } }

        func note(_ request: ReceivedRequest) {
            let parts = [
                request.method, request.path, request["Authorization"], request["X-Nonce"],
                SHA256.hash(data: request.body).hex,
            ]
            let isNew = request["X-Nonce"].map { nonce in used.withLock { $0.insert(nonce).inserted } } ?? true
            let isRight = request["X-Signature"] == Stamp.signature(parts)
            let signature = request["X-Signature"] == nil ? "unsigned" : !isRight ? "wrong" : isNew ? "signed" : "again"
            list.withLock { $0.append("\(request.path) \(request["Authorization"] ?? "-") \(signature)") }
        }
    }

    private typealias Answer = (Int, KeyValuePairs<String, String>)

    private let ledger = Ledger()
    private let stamp = Stamp()

    /// A server that checks each signature.
    private func server(_ answer: @escaping @Sendable (String, Int) -> Answer) throws -> LoopbackServer {
        let (ledger, number) = (ledger, Locked(0))
        return try LoopbackServer { request, connection in
            ledger.note(request)
            let (status, headers) = answer(request.path, number.next())
            connection.respond(status, headers: headers)
        }
    }

    private func client(
        _ server: LoopbackServer, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.baseURL) {
            $0.authorization = .combined(.bearer("t"), .signing(stamp))
            configure(&$0)
        }
    }

    // MARK: Where

    @Test func `Redirects are signed until one leads to another server`() async throws {
        let home = Locked("")
        let other = try server { _, _ in (307, ["Location": home.withLock { $0 } + "/d"]) }
        let server = try server { path, _ in
            switch path {
            case "/a": (307, ["Location": "/b"])
            case "/b": (307, ["Location": "\(other.baseURL)/c"])
            default: (200, [:])
            }
        }
        home.withLock { $0 = server.baseURL.absoluteString }
        try await client(server).send(Route.get("a").header("X-Signature", "the route's"))
        #expect(ledger.lines == ["/a Bearer t signed", "/b Bearer t signed", "/c - unsigned", "/d - unsigned"])
    }

    @Test func `A signature replaces a header of the same name, and the first signer's remains`() async throws {
        let transport = StubTransport(200)
        try await transport.client {
            $0.authorization = .combined(
                .signing { ["Authorization": "Signed \($0.values("Authorization"))"] },
                .bearer("t"), .signing { _ in ["authorization": "second", "X-Own": "2"] })
        }.send(Route.get("x").header("X-Own", "1"))
        #expect(transport.requests.map { $0.values("Authorization", "X-Own") } == ["Signed Bearer t 2"])
    }

    // MARK: Once more

    /// What the server answers (the last answer again and again), the tokens that are sent, and the end.
    private static let turns: [(answers: [String], tokens: [String], end: Int)] = [
        (["200"], ["old"], 200),
        (["c", "200"], ["old", "old"], 200),
        // The challenge, and then the token that has expired.
        (["c", "401", "200"], ["old", "old", "new1"], 200),
        (["c", "401", "c", "200"], ["old", "old", "new1", "new1"], 200),
        // Once for each attempt, and twice for a call.
        (["c"], ["old", "old"], 401),
        (["c", "503", "c", "503", "c"], ["old", "old", "old", "old", "old"], 401),
        // Once for all retries.
        (["503", "401", "503", "401"], ["old", "old", "new1", "new1"], 401),
    ]

    @Test(arguments: turns.indices, [false, true])
    func `A challenge is answered before a token is refreshed`(_ row: Int, isFirst: Bool) async throws {
        let (answers, tokens, end) = Self.turns[row]
        let (refreshes, signer) = (Locked(0), NumberedSigner())
        let transport = StubTransport { _, index in
            let answer = answers[min(index, answers.count - 1)]
            return answer == "c" ? (401, ["X-Challenge": "1"], "") : (Int(answer) ?? 500, [:], "")
        }
        let token = Authorization.refreshing(InMemoryCredentialStore("old"), scheme: "DPoP") { _ in
            "new\(refreshes.next())"
        }
        let client = transport.client {
            $0.maximumCallsPerHost = 1
            $0.retry = .atOnce(9)
            $0.authorization = isFirst ? .combined(.signing(signer), token) : .combined(token, .signing(signer))
        }
        let response = try await client.response(for: Route.get("x").acceptedStatuses(.all), as: Data.self)
        let seen = signer.seen.withLock { $0 }.map { $0.values("Authorization") }
        let expected = tokens.map { "DPoP \($0)" }
        #expect(
            (transport.requests.map { $0.values("Authorization") }, seen, Set(transport.sent("X-Plain")).count)
                == (expected, expected, tokens.count))
        #expect(
            (response.status, response.history.count, refreshes.withLock { $0 })
                == (end, tokens.count, tokens.contains("new1") ? 1 : 0))
    }

    @Test(arguments: [200, 302, 404, 503]) func `Only a 4xx is sent once more, and signers hear all`(status: Int)
        async throws
    {
        let transport = StubTransport(status, [:], String(repeating: "x", count: 70_000))
        let stamp = Stamp { _ in true }
        let client = transport.client { $0.authorization = .signing(stamp) }
        _ = try await client.response(for: Route.get("x").acceptedStatuses(.all), as: Data.self)
        let line = "\(status) \(status == 200 ? 0 : 65_536) true"
        #expect(stamp.heard.withLock { $0 } == Array(repeating: line, count: status == 404 ? 2 : 1))
    }

    // MARK: Bodies

    @Test(.heavy) func `A challenge is answered for a file, for a stream, and when its own body breaks off`()
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(Data(repeating: 7, count: 300_000), to: "body")
        let (ledger, number) = (ledger, Locked(0))
        let server = try LoopbackServer { request, connection in
            ledger.note(request)
            if number.next() % 2 == 0 {
                connection.respond(200)
            } else if request.path == "/broken" {
                connection.write("HTTP/1.1 401 \r\nX-Challenge: 1\r\nContent-Length: 10\r\n\r\nhalf")
                connection.close()
            } else {
                connection.respond(401, headers: ["X-Challenge": "1"])
            }
        }
        let client = client(server) { $0.maximumCallsPerHost = 1 }
        try await client.send(Route.post("broken"))
        for try await _ in try await client.stream(Route.get("stream")) {}
        try await client.send(Route.post("file").body(.file(folder["body"])))
        let lines = zip(ledger.lines, server.requests).map { "\($0) \($1.bodySize)" }
        #expect(
            lines == [
                "/broken Bearer t signed 0", "/broken Bearer t signed 0", "/stream Bearer t signed 0",
                "/stream Bearer t signed 0", "/file Bearer t signed 300000", "/file Bearer t signed 300000",
            ])
    }

    @Test func `A body that can be read only once is refused`() async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .signing(stamp) }
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/x")))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let once = try await failure(.encoding) { _ = try await client.response(for: request) }
        nonisolated(unsafe) let stream = InputStream(data: Data("body".utf8))
        let same = Route.post("x").body(.stream(BodyStream { stream }))
        let shared = try await failure(.encoding) { try await client.send(same) }
        #expect(once.fix != nil && once.message.contains("read only once"))
        #expect((shared.message, transport.requests) == (once.message, []))
    }

    // MARK: Which requests

    /// The route, and whether it is signed; nil if it is refused.
    private static let routes: [(Route, isSigned: Bool?)] = [
        (.get("x"), true), (.get("x").authorization(.required), true), (.get("x").authorization(.none), false),
        (.get("https://other.example/x"), false), (.get("https://other.example/x").authorization(.required), nil),
        (.get("https://other.example/x").authorization(.anywhere), true), (.get("x").baseURLKey("files"), false),
        (.get("x").baseURLKey("files").authorization(.required), true),
        (.get("x").baseURLKey("files").authorization(.anywhere), true),
        (.get("x").baseURLKey("files").authorization(.none), false),
    ]

    @Test func `The route's policy decides, as about tokens`() async throws {
        let environment = try Environment(
            "Live", values: ["baseURL": "https://api.example.com", "files": "https://files.example.com"])
        for (route, isSigned) in Self.routes {
            let transport = StubTransport(200)
            let client = try transport.client(in: environment) {
                $0.authorization = .combined(.bearer("t"), .signing { _ in ["X-Signature": "s"] })
            }
            let error = await errorIfAny { try await client.send(route) }
            let sent = transport.requests.map { $0.values("Authorization", "X-Signature") }
            let expected = isSigned.map { [$0 ? "Bearer t s" : "- -"] } ?? []
            #expect((error?.kind, sent) == (isSigned == nil ? .invalidRoute : nil, expected), "\(route)")
        }
    }

    @Test func `Each environment has its signer, and another one's is left out`() async throws {
        let transport = StubTransport(200)
        let environment = try Environment("Live", values: ["baseURL": "https://api.example.com"])
        try await transport.client(in: environment) {
            $0.authorization = .perEnvironment { .signing(ClosureSigner { [name = $0.name] _ in ["X-Name": name] }) }
        }.send(Route.get("x"))
        let withheld = try await Authorization.combined(.signing(stamp), .signing { _ in [:] })
            .credentials(in: environment, areWithheld: true)
        #expect(
            (transport.sent("X-Name"), withheld.signers.isEmpty, withheld.isIncomplete) == (["Live"], true, true))
    }

    // MARK: Errors

    /// A connection that is lost is no reason to say that a request could take effect twice, and a cancellation of the
    /// signer's own work is not that of the call.
    private static let causes: [any Error & Sendable] = [
        URLError(.notConnectedToInternet), APIError(.offline, "no"), URLError(.networkConnectionLost),
        CancellationError(),
    ]

    @Test(arguments: causes) func `What a signer throws fails the call, and nothing is sent`(
        _ cause: any Error & Sendable
    ) async throws {
        for route in [Route.get("x"), .post("x")] {
            let (transport, count) = (StubTransport(200), Locked(0))
            let client = transport.client {
                $0.retry = .atOnce()
                $0.authorization = .signing { _ in
                    _ = count.next()
                    throw cause
                }
            }
            let error = try await failure(.authorization) { try await client.send(route) }
            let isSame = error.underlying.map { type(of: $0) == type(of: cause) }
            let tellsOfEffects = error.message.contains("take effect twice")
            #expect(
                (isSame, tellsOfEffects, count.withLock { $0 }, transport.requests) == (true, false, 1, []),
                "\(error)")
        }
    }

    @Test(arguments: 0..<4)
    func `A signer that sends a call of the same client is refused`(_ copy: Int) async throws {
        let (transport, box) = (StubTransport(200), Locked<APIClient?>(nil))
        let client = transport.client {
            $0.maximumCallsPerHost = 1
            $0.authorization = .signing { _ in
                let client = try #require(box.withLock { $0 })
                try await client.send(Route.get("inner").authorization(.none))
                return ["X-Signature": "s"]
            }
        }
        let copies = [client, client.with { $0.authorization = nil }, client.with { $0.timeout = .seconds(9) }]
        box.withLock { $0 = copy < 3 ? copies[copy] : transport.client() }
        defer { box.withLock { $0 = nil } }
        if copy == 3 {
            try await client.send(Route.get("x"))
        } else {
            let error = try await failure(.authorization) { try await client.send(Route.get("x")) }
            let isExplained = error.fix?.contains("another client")
            #expect(((error.underlying as? APIError)?.kind, isExplained) == (.invalidRoute, true))
        }
        #expect(transport.requests.map(\.url?.path) == (copy == 3 ? ["/inner", "/x"] : []))
    }

    @Test func `Calls that mocks answer are signed`() async throws {
        try await APIScope(environment: try APIEnvironment("Testing", values: ["baseURL": "https://api.example.com"]))
            .run {
                Mocks.set("me", .status(204))
                let client = try APIClient { $0.authorization = .signing(stamp) }
                try await client.send(Route.get("me").mock("me"))
                #expect(Mocks.calls(of: "me").map { $0.request.values("X-Nonce") } == ["nonce-1"])
            }
    }
}
