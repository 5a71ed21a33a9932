import CallSupport
import FingerpostCallbacks
import FingerpostTesting

@testable import Fingerpost

/// Routes that name keys of the environment.
@Suite(.inTurn) struct RouteKeyTests {
    private static let values: Parameters = [
        "baseURL": "https://h.invalid/v1", "tenant": "a b/c", "dots": "..", "port": 8080, "flag": true, "empty": "",
        "oauth": ["clientID": "id-1"] as Parameters, "list": ["x", "y"], "key": "s3cret-value", "$secrets": ["key"],
        "unset": JSONValue.null, "$optional": ["unset"],
    ]

    private static func request(
        _ route: Route, configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> URLRequest {
        let transport = StubTransport(200)
        try await transport.client(in: Environment("Live", values: values), configure).send(route)
        return transport.requests[0]
    }

    private static func url(_ route: Route) async throws -> String? { try await request(route).url?.absoluteString }

    private static func body(_ route: Route) async throws -> String? { try await request(route).httpBody?.text }

    private static func error(_ route: Route) async -> APIError? {
        await #expect(throws: APIError.self) { try await request(route) }
    }

    private static let text = "{env.tenant}"

    private static let urls: [(Route, String)] = [
        (.get("tenants/\(environment: "tenant")/users"), "https://h.invalid/v1/tenants/a%20b%2Fc/users"),
        (.get("\(environment: "port")"), "https://h.invalid/v1/8080"),
        (
            .get("x?a=\(environment: "tenant")&b=\(environment: "flag")").query("c", 1),
            "https://h.invalid/v1/x?a=a%20b%2Fc&b=true&c=1"
        ),
        (.get("https://\(environment: "oauth.clientID").invalid/x"), "https://id-1.invalid/x"),
        (.get("a/\(environment: "port")?q=1").appending("b c"), "https://h.invalid/v1/a/8080/b%20c?q=1"),
        // Braces in text and values are no keys.
        (
            .get("\(text)/\(raw: text)/{env.port}/\(environment: "port")"),
            "https://h.invalid/v1/%7Benv.tenant%7D/%7Benv.tenant%7D/%7Benv.port%7D/8080"
        ),
        (
            .get("t").parameters(["client_id": .environment("oauth.clientID"), "n": 1]),
            "https://h.invalid/v1/t?client_id=id-1&n=1"
        ),
    ]

    @Test func `URLs, forms, JSON and headers contain the values of their keys`() async throws {
        for (route, url) in Self.urls {
            let sent = try await Self.url(route)
            #expect(sent == url)
        }
        let parameters: Parameters = [
            "client_id": .environment("oauth.clientID"), "port": .environment("port"), "list": .environment("list"),
            "inner": ["flag": .environment("flag")] as Parameters, "x": 1,
        ]
        let form = Route.post("t")
            .parameters(["client_id": .environment("oauth.clientID"), "key": .environment("key")]).encoding(.form)
        let bodies = try await [Self.body(.post("t").parameters(parameters)), Self.body(form)]
        #expect(
            bodies == [
                #"{"client_id":"id-1","port":8080,"list":["x","y"],"inner":{"flag":true},"x":1}"#,
                "client_id=id-1&key=s3cret-value",
            ])
        let request = try await Self.request(
            .get("t").header("X-Tenant", environment: "tenant").header("X-Key", environment: "key").header("X", "y"))
        let sent = ["X-Tenant", "X-Key", "X"].map { request.value(forHTTPHeaderField: $0) }
        #expect(sent == ["a b/c", "s3cret-value", "y"])
    }

    @Test func `A route's header replaces the client's, by key or not`() async throws {
        var headers: HTTPHeaders = ["A": "text", "C": "text"]
        headers.add("B", environment: "port")
        let fixed = headers
        let request = try await Self.request(
            .get("t").header("a", environment: "flag").header("b", "own")
        ) { $0.headers = fixed }
        #expect(["A", "B", "C"].map(request.value(forHTTPHeaderField:)) == ["true", "own", "text"])
        let other = try await Self.request(.get("https://other.invalid/x")) { $0.headers = fixed }
        // The value of a key counts as a credential of the client.
        #expect(["B", "C"].map(other.value(forHTTPHeaderField:)) == [nil, "text"])
    }

