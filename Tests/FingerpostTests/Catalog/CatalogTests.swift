import CallSupport
import FingerpostCatalog

/// Routes made from endpoint files.
@Suite(.inTurn) struct CatalogTests {
    private func catalog(_ json: String) throws -> EndpointCatalog { try EndpointCatalog(data: Data(json.utf8)) }

    /// The endpoint `e` of a file, with its arguments.
    private func route(_ endpoint: String, _ arguments: Parameters = [:]) throws -> Route {
        try catalog("{ \"e\": \(endpoint) }").route("e", arguments)
    }

    /// The request of a route below the base URL, which is replaced by `BASE`.
    private func request(_ route: Route) throws -> String {
        let base = "https://api.example.com/v1"
        return try route.requestLine(relativeTo: URL(string: base)).replacing(base, with: "BASE")
    }

    /// An argument of any type, and what becomes of the text.
    private typealias Row = (text: String, argument: any Encodable & Sendable, result: String)

    // MARK: Inheritance

    @Test func `An endpoint's values override the shared ones, wherever they are in the file, and its headers merge`()
        throws
    {
        // A file, and the request of its endpoint.
        let table = """
            { "e": {} } → BASE
            { "e": { "path": "a/b" } } → BASE/a/b
            { "e": { "path": "/a/b" } } → BASE/a/b
            { "e": { "host": "h.example", "path": "/a" } } → https://h.example/a
            { "e": { "host": "h.example" } } → https://h.example
            { "e": { "host": "h.example", "scheme": "http", "path": "a" } } → http://h.example/a
            { "e": { "host": "h.example", "port": 8080, "path": "a" } } → https://h.example:8080/a
            { "e": { "host": "[::1]", "port": 1, "scheme": "http", "path": "a" } } → http://[::1]:1/a
            { "e": { "path": "https://other.example/x" } } → https://other.example/x
            { "host": "h.example", "path": "a", "e": {} } → https://h.example/a
            { "host": "h.example", "path": "a", "e": { "path": "b" } } → https://h.example/b
            { "host": "h.example", "path": "a", "e": { "path": "" } } → https://h.example
            { "host": "h.example", "port": 81, "scheme": "http", "e": { "port": 82 } } → http://h.example:82
            { "host": "h.example", "e": { "host": "i.example" } } → https://i.example
            { "queries": [{ "a": "1" }], "e": {} } → BASE?a=1
            { "queries": [{ "a": "1" }], "e": { "queries": [{ "b": "2" }] } } → BASE?b=2
            { "queries": [{ "a": "1" }], "e": { "queries": [] } } → BASE
            { "e": { "queries": [{ "b": "2", "a": "1" }, { "b": "3" }] } } → BASE?b=2&a=1&b=3
            { "e": { "queries": { "b": "2", "a": "1" } } } → BASE?b=2&a=1
            { "e": { "queries": [{ "n": 2 }, { "x": 1.5 }, { "f": true }] } } → BASE?n=2&x=1.5&f=true
            { "e": { "queries": [{ "q": "a b&c=d+é" }] } } → BASE?q=a%20b%26c%3Dd%2B%C3%A9
            { "e": { "path": "a?x=1", "queries": [{ "y": "2" }] } } → BASE/a?x=1&y=2
            { "headers": {}, "e": { "headers": {} } } → BASE
            { "headers": { "Accept": "a/b", "X": "1" }, "e": { "headers": {} } } → BASE Accept: a/b, X: 1
            { "headers": { "Accept": "a/b" }, "e": { "headers": { "X": "1" } } } → BASE Accept: a/b, X: 1
            { "headers": { "Accept": "a/b" }, "e": { "headers": { "Accept": "c/d" } } } → BASE Accept: c/d
            { "headers": { "Accept": "a/b", "X": "1" }, "e": { "headers": { "accept": "c/d" } } } → BASE X: 1, accept: c/d
            { "headers": { "X-API-KEY": "a" }, "e": { "headers": { "x-api-key": "" } } } → BASE x-api-key:\u{20}
            { "headers": { "X": "1" }, "host": "h.example", "e": { "path": "a" } } → https://h.example/a X: 1
            { "e": { "path": "a" }, "host": "h.example", "headers": { "X": "1" } } → https://h.example/a X: 1
            """
        for row in table.components(separatedBy: "\n") {
            let parts = row.components(separatedBy: " → ")
            let request = try request(catalog(parts[0]).route("e"))
            #expect(request == parts[1], "\(row)")
        }
    }

