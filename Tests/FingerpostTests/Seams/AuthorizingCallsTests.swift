import CallSupport

@testable import Fingerpost

@Suite("Authorizing calls", .inTurn)
struct AuthorizingCallsTests {
    private static let kinds: [(Authorization, header: String, value: String)] = [
        (.basic(user: "u", password: "p"), "Authorization", "Basic dTpw"),
        // RFC 7617 section 2.1.
        (.basic(user: "test", password: "123£"), "Authorization", "Basic dGVzdDoxMjPCow=="),
        (.basic(user: "", password: "a:b"), "Authorization", "Basic OmE6Yg=="),
        (.bearer("t"), "Authorization", "Bearer t"),
        // A user without a password, or a password without a user, is a credential.
        (.basic(user: "key", password: ""), "Authorization", "Basic a2V5Og=="),
        (.basic(user: "", password: "key"), "Authorization", "Basic OmtleQ=="),
        (.custom(header: "X-Api-Key", value: "k"), "X-Api-Key", "k"),
        (.dynamic { .bearer("d") }, "Authorization", "Bearer d"),
        (.dynamic { .dynamic { .custom(header: "X-Key", value: "deep") } }, "X-Key", "deep"),
    ]

    @Test func `Each kind of credentials is sent in its header`() async throws {
        for (authorization, header, value) in Self.kinds {
            let transport = StubTransport(200)
            let client = transport.client { $0.authorization = authorization }
            for route in [Route.get("x"), .get("x").authorization(.required)] { try await client.send(route) }
            #expect(transport.sent(header) == [value, value])
        }
    }

    /// Credentials that are none.
    private static let nothings: [Authorization] = [
        .bearer(""), .bearer(" \n"), .basic(user: "", password: ""), .custom(header: "X-Api-Key", value: " "),
        .custom(header: .authorization, value: "Bearer"), .dynamic { .bearer("") },
        .combined(.bearer(""), .custom(header: "X-Api-Key", value: "")),
        .perEnvironment { _ in .bearer("") }, .refreshing(InMemoryCredentialStore(" ")) { _ in "t" },
    ]

    @Test(arguments: nothings.indices) func `Empty credentials are none`(index: Int) async throws {
        let transport = StubTransport(200)
        let environment = try Environment("Live", values: ["baseURL": "https://api.example.com"])
        let client = try transport.client(in: environment) { $0.authorization = Self.nothings[index] }
        try await client.send(Route.get("x"))
        for route in [Route.get("x"), .get("x").header(.authorization, "Bearer ")] {
            let error = try await failure(.authorization) { try await client.send(route.authorization(.required)) }
            #expect(error.message.contains("the client's is empty"))
        }
        #expect(transport.requests.map { $0.values("Authorization", "X-Api-Key") } == ["- -"])
    }

    private static let basics = [("a:b", "c"), (":", ""), ("a", "secret-7\n"), ("a\u{7F}", "secret-7")].flatMap {
        let basic = Authorization.basic(user: $0.0, password: $0.1)
        return [basic, .combined(.bearer("t"), basic), .dynamic { basic }]
    }

    /// A token that already has the scheme, one that would start another header, and Basic credentials that a server
    /// would read as others.
    private static let invalid: [(list: [Authorization], kind: APIError.Kind, fix: String?)] = [
        (
            [.bearer("Bearer secret-7"), .refreshing(InMemoryCredentialStore("bearer secret-7")) { _ in "t" }],
            .authorization, "pass the token alone"
        ),
        (
            ["t\r\nX-Evil: 1"].flatMap { [.bearer($0), .refreshing(InMemoryCredentialStore($0)) { _ in "new" }] },
            .invalidRoute, "remove the line break, or encode the value"
        ),
        (
            basics, .authorization,
            "correct them, such as a line break at the end of the file that they were read from"
        ),
    ]

