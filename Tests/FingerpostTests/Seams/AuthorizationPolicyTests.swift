import CallSupport
import FingerpostTesting

@Suite(.inTurn) struct AuthorizationPolicyTests {
    /// The server that a request goes to in the end.
    enum Server: String, CaseIterable {
        /// The base URL's.
        case home = "https://api.example.com"
        /// That of the route's `baseURLKey`.
        case keyed = "https://files.example.com"
        /// Another one.
        case other = "https://other.example:8443"
    }

    /// What leads the request there.
    enum Way: CaseIterable {
        case path, route, clientConfigure, configure, middleware
    }

    /// What becomes of the client's credentials.
    enum Outcome {
        case sent, leftOut, refused
    }

    struct Case {
        var policy: AuthorizationPolicy
        var server: Server
        var way: Way
        var hasBaseURL: Bool
        var isMocked: Bool

        /// The rule, in words of the documentation.
        var token: Outcome {
            switch policy {
            case .none: .leftOut
            case .optional: isHome ? .sent : .leftOut
            case .required: isHome || server == .keyed ? .sent : isMocked ? .leftOut : .refused
            case .anywhere: .sent
            }
        }

        /// The headers of the configuration that are credentials, which `none` does not hide at home.
        var key: Outcome { isHome ? .sent : token }

        private var isHome: Bool { hasBaseURL && server == .home }
    }

    private static let cases: [Case] = [AuthorizationPolicy.none, .optional, .required, .anywhere].flatMap { policy in
        Server.allCases.flatMap { server in
            Way.allCases.flatMap { way in
                [(true, true), (true, false), (false, true), (false, false)].map {
                    Case(policy: policy, server: server, way: way, hasBaseURL: $0.0, isMocked: $0.1)
                }
            }
        }
    }

    private static func moved(_ request: inout URLRequest, to server: Server) {
        request.url = URL(string: "\(server.rawValue)/x")
    }

    private static func route(_ row: Case) throws -> Route {
        let start = row.hasBaseURL ? "x" : "https://start.example/x"
        var route: Route
        switch row.way {
        case .path: route = .get(RoutePath(raw: "\(row.server.rawValue)/x"))
        case .route where row.server == .keyed: route = .get("x")
        case .route:
            let url = try #require(URL(string: row.server.rawValue))
            route = .get("x").host(try #require(url.host))
            (route.scheme, route.port) = (url.scheme, url.port)
        case .configure:
            route = .get(RoutePath(raw: start))
            route.configure = { Self.moved(&$0, to: row.server) }
        case .clientConfigure, .middleware: route = .get(RoutePath(raw: start))
        }
        if row.server == .keyed { route = route.baseURLKey("files") }
        return route.authorization(row.policy).mock("x")
    }

    @Test(arguments: cases.indices)
    func `The policy and the final server decide about the client's credentials`(_ index: Int) async throws {
        let row = Self.cases[index]
        let transport = StubTransport(200)
        let mocked = Locked<URLRequest?>(nil)
        var values: Parameters = ["files": Server.keyed.rawValue]
        if row.hasBaseURL { values["baseURL"] = Server.home.rawValue }
        let scope = APIScope(
            environment: try Environment(row.isMocked ? "Testing" : "Live", values: values),
            network: row.isMocked ? .sealed : .live)
        let error = try await scope.run {
            let client = try APIClient {
                $0.transport = transport
                $0.authorization = .bearer("t")
                $0.headers = ["X-Api-Key": "k", "X-Trace": "7"]
                if row.way == .clientConfigure { $0.configure = { request, _ in Self.moved(&request, to: row.server) } }
                if row.way == .middleware { $0.middleware = [ChangingMiddleware { Self.moved(&$0, to: row.server) }] }
            }
            if row.isMocked {
                Mocks.set(
                    "x",
                    .respond { request in
                        mocked.withLock { $0 = request }
                        return .json([1])
                    })
            }
            let route = try Self.route(row)
            return await errorIfAny { try await client.data(for: route) }
        }
        let isRefused = row.token == .refused
        let request = row.isMocked ? mocked.withLock { $0 } : transport.requests.first
        let sent = request.map {
            "\($0.url?.absoluteString ?? "") \($0.values("Authorization", "X-Api-Key", "X-Trace"))"
        }
        let credentials = "\(row.token == .sent ? "Bearer t" : "-") \(row.key == .sent ? "k" : "-")"
        #expect(
            (scope.close(), transport.requests.count, sent)
                == (
                    [], isRefused || row.isMocked ? 0 : 1, isRefused ? nil : "\(row.server.rawValue)/x \(credentials) 7"
                ),
            "\(row)")
        let isExplained = error.map { error in
            error.message.contains("credentials are not sent to \(row.server.rawValue)")
                && [".anywhere", "baseURLKey", ".none"].allSatisfy { error.fix?.contains($0) == true }
        }
        #expect(isExplained == (isRefused ? true : nil), "\(row): \(error as Any)")
    }

