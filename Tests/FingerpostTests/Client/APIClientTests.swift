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
            let missing = try failure(.environment) {
                try APIClient { $0.maximumCallsPerHost = try environment.value("limt") }
            }
            let isNamed = missing.description.contains(#"did you mean "limit"?"#)
            #expect((client.configuration.maximumCallsPerHost, isNamed) == (3, true), "\(missing)")
            #expect(try failure { try APIClient { _ in throw Refused() } }.underlying is Refused)
        }
        #expect(throws: Refused.self) {
            try APIClient(baseURL: URL(string: "https://a.example")!) { _ in throw Refused() }
        }
    }

    @Test func `The four ways to send a route`() async throws {
        let transport = StubTransport(201, ["ETag": "\"1\""], #"{"id": 7}"#)
        let client = transport.client()
        let route = Route.get("items/7")
        var items = [try await client.send(route, as: Item.self)]
        let item: Item = try await client.send(route)
        try await client.send(Route.delete("items/7"))
        let data = try await client.data(for: route)
        let response = try await client.response(for: route, as: Item.self)
        items += [item, response.value]
        #expect((items, data) == ([Item(id: 7), Item(id: 7), Item(id: 7)], Data(#"{"id": 7}"#.utf8)))
        let json = "application/json"
        let seen = (response.status, response.headers[.etag], response.source, transport.sent("Accept"))
        #expect(seen == (201, "\"1\"", .network, [json, json, "*/*", "*/*", json]))
    }

    @Test func `What is not read as JSON accepts every type, unless the route says more`() async throws {
        func accepted(_ type: (some Decodable & Sendable).Type, isWrapped: Bool = false) async -> [String?] {
            let transport = StubTransport(200, [:], #"{"data": {"id": 7}}"#)
            let client = transport.client { if isWrapped { $0.wrapper = ResponseWrapper(valueKey: "data") } }
            _ = try? await client.send(Route.get("x"), as: type)
            _ = try? await client.response(for: Route.get("x"), as: type)
            _ = try? await client.send(Route.get("x").header(.accept, "text/csv"), as: type)
            return transport.sent("Accept")
        }
        // A wrapper is JSON around all of them but the bytes as they came.
        let every = await [
            accepted(String.self), accepted(String?.self), accepted(Data.self), accepted(Data?.self),
            accepted(NoContent.self), accepted(NoContent?.self), accepted(Data.self, isWrapped: true),
        ]
        let json = await [
            accepted(Item?.self), accepted([String].self), accepted(String.self, isWrapped: true),
            accepted(NoContent.self, isWrapped: true),
        ]
        #expect(Set(every) == [["*/*", "*/*", "text/csv"]], "\(every)")
        #expect(Set(json) == [["application/json", "application/json", "text/csv"]], "\(json)")
    }

    @Test(arguments: [100, 199, 300, 304, 400, 401, 404, 418, 429, 500, 503, 599])
    func `Every status outside 2xx is an error that keeps the response`(status: Int) async throws {
        let client = StubTransport(status, ["X-Id": "9"], #"{"message": "no such item", "code": 5}"#).client()
        let error = try await failure(.status(status)) { try await client.send(Route.get("x"), as: Item.self) }
        let code = try error.decodeBody(as: JSONValue.self)["code"]
        let seen = (error.status, error.headers["X-Id"], error.serverMessage, error.errorDescription, code)
        #expect(seen == (status, "9", "no such item", "no such item", 5))
    }

    private static let keys = (1...30).map { #""key\#($0)": "a long value, so that only a part of the body is shown""# }

    /// Bodies with the reason and the place of the failure, and the beginning of the text around it.
    private static let undecodable: [(body: String, reason: String, place: String?, fragment: String)] = [
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
        (#"{}"#, "the key \"id\" is missing", "line 1", "{}"),
        (#"{"id": "7"}"#, "Int is expected", "id (line 1)", "\"7\""),
        (#"{"id": null}"#, "Int is expected, not null", "id (line 1)", "null"),
        ("[1]", "an object is expected", "line 1", "[1]"), (#"{"id": [1]}"#, "Int is expected", "id (line 1)", "[1]"),
        (
            #"{"id": 1, "at": "yesterday"}"#, "\"yesterday\" is not an ISO 8601 date such as 2026-01-31T12:00:00Z",
            "at (line 1)", "\"yesterday\""
        ),
        ("", "it is empty", nil, ""),
        ("<html>", "it is not JSON: unexpected < where a value is expected (line 1, column 1)", nil, ""),
        ("{\n\"id\": 1;\n}", "it is not JSON: unexpected ; where , or } is expected (line 2, column 8)", nil, ""),
    ]

    @Test func `A decoding error has its reason and place, and shows the text around it`() async throws {
        for (body, reason, place, fragment) in Self.undecodable {
            let error = try await failure(.decoding) {
                try await StubTransport(200, [:], body).client().send(Route.get("x"), as: Item.self)
            }
            let seen = (error.message, error.codingPath, error.status)
            #expect(seen == ("the body does not decode as Item: \(reason)", place, 200))
            let shown = error.fragment ?? ""
            let isAround = shown.hasPrefix(fragment) && shown.isEmpty == fragment.isEmpty && shown.count <= 170
            #expect(isAround, "\(shown) of \(body)")
        }
    }

    /// Codes with their kinds, and with the start of the fix where the error is that of an insecure connection.
    private static let failures: [(URLError.Code, APIError.Kind, fix: String)] = [
        (.notConnectedToInternet, .offline, ""), (.timedOut, .timedOut, ""), (.cancelled, .cancelled, ""),
        (.cannotFindHost, .transport, ""), (.cannotConnectToHost, .transport, ""),
        (.networkConnectionLost, .transport, ""), (.secureConnectionFailed, .transport, ""),
        (.badServerResponse, .transport, ""), (.unknown, .transport, ""),
        (.serverCertificateHasBadDate, .transport, "check the server's certificate"),
        (.clientCertificateRequired, .transport, "answer the server's challenge"),
    ]

    @Test func `Each URLError code maps to its error kind and fix, and any other error to transport`() async throws {
        struct Odd: Error {}
        for (code, kind, fix) in Self.failures {
            let transport = StubTransport { _, _ in throw URLError(code) }
            let error = try await failure { try await transport.client().send(Route.get("x")) }
            #expect((error.kind, (error.underlying as? URLError)?.code, error.attempts) == (kind, code, 1))
            #expect(fix.isEmpty || error.fix?.hasPrefix(fix) == true, "\(error)")
        }
        let insecure = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "SSL certificate problem"])
        #expect(APIError(transport: insecure).fix?.hasPrefix("check the server's") == true)
        let other = StubTransport { _, _ in throw Odd() }.client()
        #expect(try await failure(.transport) { try await other.send(Route.get("x")) }.underlying is Odd)
    }

    @Test func `The first middleware is the outermost`() async throws {
        let order = Locked<[String]>([])
        let client = StubTransport(200).client {
            $0.middleware = ["a", "b"].map { name in
                ClosureMiddleware { request, _, next in
                    order.withLock { $0.append("\(name) in") }
                    defer { order.withLock { $0.append("\(name) out") } }
                    return try await next(request)
                }
            }
        }
        try await client.send(Route.get("x"))
        #expect(order.withLock { $0 } == ["a in", "b in", "b out", "a out"])
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

    @Test func `Headers set by middleware are checked like those of a route`() async throws {
        let transport = StubTransport(200)
        for field in [["X-A": "a\r\nX-B: 1"], ["X A": "1"], ["Content-Length": "3"], ["Host": "evil.example"]] {
            let client = transport.client {
                $0.middleware = [ChangingMiddleware { $0.allHTTPHeaderFields = field }]
            }
            try await failure(.invalidRoute) { try await client.send(Route.get("x")) }
        }
        #expect(transport.requests.isEmpty)
    }
}
