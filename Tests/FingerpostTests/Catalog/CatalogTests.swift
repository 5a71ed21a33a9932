import CallSupport
import FingerpostCatalog

/// Routes made from endpoint files.
@Suite(.inTurn) struct CatalogTests {
    private func catalog(_ json: String) throws -> EndpointCatalog { try EndpointCatalog(data: Data(json.utf8)) }

    /// The endpoint `e` of a file, with its arguments.
    private func route(_ endpoint: String, shared: String = "", _ arguments: Parameters = [:]) throws -> Route {
        try catalog("{ \(shared) \"e\": \(endpoint) }").route("e", arguments)
    }

    private let base = URL(string: "https://api.example.com/v1")

    private func url(_ route: Route) throws -> String? {
        try route.urlRequest(relativeTo: base).url?.absoluteString
    }

    private func body(_ route: Route) throws -> String? {
        try route.urlRequest(relativeTo: base).httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `A combining mark after a placeholder is text`() throws {
        let mark = "\u{301}"
        let made = try route(
            "{ \"path\": \"a/{name}\(mark)\", \"queries\": { \"q\": \"{{\(mark)x}}\(mark){name}\" } }", ["name": "e"])
        #expect(try url(made) == "https://api.example.com/v1/a/e%CC%81?q=%7B%CC%81x%7D%CC%81e")
    }

    // MARK: Inheritance

    /// The shared values, the endpoint's values, and the resulting URL.
    private static let urls: [(shared: String, endpoint: String, url: String)] = [
        ("", #"{}"#, "https://api.example.com/v1"), ("", #"{ "path": "a/b" }"#, "https://api.example.com/v1/a/b"),
        ("", #"{ "path": "/a/b" }"#, "https://api.example.com/v1/a/b"),
        ("", #"{ "host": "h.example", "path": "/a" }"#, "https://h.example/a"),
        ("", #"{ "host": "h.example" }"#, "https://h.example"),
        ("", #"{ "host": "h.example", "scheme": "http", "path": "a" }"#, "http://h.example/a"),
        ("", #"{ "host": "h.example", "port": 8080, "path": "a" }"#, "https://h.example:8080/a"),
        ("", #"{ "host": "[::1]", "port": 1, "scheme": "http", "path": "a" }"#, "http://[::1]:1/a"),
        ("", #"{ "path": "https://other.example/x" }"#, "https://other.example/x"),
        (#""host": "h.example", "path": "a","#, #"{}"#, "https://h.example/a"),
        (#""host": "h.example", "path": "a","#, #"{ "path": "b" }"#, "https://h.example/b"),
        (#""host": "h.example", "path": "a","#, #"{ "path": "" }"#, "https://h.example"),
        (#""host": "h.example", "port": 81, "scheme": "http","#, #"{ "port": 82 }"#, "http://h.example:82"),
        (#""host": "h.example","#, #"{ "host": "i.example" }"#, "https://i.example"),
        (#""queries": [{ "a": "1" }],"#, #"{}"#, "https://api.example.com/v1?a=1"),
        (#""queries": [{ "a": "1" }],"#, #"{ "queries": [{ "b": "2" }] }"#, "https://api.example.com/v1?b=2"),
        (#""queries": [{ "a": "1" }],"#, #"{ "queries": [] }"#, "https://api.example.com/v1"),
        (
            "", #"{ "queries": [{ "b": "2", "a": "1" }, { "b": "3" }] }"#,
            "https://api.example.com/v1?b=2&a=1&b=3"
        ),
        ("", #"{ "queries": { "b": "2", "a": "1" } }"#, "https://api.example.com/v1?b=2&a=1"),
        (
            "", #"{ "queries": [{ "n": 2 }, { "x": 1.5 }, { "f": true }] }"#,
            "https://api.example.com/v1?n=2&x=1.5&f=true"
        ),
        ("", #"{ "queries": [{ "q": "a b&c=d+é" }] }"#, "https://api.example.com/v1?q=a%20b%26c%3Dd%2B%C3%A9"),
        ("", #"{ "path": "a?x=1", "queries": [{ "y": "2" }] }"#, "https://api.example.com/v1/a?x=1&y=2"),
    ]

    @Test(arguments: urls)
    func `An endpoint's values override the shared ones`(shared: String, endpoint: String, url: String) throws {
        #expect(try self.url(try route(endpoint, shared: shared)) == url)
    }

    @Test func `The order of the keys in the file does not matter`() throws {
        let after = try catalog(#"{ "e": { "path": "a" }, "host": "h.example", "headers": { "X": "1" } }"#).route("e")
        let before = try route(#"{ "path": "a" }"#, shared: #""headers": { "X": "1" }, "host": "h.example","#)
        #expect(try after.urlRequest() == before.urlRequest())
    }

    private static let headers: [(shared: String, own: String, fields: [String: String])] = [
        ("{}", "{}", [:]), (#"{ "Accept": "a/b", "X": "1" }"#, "{}", ["Accept": "a/b", "X": "1"]),
        (#"{ "Accept": "a/b" }"#, #"{ "X": "1" }"#, ["Accept": "a/b", "X": "1"]),
        (#"{ "Accept": "a/b" }"#, #"{ "Accept": "c/d" }"#, ["Accept": "c/d"]),
        (#"{ "Accept": "a/b", "X": "1" }"#, #"{ "accept": "c/d" }"#, ["accept": "c/d", "X": "1"]),
        (#"{ "X-API-KEY": "a" }"#, #"{ "x-api-key": "" }"#, ["x-api-key": ""]),
    ]

    @Test(arguments: headers)
    func `Headers merge, and the endpoint's own count`(shared: String, own: String, fields: [String: String]) throws {
        let route = try route("{ \"headers\": \(own) }", shared: "\"headers\": \(shared),")
        #expect(try route.urlRequest(relativeTo: base).allHTTPHeaderFields ?? [:] == fields)
    }

    @Test func `An endpoint can set every property of a route`() throws {
        let route = try route(
            """
            { "path": "a", "httpMethod": "PUT", "authorization": "required", "timeout": 2.5, "mock": "a/b",
              "body": { "list": [1, 1.5, true, null, "x"] } }
            """, shared: #""authorization": "none", "timeout": 30,"#)
        #expect(route.authorization == .required && route.timeout == .milliseconds(2500) && route.mock == "a/b")
        #expect(try (route.name, body(route)) == ("e", #"{"list":[1,1.5,true,null,"x"]}"#))
        #expect(try route.urlRequest(relativeTo: base).value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `Authorization and timeout are shared`() throws {
        let catalog = try catalog(
            #"{ "authorization": "none", "timeout": 30, "a": {}, "b": { "authorization": "optional" } }"#)
        #expect(try (catalog.route("a").authorization, catalog.route("b").authorization) == (.none, .optional))
        #expect(try catalog.route("b").timeout == .seconds(30))
    }

    @Test(arguments: ["1e300", "9223372036854775807", "1e-300"])
    func `A timeout is clamped to what a duration can represent`(timeout: String) async throws {
        let timeout = try #require(try route("{ \"timeout\": \(timeout) }").timeout)
        #expect(timeout > .zero)
    }

    // MARK: Arguments

    private struct Owner: Encodable, Sendable {
        var name: String
        var id: Int
    }

    private enum Sort: String, Encodable, Sendable {
        case ascending = "asc"
    }

    /// The path, the argument, and the path of the URL.
    private static let paths: [(String, any Encodable & Sendable, String)] = [
        ("users/{x}/repos", "a b?c#d%2F&é", "/v1/users/a%20b%3Fc%23d%252F%26%C3%A9/repos"),
        ("users/me-{x}.json", 7, "/v1/users/me-7.json"), ("{x}/{x}", "a", "/v1/a/a"),
        ("items/{x}", true, "/v1/items/true"), ("items/{x}", 1.5, "/v1/items/1.5"), ("items/{x}", 2.0, "/v1/items/2"),
        ("items/{x}", Sort.ascending, "/v1/items/asc"), ("items?q={x}", "a&b=c", "/v1/items?q=a%26b%3Dc"),
        ("items/{x}", Date(timeIntervalSince1970: 0), "/v1/items/1970-01-01T00%3A00%3A00Z"),
        ("items/%7Bx%7D/{x}", 1, "/v1/items/%7Bx%7D/1"), ("items/{x}", "{x}", "/v1/items/%7Bx%7D"),
        ("items/{{x}}/{x}", 1, "/v1/items/%7Bx%7D/1"), ("items/{{{x}}}", 1, "/v1/items/%7B1%7D"),
    ]

    @Test(arguments: paths)
    func `An argument in a path is escaped`(path: String, argument: any Encodable & Sendable, result: String) throws {
        let route = try route("{ \"path\": \"\(path)\" }", ["x": argument])
        #expect(try url(route) == "https://api.example.com" + result)
    }

    @Test(arguments: ["", ".", ".."])
    func `An argument that would make a segment empty or a dot segment is rejected`(argument: String) throws {
        let route = try route(#"{ "path": "users/{x}/repos" }"#, ["x": argument])
        try failure(.invalidRoute) { try url(route) }
    }

    private static let queries: [(String, any Encodable & Sendable, QueryDialect, String)] = [
        ("{x}", "a b&c", .standard, "q=a%20b%26c"), ("{x}", [1, 2], .standard, "q=1&q=2"),
        ("{x}", ["a": 1], .rails, "q%5Ba%5D=1"), ("page-{x}", 2, .standard, "q=page-2"),
        ("{x}{x}", "a", .standard, "q=aa"), ("name:{x}", "{y}", .standard, "q=name%3A%7By%7D"),
        ("{{x}}{x}", "{{x}}", .standard, "q=%7Bx%7D%7B%7Bx%7D%7D"),
    ]

    @Test(arguments: queries)
    func `An argument in a query is written in the format of the dialect`(
        value: String, argument: any Encodable & Sendable, dialect: QueryDialect, query: String
    ) throws {
        let route = try route("{ \"queries\": [{ \"q\": \"\(value)\" }] }", ["x": argument]).dialect(dialect)
        #expect(try route.urlRequest(relativeTo: base).url?.query ?? "" == query)
    }

    private static let values: [(String, any Encodable & Sendable, String)] = [
        (#""{x}""#, "a\"b", #""a\"b""#), (#""{x}""#, 3, "3"), (#""{x}""#, -2.5, "-2.5"), (#""{x}""#, false, "false"),
        (#""{x}""#, ["a", "b"], #"["a","b"]"#), (#""{x}""#, ["b": 1, "a": 2], #"{"a":2,"b":1}"#),
        (#""{x}""#, Owner(name: "n", id: 1), #"{"id":1,"name":"n"}"#),
        (#""{x}""#, Date(timeIntervalSince1970: 0.25), #""1970-01-01T00:00:00.250Z""#),
        (#""no. {x}""#, 3, #""no. 3""#), (#""{x}{x}""#, 3, #""33""#), (#""{{ \"a\": {x} }}""#, 3, #""{ \"a\": 3 }""#),
        (#"["{{x}}", "{x}"]"#, 3, #"["{x}",3]"#), (#""{{{{{x}""#, 3, #""{{3""#), (#"[["{x}"]]"#, 3, "[[3]]"),
        (#"{ "deep": [{ "{y}": "{x}" }] }"#, 3, #"{"deep":[{"{y}":3}]}"#), (#""{x}""#, "{x}", #""{x}""#),
        (#"["{x}", "{x}-{x}"]"#, "{x}", #"["{x}","{x}-{x}"]"#),
    ]

    @Test(arguments: values)
    func `An argument in JSON keeps its type`(value: String, argument: any Encodable & Sendable, json: String) throws {
        let route = try route("{ \"httpMethod\": \"POST\", \"body\": { \"v\": \(value) } }", ["x": argument])
        #expect(try body(route) == "{\"v\":\(json)}")
    }

    @Test func `A body may be one argument`() throws {
        let route = try route(#"{ "httpMethod": "POST", "body": "{x}" }"#, ["x": Owner(name: "n", id: 1)])
        #expect(try body(route) == #"{"id":1,"name":"n"}"#)
    }

    @Test func `An argument in a header is text`() throws {
        let route = try route(
            #"{ "headers": { "X-Trace": "{id}/{n}", "X-Form": "{{{n}}}{{n}}", "Authorization": "Token {token}" } }"#,
            ["id": "a b", "n": 2, "token": "{id}"])
        #expect(
            try route.urlRequest(relativeTo: base).allHTTPHeaderFields == [
                "X-Trace": "a b/2", "X-Form": "{2}{n}", "Authorization": "Token {id}",
            ])
    }

    @Test func `A line break in an argument cannot start a header`() throws {
        let route = try route(#"{ "headers": { "X-A": "{x}" } }"#, ["x": "1\r\nX-B: 2"])
        let error = try failure { try route.urlRequest(relativeTo: base) }
        #expect(error.kind == .invalidRoute && error.message.contains("X-A"))
    }

    @Test func `The fields of one value can be the arguments, also for shared values`() throws {
        let route = try route(
            #"{ "queries": [{ "id": "{id}" }] }"#, shared: #""path": "users/{name}","#,
            Parameters(Owner(name: "a b", id: 7)))
        #expect(try url(route) == "https://api.example.com/v1/users/a%20b?id=7")
    }

    // MARK: Calls

    private struct Repository: Decodable, Equatable, Sendable { var name: String }

    @Test func `An endpoint from a file is sent like any route`() async throws {
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
        #expect(created.name == "hello")
        try await client.send(catalog.route("login"))
        try await client.send(catalog.route("elsewhere").query("page", 2))
        try await client.send(catalog.route("trusted"))
        await #expect(throws: APIError.self) { try await client.send(catalog.route("strict")) }
        #expect(
            transport.requests.map { $0.url?.absoluteString } == [
                "https://api.example.com/user/repos", "https://api.example.com/login",
                "https://other.example/x?page=2", "https://other.example/x",
            ])
        #expect(transport.requests[0].httpBody == Data(#"{"name":"hello"}"#.utf8))
        #expect(transport.sent("Authorization") == ["Bearer t", nil, nil, "Bearer t"])
    }

    @Test func `An error names the endpoint`() async throws {
        let client = StubTransport(404).client()
        let route = try route(#"{ "path": "users/{x}" }"#, ["x": "secret"])
        let error = try await failure { try await client.send(route) }
        #expect(error.route == "e")
    }
}