    @Test func `A secret goes into a URL only if the route reveals it, and no error shows it`() async throws {
        #expect(
            try await Self.url(.get("tiles?key=\(revealing: "key")")) == "https://h.invalid/v1/tiles?key=s3cret-value")
        for route in [
            Route.get("tiles/\(environment: "key")"), .get("tiles?key=\(environment: "key")"),
            .get("tiles").parameters(["key": .environment("key")]),
        ] {
            let error = await Self.error(route)
            let seen = (error?.kind, error?.message, error?.fix?.contains(#"\(revealing: "key")"#))
            #expect(
                seen == (
                    .invalidRoute,
                    #"the route names the environment key "key", which is a secret of Live, and URLs are kept in logs"#,
                    true
                ))
        }
        let failing = try StubTransport(500).client(in: Environment("Live", values: Self.values))
        let tiles = Route.get("tiles?key=\(revealing: "key")").header("X", environment: "key")
        let error = try await failure { try await failing.send(tiles) }
        #expect(!"\(error) \(error.curl ?? "")".contains("s3cret-value"))
    }

    @Test(arguments: [
        ("tenat", #"Live does not have (did you mean "tenant"?)"#), ("unset", "has no value in Live"),
        ("oauth", "is a dictionary in Live"),
    ])
    func `A key without a value is an error, wherever it is named`(_ key: String, _ message: String) async {
        for route in [
            Route.get("a/\(environment: key)"), .get("a").header("X", environment: key),
            .get("a").parameters(["x": .environment(key)]), .post("a").parameters(["x": .environment(key)]),
            .post("a").parameters(["x": .environment(key)]).encoding(.form),
        ] {
            let error = await Self.error(route)
            let text = "the route names the environment key \"\(key)\", which \(message)"
            #expect((error?.kind, error?.message, error?.fix == nil) == (.invalidRoute, text, false), "\(route)")
        }
    }

    @Test func `A list has no text, a value must not change where a path leads, and each key needs an environment`()
        async
    {
        var messages: [String?] = []
        for key in ["list", "dots", "empty"] {
            messages.append(await Self.error(.get("a/\(environment: key)/b"))?.message)
        }
        let route = Route.get("a/\(environment: "tenant")")
        messages += [
            routeFailure { try route.urlRequest(relativeTo: URL(string: "https://h.invalid")) }, "\(route.path)",
        ]
        #expect(
            messages == [
                #"the environment key "list" is a list, which cannot be written into a path"#,
                #"a segment of the path "a/../b" is "..""#, #"a segment of the path "a//b" is empty"#,
                #"invalid route: the route names the environment key "tenant", and there is no environment. "#
                    + "Fix: send the route with a client that has one", "a/{env.tenant}",
            ])
    }

    @Test func `A sealed environment needs no secrets for routes that name them`() async throws {
        let environment = try Environment(
            "Testing",
            values: ["baseURL": "https://t.invalid", "$secrets": ["key"], "key": JSONValue.null, "$network": "sealed"])
        try await APIScope(environment: environment).run {
            Mocks.set("x", .status(204))
            try await APIClient().send(Route.post("x").parameters(["key": .environment("key")]).mock("x"))
            #expect(Mocks.calls.map { $0.request.httpBody?.text } == [#"{"key":"<secret key>"}"#])
        }
    }

    @Test func `Routes with other keys differ`() {
        var (one, other): (HTTPHeaders, HTTPHeaders) = (["A": "b"], ["A": "b"])
        let wereEqual = one == other
        one.add("X", environment: "a")
        other.add("X", environment: "b")
        #expect(wereEqual && one != other && ("a/\(environment: "x")" as RoutePath) != "a/\(revealing: "x")")
    }
}
