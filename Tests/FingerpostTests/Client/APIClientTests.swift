import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct APIClientTests {
    private struct Item: Codable, Equatable, Sendable {
        var id: Int
        var at: Date?
    }

    @Test func `The closure that configures a client can throw`() throws {
        struct Refused: Error {}
        let environment = try Environment("X", values: ["baseURL": "https://a.example", "limit": 3])
        try APIScope(environment: environment).run {
            let client = try APIClient { $0.maximumCallsPerHost = try environment.value("limit") }
            #expect(client.configuration.maximumCallsPerHost == 3)
            let missing = try failure(.environment) {
                try APIClient { $0.maximumCallsPerHost = try environment.value("limt") }
            }
            #expect(missing.description.contains(#"did you mean "limit"?"#), "\(missing)")
            #expect(try failure { try APIClient { _ in throw Refused() } }.underlying is Refused)
        }
        #expect(throws: Refused.self) {
            try APIClient(baseURL: URL(string: "https://a.example")!) { _ in throw Refused() }
        }
    }

    @Test func `The four ways to send a route`() async throws {
        let transport = StubTransport(201, ["ETag": "\"1\""], #"{"id": 7}"#)
        let client = transport.client()
        #expect(try await client.send(Route.get("items/7"), as: Item.self) == Item(id: 7))
        let item: Item = try await client.send(Route.get("items/7"))
        try await client.send(Route.delete("items/7"))
        #expect(try await client.data(for: Route.get("items/7")) == Data(#"{"id": 7}"#.utf8))
        let response = try await client.response(for: Route.get("items/7"), as: Item.self)
        #expect((item.id, response.value.id, response.status, response.headers[.etag]) == (7, 7, 201, "\"1\""))
        let json = "application/json"
        #expect((response.source, transport.sent("Accept")) == (.network, [json, json, "*/*", "*/*", json]))
    }

    @Test func `What is not read as JSON accepts every type, unless the route says more`() async throws {
        func accepted(_ type: (some Decodable & Sendable).Type, isWrapped: Bool = false) async throws -> String? {
            let transport = StubTransport(200, [:], #"{"data": {"id": 7}}"#)
            let client = transport.client { if isWrapped { $0.wrapper = ResponseWrapper(valueKey: "data") } }
            _ = try? await client.send(Route.get("x"), as: type)
            _ = try? await client.response(for: Route.get("x"), as: type)
            _ = try? await client.send(Route.get("x").header(.accept, "text/csv"), as: type)
            let sent = transport.sent("Accept")
            #expect(sent.count == 3 && sent[0] == sent[1] && sent[2] == "text/csv", "\(sent)")
            return sent[0]
        }
        #expect(
            try await (accepted(String.self), accepted(String?.self), accepted(Data.self), accepted(Data?.self)) == (
                "*/*", "*/*", "*/*", "*/*"
            ))
        #expect(
            try await (
                accepted(NoContent.self), accepted(NoContent?.self), accepted(Item?.self), accepted([String].self)
            ) == ("*/*", "*/*", "application/json", "application/json"))
        // A wrapper is JSON around all of them but the bytes as they came.
        let bytes = try await accepted(Data.self, isWrapped: true)
        let others = try await (accepted(String.self, isWrapped: true), accepted(NoContent.self, isWrapped: true))
        #expect((bytes, others.0, others.1) == ("*/*", "application/json", "application/json"))
    }

    @Test(arguments: [100, 199, 300, 304, 400, 401, 404, 418, 429, 500, 503, 599])
    func `Every status outside 2xx is an error that keeps the response`(status: Int) async throws {
        let client = StubTransport(status, ["X-Id": "9"], #"{"message": "no such item", "code": 5}"#).client()
        let error = try await failure(.status(status)) { try await client.send(Route.get("x"), as: Item.self) }
        #expect(error.status == status && error.headers["X-Id"] == "9" && error.serverMessage == "no such item")
        #expect(try (error.errorDescription, error.decodeBody(as: JSONValue.self)["code"]) == ("no such item", 5))
    }

    private static let keys = (1...30).map { #""key\#($0)": "a long value, so that only a part of the body is shown""# }

    /// Bodies of one line, each with its reason and the text around the place of the failure.
    private static let lines: [(String, String, String?, String)] = [
        (
            "{\(keys.joined(separator: ", "))}", "the key \"id\" is missing", "line 1",
            #"{"key1", "key2", "key3", "key4", "key5", "key6", "key7", "key8", "key9", "key10", "#
        ),
        (
            "{\(keys.joined(separator: ", ")), \"ID\": 1, \"last\": 1}",
            "the key \"id\" is missing (did you mean \"ID\"?)",
            "line 1", #"{…, "key29", "key30", "ID", "last"}"#
        ),
        (
            #"{"ids": 7, "idle": 8}"#, "the key \"id\" is missing (did you mean \"ids\"?)", "line 1",
            #"{"ids": 7, "idle": 8}"#
        ),
        ("{\(keys.joined(separator: ", ")), \"id\": [1, \"x\"]}", "Int is expected", "id (line 1)", #"[1, "x"]"#),
    ]

    @Test(arguments: lines) func `A decoding error in a body of one line shows the text around its place`(
        body: String, reason: String, place: String?, fragment: String
    ) async throws {
        let error = try await failure {
            try await StubTransport(200, [:], body).client().send(Route.get("x"), as: Item.self)
        }
        #expect(error.message == "the body does not decode as Item: \(reason)" && error.codingPath == place)
        let shown = error.fragment ?? ""
        #expect(shown.hasPrefix(fragment) && shown.count <= 170, "\(shown)")
    }

    private static let undecodable: [(String, String, String?)] = [
        (#"{}"#, "the key \"id\" is missing", "line 1"),
        (#"{"id": "7"}"#, "Int is expected", "id (line 1)"),
        (#"{"id": null}"#, "Int is expected, not null", "id (line 1)"),
        ("[1]", "an object is expected", "line 1"), (#"{"id": [1]}"#, "Int is expected", "id (line 1)"),
        (#"{"id": 1, "at": "yesterday"}"#, "not an ISO 8601 date", "at (line 1)"),
        ("", "it is empty", nil),
        ("<html>", "it is not JSON: unexpected <", nil),
        ("{\n\"id\": 1;\n}", "it is not JSON: unexpected ; where , or } is expected (line 2, column 8)", nil),
    ]

    @Test(arguments: undecodable)
    func `A decoding error has its reason and place`(body: String, reason: String, place: String?) async throws {
        let error = try await failure(.decoding) {
            try await StubTransport(200, [:], body).client().send(Route.get("x"), as: Item.self)
        }
        #expect(error.message.contains("Item") && error.message.contains(reason), "\(error)")
        #expect((error.codingPath, error.status) == (place, 200))
    }

    private static let failures: [(URLError.Code, APIError.Kind)] = [
        (.notConnectedToInternet, .offline), (.timedOut, .timedOut), (.cancelled, .cancelled),
        (.cannotFindHost, .transport), (.cannotConnectToHost, .transport), (.networkConnectionLost, .transport),
        (.secureConnectionFailed, .transport), (.badServerResponse, .transport), (.unknown, .transport),
    ]

    @Test(arguments: failures)
    func `Each URLError code maps to its error kind`(code: URLError.Code, kind: APIError.Kind) async throws {
        let error = try await failure {
            try await StubTransport { _, _ in throw URLError(code) }.client().send(Route.get("x"))
        }
        #expect((error.kind, (error.underlying as? URLError)?.code, error.attempts) == (kind, code, 1))
    }

    @Test(arguments: [
        (URLError(.serverCertificateHasBadDate), "check the server's certificate"),
        (URLError(.clientCertificateRequired), "answer the server's challenge"),
        (URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "SSL certificate problem"]), "check the server's"),
    ])
    func `The error of a connection that is not secure has a fix`(error: URLError, fix: String) {
        let error = APIError(transport: error)
        #expect(error.kind == .transport && error.fix?.hasPrefix(fix) == true, "\(error)")
    }

    @Test func `Any other error of a transport has the kind transport`() async throws {
        struct Odd: Error {}
        let error = try await failure { try await StubTransport { _, _ in throw Odd() }.client().send(Route.get("x")) }
        #expect(error.kind == .transport && error.underlying is Odd)
    }

    @Test func `The first middleware is the outermost`() async throws {
        let order = Locked<[String]>([])
        struct Trace: Middleware {
            let name: String
            let order: Locked<[String]>
            func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
                order.withLock { $0.append("\(name) in") }
                defer { order.withLock { $0.append("\(name) out") } }
                return try await next(request)
            }
        }
        let client = StubTransport(200).client {
            $0.middleware = [Trace(name: "a", order: order), Trace(name: "b", order: order)]
        }
        try await client.send(Route.get("x"))
        #expect(order.withLock { $0 } == ["a in", "b in", "b out", "a out"])
    }

    @Test func `An environment without a base URL fails the routes that need one`() async throws {
        let transport = StubTransport(200)
        let folder = try TemporaryFolder(["X-Env.json": "{\"baseUrl\": \"https://h.example\"}"])
        let client = try APIClient {
            $0.environment = try? Environment.load("X", from: folder.url)
            $0.transport = transport
        }
        let error = try await failure(.environment) { try await client.send(Route.get("x")) }
        #expect(error.message.contains("did you mean \"baseUrl\"") && transport.requests.isEmpty)
        try await client.send(Route.get("https://h.example/x"))
        // The client may name another key.
        try await client.with { $0.baseURLKey = "baseUrl" }.send(Route.get("y"))
        #expect(transport.requests.map(\.url?.absoluteString) == ["https://h.example/x", "https://h.example/y"])
    }

    @Test func `The description of an error contains everything needed to debug it`() async throws {
        let folder = try TemporaryFolder(["QA-Env.json": #"{"description": "QA", "baseURL": "https://qa.example/api"}"#]
        )
        let client = try APIClient {
            $0.environment = try? Environment.load("QA", from: folder.url)
            $0.transport = StubTransport(422, [:], #"{"message": "the name is taken"}"#)
        }
        let route = Route.post("items?access_token=s3cr3t").parameters(["name": "x"])
        let error = try await failure { try await client.send(route) }
        #expect(
            "\(error)" == """
                status 422: the server answered 422
                  route:       POST items?access_token=<redacted>
                  environment: QA (\(folder["QA-Env.json"].standardizedFileURL.path))
                  request:     POST https://qa.example/api/items?access_token=<redacted>
                  status:      422, 32 bytes
                  server says: the name is taken
                """)
    }

    private static let smuggled: [(String, String)] = [
        ("X-A", "a\r\nX-B: 1"), ("X A", "1"), ("Content-Length", "3"), ("Host", "evil.example"),
    ]

    @Test(arguments: smuggled)
    func `Headers set by middleware are checked like those of a route`(name: String, value: String) async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.middleware = [ChangingMiddleware { $0.allHTTPHeaderFields = [name: value] }]
        }
        try await failure(.invalidRoute) { try await client.send(Route.get("x")) }
        #expect(transport.requests.isEmpty)
    }
}