    @Test func `An endpoint can set every property of a route, and shares authorization and timeout`() throws {
        let catalog = try catalog(
            """
            { "authorization": "none", "timeout": 30, "a": {}, "b": { "authorization": "optional" },
              "e": {
                "path": "a", "httpMethod": "PUT", "authorization": "required", "timeout": 2.5, "mock": "a/b",
                "body": { "list": [1, 1.5, true, null, "x"] } } }
            """)
        let routes = try catalog.names.map { try catalog.route($0) }
        #expect(routes.map(\.name) == ["a", "b", "e"])
        #expect(routes.map(\.authorization) == [.none, .optional, .required])
        #expect(routes.map(\.timeout) == [.seconds(30), .seconds(30), .milliseconds(2500)])
        #expect(routes.map(\.mock) == [nil, nil, "a/b"])
        #expect(
            try request(routes[2])
                == #"PUT BASE/a Content-Type: application/json {"list":[1,1.5,true,null,"x"]}"#)
    }

    @Test func `A timeout is clamped to what a duration can represent`() throws {
        for timeout in ["1e300", "9223372036854775807", "1e-300"] {
            #expect(try route("{ \"timeout\": \(timeout) }").timeout ?? .zero > .zero, "\(timeout)")
        }
    }

    // MARK: Arguments

    private struct Owner: Encodable, Sendable {
        var name: String
        var id: Int
    }

    private enum Sort: String, Encodable, Sendable {
        case ascending = "asc"
    }

