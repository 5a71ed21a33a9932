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
        (.custom(header: "X-Api-Key", value: "k"), "X-Api-Key", "k"),
        (.dynamic { .bearer("d") }, "Authorization", "Bearer d"),
        (.dynamic { .dynamic { .custom(header: "X-Key", value: "deep") } }, "X-Key", "deep"),
    ]

    @Test("Each kind of credentials is sent in its header", arguments: kinds)
    func kind(_ authorization: Authorization, _ header: String, _ value: String) async throws {
        let transport = StubTransport(200)
        try await transport.client { $0.authorization = authorization }.send(Route.get("x"))
        #expect(transport.requests[0].value(forHTTPHeaderField: header) == value)
    }

    /// Credentials that are none.
    private static let nothings: [Authorization] = [
        .bearer(""), .bearer(" \n"), .basic(user: "", password: ""), .custom(header: "X-Api-Key", value: " "),
        .custom(header: .authorization, value: "Bearer"), .dynamic { .bearer("") },
        .combined(.bearer(""), .custom(header: "X-Api-Key", value: "")),
        .perEnvironment { _ in .bearer("") }, .refreshing(InMemoryCredentialStore(" ")) { _ in "t" },
    ]

    @Test("Empty credentials are none", arguments: nothings.indices) func empty(index: Int) async throws {
        let transport = StubTransport(200)
        let environment = try Environment("Live", values: ["baseURL": "https://api.example.com"])
        let client = try transport.client(in: environment) { $0.authorization = Self.nothings[index] }
        try await client.send(Route.get("x"))
        let sent = ["Authorization", "X-Api-Key"].map { transport.requests[0].value(forHTTPHeaderField: $0) }
        #expect(sent == [nil, nil])
        for route in [Route.get("x"), .get("x").header(.authorization, "Bearer ")] {
            let error = try await failure(.authorization) { try await client.send(route.authorization(.required)) }
            #expect(error.message.contains("the client's is empty"))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("A user without a password, or a password without a user, is a credential") func halfEmpty() async throws {
        for authorization in [Authorization.basic(user: "key", password: ""), .basic(user: "", password: "key")] {
            let transport = StubTransport(200)
            try await transport.client { $0.authorization = authorization }
                .send(Route.get("x").authorization(.required))
            #expect(transport.sent("Authorization") != [nil])
        }
    }

    @Test("A token that already has the scheme is refused") func schemeTwice() async throws {
        let store = InMemoryCredentialStore("bearer secret-7")
        for authorization in [Authorization.bearer("Bearer secret-7"), .refreshing(store) { _ in "t" }] {
            let transport = StubTransport(200)
            let client = transport.client { $0.authorization = authorization }
            let error = try await failure(.authorization) { try await client.send(Route.get("x")) }
            #expect(error.fix == "pass the token alone" && !"\(error)".contains("secret-7"))
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("A header of the client that a route removes is not sent, and a removed credential is missing")
    func removed() async throws {
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
        let names = ["X-Organization", "X-Trace", "Authorization", "Accept", "Content-Type"]
        let sent = transport.requests.map { request in
            names.map { request.value(forHTTPHeaderField: $0) ?? "-" }.joined(separator: " ")
        }
        let (json, type) = ("application/json", "application/vnd.api+json")
        #expect(
            sent == [
                "- 7 Bearer t */* \(type)", "- 7 - text/csv \(type)", "org-1 9 Bearer t */* \(type)",
                "- 7 Bearer t */* \(type)", "org-1 7 Bearer t - \(json)",
            ])
        for route in [Route.get("x").withoutHeader(.authorization), Export().authorization(.optional)] {
            let error = try await failure(.authorization) { try await client.send(route.authorization(.required)) }
            #expect(error.message.contains("removed by the route"))
        }
        #expect(transport.requests.count == 5)
    }

    @Test("Basic credentials that a server would read as others are not sent") func invalidBasic() async throws {
        for (user, password) in [("a:b", "c"), (":", ""), ("a", "secret-7\n"), ("a\u{7F}", "secret-7")] {
            let transport = StubTransport(200)
            let invalid = Authorization.basic(user: user, password: password)
            for authorization in [invalid, .combined(.bearer("t"), invalid), .dynamic { invalid }] {
                let client = transport.client { $0.authorization = authorization }
                let error = try await failure(.authorization) { try await client.send(Route.get("x")) }
                #expect(!"\(error)".contains("secret-7"))
                try await client.send(Route.get("open").authorization(.none))
            }
            #expect(transport.requests.map(\.url?.lastPathComponent) == ["open", "open", "open"])
        }
    }

    @Test("Dynamic credentials are requested for every call") func dynamic() async throws {
        let number = Locked(0)
        let transport = StubTransport(200)
        let client = transport.client {
            $0.authorization = .dynamic {
                let next = number.next()
                return next == 2 ? nil : .bearer("\(next)")
            }
        }
        for _ in 1...3 { try await client.send(Route.get("x")) }
        #expect(transport.sent("Authorization") == ["Bearer 1", nil, "Bearer 3"])
        try await client.send(Route.get("x").authorization(.none))
        #expect(number.withLock { $0 } == 3)
    }

    @Test("An error from dynamic credentials fails the call, and nothing is sent") func dynamicThrows() async throws {
        struct Locked: Error {}
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .dynamic { throw Locked() } }
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.underlying is Locked)
        #expect(transport.requests.isEmpty)
    }

    @Test("Credentials that would start another header fail the call") func injected() async throws {
        let (transport, token) = (StubTransport(200), "t\r\nX-Evil: 1")
        for authorization in [Authorization.bearer(token), .refreshing(InMemoryCredentialStore(token)) { _ in "new" }] {
            let client = transport.client { $0.authorization = authorization }
            let error = try await failure(.invalidRoute) { try await client.send(Route.get("x")) }
            #expect(!"\(error)".contains("X-Evil"))
        }
        #expect(transport.requests.isEmpty)
    }

    // MARK: Which routes

    @Test("A URLRequest gets credentials by the same rule") func foreignRequest() async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .bearer("t") }
        for url in ["https://api.example.com/x", "https://other.example/x"] {
            let request = URLRequest(url: try #require(URL(string: url)))
            _ = try await client.response(for: request)
        }
        #expect(transport.sent("Authorization") == ["Bearer t", nil])
    }

    @Test(
        "A route that requires credentials is not sent without them",
        arguments: [nil, .dynamic { nil }] as [Authorization?],
        [AuthorizationPolicy.required, .anywhere])
    func required(_ authorization: Authorization?, _ policy: AuthorizationPolicy) async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = authorization }
        let route = Route.get("x").authorization(policy).named("Me")
        let error = try await failure(.authorization) { try await client.send(route) }
        #expect(error.message.contains("requires authorization") && error.fix != nil && error.route == "Me")
        #expect(transport.requests.isEmpty)
        // A route that does not require them is sent.
        try await client.send(Route.get("x"))
        #expect(transport.requests.count == 1)
    }

    @Test(
        "The route's own header takes precedence, and satisfies the policy required",
        arguments: [AuthorizationPolicy.optional, .required, .none])
    func ownHeader(_ policy: AuthorizationPolicy) async throws {
        let transport = StubTransport(200)
        for authorization in [Authorization.bearer("client"), nil] {
            let client = transport.client { $0.authorization = authorization }
            try await client.send(Route.get("x").header("authorization", "Bearer route").authorization(policy))
        }
        #expect(transport.sent("Authorization") == ["Bearer route", "Bearer route"])
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
        let note = "; the client's credentials were left out, because they go to the server of its base URL alone"
        #expect(error.message.contains(note) == isNoted, "\(error)")
        #expect(error.message.contains(".authorization(.anywhere), or .required with its baseURLKey") == isNoted)
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

    @Test("The configuration's headers that are credentials go where its authorization goes", arguments: routes)
    func destinations(_ route: Route, _ isSent: Bool) async throws {
        let environment = try Environment(
            "Live",
            values: [
                "baseURL": "https://api.example.com", "auth": "https://auth.example.com",
                "files": "https://api.example.com/files",
            ])
        let transport = StubTransport(200)
        let client = try transport.client(in: environment) {
            $0.authorization = .custom(header: "X-Foo", value: "t")
            $0.headers = ["Authorization": "Bearer t", "X-Api-Key": "k", "Cookie": "a=b", "X-Trace": "7"]
        }
        try await client.send(route)
        try await client.send(route.header("x-api-key", "own"))
        #expect(transport.sent("X-Foo") == (isSent ? ["t", "t"] : [nil, nil]))
        // A policy is about the client's authorization, so at home it does not hide headers.
        let isShown = isSent || route.path == "x" && route.authorization == .none
        for header in ["Authorization", "X-Api-Key", "Cookie"] {
            #expect((transport.sent(header)[0] != nil) == isShown, "\(header)")
        }
        #expect(transport.sent("X-Trace") == ["7", "7"] && transport.sent("X-Api-Key")[1] == "own")
    }

    // MARK: Redirects

    /// Credentials of a client, all in the header `X-Foo`.
    private static let ownHeaders: [(Authorization, AuthorizationPolicy)] = [
        (.custom(header: "X-Foo", value: "client"), .optional), (.custom(header: "X-Foo", value: "client"), .none),
        (.dynamic { .custom(header: "X-Foo", value: "client") }, .optional),
        (.combined(.bearer("t"), .custom(header: "x-foo", value: "client")), .required),
        (.custom(header: "X-Foo", value: "client"), .anywhere),
    ]

    @Test(
        "A redirect to another origin drops the header of the client's authorization, whoever set it",
        arguments: ownHeaders.indices, [true, false])
    func redirectOfOwnHeader(_ index: Int, isSetByRoute: Bool) async throws {
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
        #expect(transport.sent("X-Foo") == ["another-users-key", "another-users-key", nil])
        #expect((transport.sent("X-Trace"), error.serverMessage) == (["7", "7", "7"], "no credit for <redacted>"))
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

    @Test("A line for a shell hides the header of the client's authorization, whoever set it")
    func curlOfOwnHeader() async throws {
        let client = StubTransport(500).client { $0.authorization = .custom(header: "X-Foo", value: "client") }
        let error = try await failure { try await client.send(Route.get("x").header("X-Foo", "another-users-key")) }
        #expect(error.curl?.contains(#"-H 'X-Foo: '"$FOO_TOKEN""#) == true, "\(error.curl ?? "")")
    }

    @Test("Credentials are added after middleware, which never sees them") func middleware() async throws {
        let transport = StubTransport(200)
        let seen = Locked<[String?]>([])
        let client = transport.client {
            $0.authorization = .bearer("t")
            $0.middleware = [
                RepeatingMiddleware { response in
                    seen.withLock { $0.append(response.request.value(forHTTPHeaderField: "Authorization")) }
                } first: { request in
                    seen.withLock { $0.append(request.value(forHTTPHeaderField: "Authorization")) }
                }
            ]
        }
        let response = try await client.response(for: Route.get("x"), as: Data.self)
        #expect((transport.sent("Authorization"), seen.withLock { $0 }) == (["Bearer t", "Bearer t"], [nil, nil]))
        #expect(response.request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test("A header set by middleware takes precedence over the client's credentials") func replaced() async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.authorization = .bearer("t")
            $0.middleware = [ChangingMiddleware { $0.setValue("Signed 1", forHTTPHeaderField: "Authorization") }]
        }
        try await client.send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Signed 1"])
    }

    @Test("Each request of middleware that sends twice is authorized") func again() async throws {
        let (count, transport) = (Locked(0), StubTransport(200))
        let client = transport.client {
            $0.authorization = .dynamic { .bearer("\(count.next())") }
            $0.middleware = [RepeatingMiddleware()]
        }
        try await client.send(Route.get("x"))
        #expect(transport.sent("Authorization") == ["Bearer 1", "Bearer 2"])
    }
}