    @Test func `Invalid credentials fail the call, which shows none of them, and are not sent`() async throws {
        for (list, kind, fix) in Self.invalid {
            for (index, authorization) in list.enumerated() {
                let transport = StubTransport(200)
                let client = transport.client { $0.authorization = authorization }
                let error = try await failure(kind) { try await client.send(Route.get("x")) }
                try await client.send(Route.get("open").authorization(.none))
                let isShown = ["secret-7", "X-Evil"].contains { "\(error)".contains($0) }
                #expect(
                    (error.fix, isShown, transport.requests.map(\.url?.path)) == (fix, false, ["/open"]), "\(index)")
            }
        }
    }

    @Test func `A header of the client that a route removes is not sent, and a removed credential is missing`()
        async throws
    {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.headers.merge(["X-Organization": "org-1", "X-Trace": "7", "Content-Type": "application/vnd.api+json"])
            $0.authorization = .bearer("t")
        }
        struct Export: Routable {
            var path: RoutePath { "export" }
            var headers: HTTPHeaders {
                HTTPHeaders().without("x-organization").without(.authorization).merging(["Accept": "text/csv"])
            }
        }
        try await client.send(Route.get("x").withoutHeader("X-Organization"))
        try await client.send(Export())
        try await client.send(Route.get("x").header("X-Trace", "8").withoutHeader("x-trace").header("X-Trace", "9"))
        try await client.send(Route.get("x").header("X-Trace", nil).configure { _ in }.withoutHeader("X-Organization"))
        try await client.send(Route.post("x").json([1]).withoutHeader(.contentType).withoutHeader(.accept))
        for route in [Route.get("x").withoutHeader(.authorization), Export().authorization(.optional)] {
            let error = try await failure(.authorization) { try await client.send(route.authorization(.required)) }
            #expect(error.message.contains("removed by the route"))
        }
        let sent = transport.requests.map {
            $0.values("X-Organization", "X-Trace", "Authorization", "Accept", "Content-Type")
        }
        #expect(
            sent == [
                "- 7 Bearer t */* application/vnd.api+json", "- 7 - text/csv application/vnd.api+json",
                "org-1 9 Bearer t */* application/vnd.api+json", "- 7 Bearer t */* application/vnd.api+json",
                "org-1 7 Bearer t - application/json",
            ])
    }

    @Test func `Dynamic credentials are requested for every call`() async throws {
        let number = Locked(0)
        let transport = StubTransport(200)
        let client = transport.client {
            $0.authorization = .dynamic {
                let next = number.next()
                return next == 2 ? nil : .bearer("\(next)")
            }
        }
        for _ in 1...3 { try await client.send(Route.get("x")) }
        try await client.send(Route.get("x").authorization(.none))
        try await client.send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Bearer 1", nil, "Bearer 3", nil, "Bearer 4"])
    }

    @Test func `An error from dynamic credentials fails the call, and nothing is sent`() async throws {
        struct Locked: Error {}
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .dynamic { throw Locked() } }
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect((error.underlying is Locked, transport.requests) == (true, []))
    }

    // MARK: Which routes

    @Test func `A URLRequest gets credentials by the same rule`() async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .bearer("t") }
        for url in ["https://api.example.com/x", "https://other.example/x"] {
            let request = URLRequest(url: try #require(URL(string: url)))
            _ = try await client.response(for: request)
        }
        #expect(transport.sent("Authorization") == ["Bearer t", nil])
    }

    @Test func `A route that requires credentials is not sent without them`() async throws {
        for policy in [AuthorizationPolicy.required, .anywhere] {
            for authorization in [nil, .dynamic { nil }] as [Authorization?] {
                let transport = StubTransport(200)
                let client = transport.client { $0.authorization = authorization }
                let route = Route.get("me").authorization(policy).named("Me")
                let error = try await failure(.authorization) { try await client.send(route) }
                let isExplained = error.message.contains("requires authorization") && error.fix != nil
                // A route that does not require them is sent.
                try await client.send(Route.get("x"))
                let sent = transport.requests.map(\.url?.path)
                #expect((isExplained, error.route, sent) == (true, "Me", ["/x"]), "\(policy), \(authorization as Any)")
            }
        }
    }

    @Test func `A header of the route or of middleware takes precedence, and the route's satisfies a policy`()
        async throws
    {
        let transport = StubTransport(200)
        for policy in [AuthorizationPolicy.optional, .required, .none] {
            for authorization in [Authorization.bearer("client"), nil] {
                let client = transport.client { $0.authorization = authorization }
                try await client.send(Route.get("x").header("authorization", "Bearer route").authorization(policy))
            }
        }
        let client = transport.client {
            $0.authorization = .bearer("t")
            $0.middleware = [ChangingMiddleware { $0.setValue("Signed 1", forHTTPHeaderField: "Authorization") }]
        }
        try await client.send(Route.get("x"))
        #expect(transport.sent("Authorization") == Array(repeating: "Bearer route", count: 6) + ["Signed 1"])
    }

    /// The route, the status of the answer, and whether the error says that the client's credentials were left out.
    private static let refused: [(Route, status: Int, isNoted: Bool)] = [
        (.get("x").baseURLKey("files"), 401, true), (.get("x").baseURLKey("files"), 403, true),
        (.get("https://other.example/x"), 401, true), (.get("x").host("other.example"), 401, true),
        (.get("x").baseURLKey("files"), 404, false), (.get("x"), 401, false),
        (.get("x").baseURLKey("files").authorization(.required), 401, false),
        (.get("https://other.example/x").authorization(.anywhere), 401, false),
        (.get("x").baseURLKey("files").authorization(.none), 401, false),
        (.get("x").baseURLKey("files").header("X-Api-Key", "own"), 401, false),
    ]

    @Test(arguments: refused.indices, [false, true])
    func `Another server's refusal says that credentials were left out`(_ index: Int, hasHeaders: Bool) async throws {
        let (route, status, isNoted) = Self.refused[index]
        let environment = try Environment(
            "Live", values: ["baseURL": "https://api.example.com", "files": "https://files.example.com"])
        let client = try StubTransport(status).client(in: environment) {
            if hasHeaders { $0.headers = ["Authorization": "Bearer t"] } else { $0.authorization = .bearer("t") }
        }
        let error = try await failure(.status(status)) { try await client.send(route) }
        let notes = [
            "; the client's credentials were left out, because they go to the server of its base URL alone",
            ".authorization(.anywhere), or .required with its baseURLKey",
        ]
        #expect(notes.map { error.message.contains($0) } == [isNoted, isNoted], "\(error)")
    }

    /// The route, and whether the client's credentials are sent with it.
    private static let routes: [(Route, isSent: Bool)] = [
        (.get("x"), true), (.get("x").authorization(.required), true), (.get("x").authorization(.none), false),
        (.get("https://api.example.com/y"), true), (.get("https://API.example.com:443/y"), true),
        (.get("http://api.example.com/y"), false), (.get("https://api.example.com:8443/y"), false),
        (.get("https://example.com/y"), false), (.get("https://api.example.com.evil.example/y"), false),
        (.get("https://api.example.com@evil.example/y"), false),
        (.get("https://other.example/y").authorization(.anywhere), true),
        (.get("https://other.example/y").authorization(.none), false),
        (.get("x").host("other.example"), false), (.get("x").host("api.example.com"), true),
        (.get("x").host("other.example").authorization(.anywhere), true),
        (.post("https://other.example/y").json([1]), false), (.get("x").baseURLKey("auth"), false),
        (.get("x").baseURLKey("auth").authorization(.required), true), (.get("x").baseURLKey("files"), true),
    ]

    @Test(arguments: routes)
    func `The configuration's headers that are credentials go where its authorization goes`(
        _ route: Route, _ isSent: Bool
    ) async throws {
        let environment = try Environment(
            "Live",
            values: [
                "baseURL": "https://api.example.com", "auth": "https://auth.example.com",
                "files": "https://api.example.com/files",
            ])
        let transport = StubTransport(200)
        let client = try transport.client(in: environment) {
            $0.authorization = .combined(
                .custom(header: "X-Foo", value: "t"), .custom(header: "X-Bar", value: "u"),
                .custom(header: "X-Foo", value: "second"))
            $0.headers = ["Authorization": "Bearer t", "X-Api-Key": "k", "Cookie": "a=b", "X-Trace": "7"]
        }
        try await client.send(route)
        try await client.send(route.header("x-api-key", "own").header("x-bar", "own"))
        // A policy is about the client's authorization, so at home it does not hide headers.
        let isShown = isSent || route.path == "x" && route.authorization == .none
        let names = (isShown ? "Bearer t" : "-", isShown ? "k" : "-", isShown ? "a=b" : "-")
        let sent = transport.requests.map {
            $0.values("X-Foo", "X-Bar", "X-Trace", "Authorization", "X-Api-Key", "Cookie")
        }
        #expect(
            sent == [
                "\(isSent ? "t u" : "- -") 7 \(names.0) \(names.1) \(names.2)",
                "\(isSent ? "t" : "-") own 7 \(names.0) own \(names.2)",
            ])
    }

    // MARK: Redirects

    /// Credentials of a client, all in the header `X-Foo`.
    private static let ownHeaders: [(Authorization, AuthorizationPolicy)] = [
        (.custom(header: "X-Foo", value: "client"), .optional), (.custom(header: "X-Foo", value: "client"), .none),
        (.dynamic { .custom(header: "X-Foo", value: "client") }, .optional),
        (.combined(.bearer("t"), .custom(header: "x-foo", value: "client")), .required),
        (.custom(header: "X-Foo", value: "client"), .anywhere),
    ]

    @Test(arguments: ownHeaders.indices, [true, false])
    func `A redirect to another origin drops the header of the client's authorization, whoever set it`(
        _ index: Int, isSetByRoute: Bool
    ) async throws {
        let (authorization, policy) = Self.ownHeaders[index]
        let transport = StubTransport { _, index in
            switch index {
            case 0: (302, [.location: "/here"], "")
            case 1: (307, [.location: "https://other.example/y"], "")
            default: (500, [:], #"{"message": "no credit for another-users-key"}"#)
            }
        }
        let client = transport.client {
            $0.authorization = authorization
            if isSetByRoute { return }
            $0.middleware = [ChangingMiddleware { $0.setValue("another-users-key", forHTTPHeaderField: "X-Foo") }]
        }
        var route = Route.get("x").header("X-Trace", "7").authorization(policy)
        if isSetByRoute { route = route.header("X-Foo", "another-users-key") }
        let error = try await failure { try await client.send(route) }
        let sent = transport.requests.map { $0.values("X-Foo", "X-Trace") }
        let expected = ["another-users-key 7", "another-users-key 7", "- 7"]
        #expect((sent, error.serverMessage) == (expected, "no credit for <redacted>"))
    }

    @Test func `A redirect drops the header of a dynamic authorization that a call does not ask`() async throws {
        let transport = StubTransport { request, _ in
            request.url?.path.hasSuffix("/go") == true
                ? (302, [.location: "https://other.example/y"], "") : (200, [:], "")
        }
        let client = transport.client { $0.authorization = .dynamic { .custom(header: "X-Foo", value: "client") } }
        try await client.send(Route.get("x"))
        try await client.send(Route.get("go").header("X-Foo", "another-users-key").authorization(.none))
        #expect(transport.sent("X-Foo") == ["client", "another-users-key", nil])
    }

    @Test func `A line for a shell hides the header of the client's authorization, whoever set it`() async throws {
        let client = StubTransport(500).client { $0.authorization = .custom(header: "X-Foo", value: "client") }
        let error = try await failure { try await client.send(Route.get("x").header("X-Foo", "another-users-key")) }
        #expect(error.curl?.contains(#"-H 'X-Foo: '"$FOO_TOKEN""#) == true, "\(error.curl ?? "")")
    }

    @Test func `Credentials are added after middleware, which never sees them, to each request that it sends`()
        async throws
    {
        let (transport, count) = (StubTransport(200), Locked(0))
        let seen = Locked<[String]>([])
        let note = { @Sendable (request: URLRequest) in seen.withLock { $0.append(request.values("Authorization")) } }
        let client = transport.client {
            $0.authorization = .dynamic { .bearer("\(count.next())") }
            $0.middleware = [RepeatingMiddleware(between: { note($0.request) }, first: note)]
        }
        let response = try await client.response(for: Route.get("x"), as: Data.self)
        #expect(transport.sent("Authorization") == ["Bearer 1", "Bearer 2"])
        #expect((seen.withLock { $0 }, response.request.values("Authorization")) == (["-", "-"], "Bearer 2"))
    }
}