    /// The path at which a list of requests begins, the policy, and where the requests go; `*` marks a token.
    private static let resent: [(String, AuthorizationPolicy, [String])] = [
        ("/away", .none, ["api/away", "other/end", "other/end"]),
        ("/away", .optional, ["api/away*", "other/end", "other/end"]),
        ("/away", .required, ["api/away*", "other/end", "other/end"]),
        ("/away", .anywhere, ["api/away*", "other/end", "other/end"]),
        // What the app names itself stays so after redirects: the base URL's server, and another one.
        ("/around", .anywhere, ["api/around*", "other/home", "api/end", "api/end*"]),
        ("https://other.example/home", .anywhere, ["other/home*", "api/end", "api/end*"]),
        ("https://other.example/on", .anywhere, ["other/on*", "other/end*", "other/end*"]),
    ]

    @Test func `A server that a redirect names gets no credentials when middleware sends there`() async throws {
        let targets = [
            "/away": "https://other.example/end", "/around": "https://other.example/home",
            "/home": "https://api.example.com/end", "/on": "/end",
        ]
        for (start, policy, expected) in Self.resent {
            let transport = StubTransport { request, _ in
                targets[request.url?.path ?? ""].map { (307, [.location: $0], "") } ?? (200, [:], "")
            }
            let client = transport.client {
                $0.authorization = .bearer("t")
                // Sends the request of a response again, which may be that of a redirect.
                $0.middleware = [
                    ClosureMiddleware { request, _, next in try await next(try await next(request).request) }
                ]
            }
            try await client.send(Route.get(RoutePath(raw: start)).authorization(policy))
            let sent = transport.requests.map { request in
                let host = request.url?.host?.split(separator: ".").first ?? ""
                return "\(host)\(request.url?.path ?? "")\(request.values("Authorization") == "-" ? "" : "*")"
            }
            #expect(sent == expected, "\(start) \(policy)")
        }
    }

    /// What other code leaves of a client's header that is a credential, or has one beside another value.
    @Test func `A credential does not go to another server beside another value`() async throws {
        let change = { @Sendable (request: inout URLRequest) in
            request.addValue("b=2", forHTTPHeaderField: "Cookie")
            request.setValue("own", forHTTPHeaderField: "X-Own-Key")
            Self.moved(&request, to: .other)
        }
        let transport = StubTransport(200)
        let environment = try Environment(
            "Live", values: ["baseURL": "https://api.example.com", "tenant": "7"])
        let scope = APIScope(environment: environment, network: .live)
        try await scope.run {
            for isMiddleware in [false, true] {
                let client = try APIClient {
                    $0.transport = transport
                    $0.headers = ["X-Info": "plain", "X-Tenant": "0", "Cookie": "a=1", "X-Own-Key": "k"]
                    $0.headers.add("X-Info", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln")
                    $0.headers.add("X-Tenant", environment: "tenant")
                    if isMiddleware { $0.middleware = [ChangingMiddleware(change: change)] }
                }
                var route = Route.get("x")
                if !isMiddleware { route.configure = change }
                try await client.send(route)
            }
        }
        _ = scope.close()
        let sent = transport.requests.map { $0.values("X-Info", "X-Tenant", "Cookie", "X-Own-Key") }
        #expect(sent == ["plain 0 - own", "plain 0 - own"])
    }
}