    @Test func `An argument in a path is escaped, and may make no segment empty or a dot segment`() throws {
        let rows: [Row] = [
            ("users/{x}/repos", "a b?c#d%2F&é", "users/a%20b%3Fc%23d%252F%26%C3%A9/repos"),
            ("users/me-{x}.json", 7, "users/me-7.json"), ("{x}/{x}", "a", "a/a"), ("items/{x}", true, "items/true"),
            ("items/{x}", 1.5, "items/1.5"), ("items/{x}", 2.0, "items/2"), ("items/{x}", Sort.ascending, "items/asc"),
            ("items?q={x}", "a&b=c", "items?q=a%26b%3Dc"),
            ("items/{x}", Date(timeIntervalSince1970: 0), "items/1970-01-01T00%3A00%3A00Z"),
            ("items/%7Bx%7D/{x}", 1, "items/%7Bx%7D/1"), ("items/{x}", "{x}", "items/%7Bx%7D"),
            ("items/{{x}}/{x}", 1, "items/%7Bx%7D/1"), ("items/{{{x}}}", 1, "items/%7B1%7D"),
            // A combining mark after a placeholder is text.
            ("items/{x}\u{301}", "e", "items/e%CC%81"),
        ]
        for (path, argument, result) in rows {
            let request = try request(route("{ \"path\": \"\(path)\" }", ["x": argument]))
            #expect(request == "BASE/\(result)", "\(path)")
        }
        for argument in ["", ".", ".."] {
            let route = try route(#"{ "path": "users/{x}/repos" }"#, ["x": argument])
            try failure(.invalidRoute) { try request(route) }
        }
    }

    @Test func `An argument in a query is written in the format of the dialect`() throws {
        let rows: [Row] = [
            ("{x}", "a b&c", "q=a%20b%26c"), ("{x}", [1, 2], "q=1&q=2"), ("page-{x}", 2, "q=page-2"),
            ("{x}{x}", "a", "q=aa"), ("name:{x}", "{y}", "q=name%3A%7By%7D"),
            ("{{x}}{x}", "{{x}}", "q=%7Bx%7D%7B%7Bx%7D%7D"), ("{x}", ["a": 1], "q%5Ba%5D=1"),
            ("{{\u{301}x}}\u{301}{x}", "e", "q=%7B%CC%81x%7D%CC%81e"),
        ]
        for (text, argument, result) in rows {
            let route = try route("{ \"queries\": [{ \"q\": \"\(text)\" }] }", ["x": argument])
            let dialect: QueryDialect = argument is [String: Int] ? .rails : .standard
            let request = try request(route.dialect(dialect))
            #expect(request == "BASE?\(result)", "\(text)")
        }
    }

    @Test func `An argument in JSON keeps its type`() throws {
        let rows: [Row] = [
            (#""{x}""#, "a\"b", #""a\"b""#), (#""{x}""#, 3, "3"), (#""{x}""#, -2.5, "-2.5"),
            (#""{x}""#, false, "false"), (#""{x}""#, ["a", "b"], #"["a","b"]"#),
            (#""{x}""#, ["b": 1, "a": 2], #"{"a":2,"b":1}"#),
            (#""{x}""#, Owner(name: "n", id: 1), #"{"id":1,"name":"n"}"#),
            (#""{x}""#, Date(timeIntervalSince1970: 0.25), #""1970-01-01T00:00:00.250Z""#),
            (#""no. {x}""#, 3, #""no. 3""#), (#""{x}{x}""#, 3, #""33""#),
            (#""{{ \"a\": {x} }}""#, 3, #""{ \"a\": 3 }""#), (#"["{{x}}", "{x}"]"#, 3, #"["{x}",3]"#),
            (#""{{{{{x}""#, 3, #""{{3""#), (#"[["{x}"]]"#, 3, "[[3]]"),
            (#"{ "deep": [{ "{y}": "{x}" }] }"#, 3, #"{"deep":[{"{y}":3}]}"#), (#""{x}""#, "{x}", #""{x}""#),
            (#"["{x}", "{x}-{x}"]"#, "{x}", #"["{x}","{x}-{x}"]"#),
        ]
        let head = "POST BASE Content-Type: application/json "
        for (json, argument, result) in rows {
            let route = try route("{ \"httpMethod\": \"POST\", \"body\": { \"v\": \(json) } }", ["x": argument])
            let request = try request(route)
            #expect(request == "\(head){\"v\":\(result)}", "\(json)")
        }
        let route = try route(#"{ "httpMethod": "POST", "body": "{x}" }"#, ["x": Owner(name: "n", id: 1)])
        #expect(try request(route) == head + #"{"id":1,"name":"n"}"#, "a body that is one argument")
    }

    @Test func `An argument in a header is text, which cannot start another header`() throws {
        let made = try route(
            #"{ "headers": { "X-Trace": "{id}/{n}", "X-Form": "{{{n}}}{{n}}", "Authorization": "Token {token}" } }"#,
            ["id": "a b", "n": 2, "token": "{id}"])
        #expect(try request(made) == "BASE Authorization: Token {id}, X-Form: {2}{n}, X-Trace: a b/2")
        let broken = try route(#"{ "headers": { "X-A": "{x}" } }"#, ["x": "1\r\nX-B: 2"])
        let error = try failure(.invalidRoute) { try request(broken) }
        #expect(error.message.contains("X-A"))
    }

    @Test func `The fields of one value can be the arguments, also for shared values`() throws {
        let catalog = try catalog(#"{ "path": "users/{name}", "e": { "queries": [{ "id": "{id}" }] } }"#)
        #expect(try request(catalog.route("e", Parameters(Owner(name: "a b", id: 7)))) == "BASE/users/a%20b?id=7")
    }

    // MARK: Calls

    private struct Repository: Decodable, Equatable, Sendable { var name: String }

    @Test func `An endpoint from a file is sent like any route, and an error has its name`() async throws {
        let transport = StubTransport(201, [:], #"{ "name": "hello" }"#)
        let client = transport.client { $0.authorization = .bearer("t") }
        let catalog = try catalog(
            """
            { "create": { "path": "user/repos", "httpMethod": "POST", "body": { "name": "{name}" } },
              "login": { "path": "login", "authorization": "none" },
              "elsewhere": { "host": "other.example", "path": "x" },
              "strict": { "host": "other.example", "path": "x", "authorization": "required" },
              "trusted": { "host": "other.example", "path": "x", "authorization": "anywhere" } }
            """)
        let created = try await client.send(catalog.route("create", ["name": "hello"]), as: Repository.self)
        try await client.send(catalog.route("login"))
        try await client.send(catalog.route("elsewhere").query("page", 2))
        try await client.send(catalog.route("trusted"))
        let errors = try await [
            failure { try await client.send(catalog.route("strict")) },
            failure { try await StubTransport(404).client().send(catalog.route("login")) },
        ]
        #expect((created.name, errors.map(\.route)) == ("hello", ["strict", "login"]))
        let requests = transport.requests.map { request in
            [
                request.url?.absoluteString, request.value(forHTTPHeaderField: "Authorization"),
                request.httpBody.map { String(decoding: $0, as: UTF8.self) },
            ]
        }
        #expect(
            requests == [
                ["https://api.example.com/user/repos", "Bearer t", #"{"name":"hello"}"#],
                ["https://api.example.com/login", nil, nil], ["https://other.example/x?page=2", nil, nil],
                ["https://other.example/x", "Bearer t", nil],
            ])
    }
}
