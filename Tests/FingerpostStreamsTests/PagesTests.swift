import CallSupport
import FingerpostStreams
import FingerpostTesting

@Suite(.inTurn, .concurrent) struct PagesTests {
    private static func links(_ value: String, _ body: String = "[1]") -> LoopbackServer.Handler {
        { _, connection in connection.respond(200, headers: ["Link": value], body: body) }
    }

    private static func pages(
        _ server: LoopbackServer, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> Pages<[Int]> {
        APIClient(baseURL: server.baseURL, configure)
            .pages(Route.get("items").query("per_page", 2).header("X-Trace", "t"), as: [Int].self)
    }

    /// The header of the first page (RFC 8288 section 3), and the query that it leads to; nil if that page is the last.
    @Test(
        arguments: [
            ("<?page=2>; anchor=\"\"; rel=next", "page=2"),
            ("<?page=2>; anchor=\"/items?per_page=2\"; rel=next", "page=2"),
            ("<?page=2>; anchor=\"?per_page=2\"; rel=next", "page=2"),
            ("</other?page=3>; anchor=\"/other\"; rel=next, <?page=2>; rel=next", "page=2"),
            ("<?page=2>; anchor=\"/other\"; rel=next", nil),
            ("<?page=2>; rel=next; anchor=\"https://a.example/items\"", nil),
            ("<?page=2>; anchor=\"#part\"; rel=next", nil), ("", nil), (",", nil), ("<a>", nil), ("<a>; rel=prev", nil),
            ("<a>;rel=\"previous nextish\"", nil), ("<a>; rel", nil), ("<a>; title=next", nil),
            ("<a>; rel=prev; rel=next", nil), ("<a>; rel; rel=next", nil),
        ] as [(String, String?)])
    func `A link to the next page has this relation, and is of this address`(link: String, next: String?) async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(200, headers: request.target == "/items?per_page=2" ? ["Link": link] : [:], body: "[1]")
        }
        let count = try await Self.pages(server).all().count
        let targets = ["per_page=2", next].compactMap { $0.map { "/items?\($0)" } }
        #expect((count, server.requests.map(\.target)) == (targets.count, targets))
    }

    @Test func `The links of the server lead from page to page`() async throws {
        let server = try LoopbackServer { request, connection in
            let (link, body) =
                switch request.target {
                case "/items?per_page=2":
                    (#"</items?per_page=2&page=2>; rel="next", </items?page=3>; rel="last""#, "[1, 2]")
                case "/items?per_page=2&page=2": (#"<?page=3>; title="a,b\""; rel="prev next""#, "[3]")
                default: ("</items>; rel=first", "[4]")
                }
            connection.respond(200, headers: ["Link": link], body: body)
        }
        let pages = Self.pages(server)
        let values = try await pages.all().map(\.value)
        let targets = ["/items?per_page=2", "/items?per_page=2&page=2", "/items?page=3"]
        #expect(
            (values, server.requests.map { [$0.target, $0["X-Trace"]] })
                == ([[1, 2], [3], [4]], targets.map { [$0, "t"] }))

        for try await _ in pages { break }
        let first = try await pages.page()
        let second = try await pages.page(after: first)
        let last = try await pages.page(after: second)
        let found = try await (second?.value, last?.value, pages.page(after: last)?.value, server.requests.count)
        #expect(found == ([3], [4], nil, 7))
    }

    @Test(
        arguments: [
            ("v1", "items", "/items?page=2", "items?page=2"), ("v1", "/items", "/items?page=2", "/items?page=2"),
            ("v1", "items", "/users:list", "users:list"), ("v1", "items", "/mailto:a@b.c", "/mailto:a@b.c"),
            ("v1", "items", "/http://a.b/c", "/http://a.b/c"), ("v1", "items", "/?page=2", "/?page=2"),
            ("v1", "items", "//double", "//double"), ("v1/", "items", "/items?page=2", "items?page=2"),
        ])
    func `A page's line is written as its route's`(
        base: String, path: String, link: String, line: String
    ) async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(
                200, headers: request.target == "/v1/items" ? ["Link": "</v1\(link)>; rel=next"] : [:], body: "[1]")
        }
        let scope = APIScope(network: .live)
        try await scope.run {
            let client = APIClient(baseURL: try #require(URL(string: "\(server.baseURL)/\(base)")))
            _ = try await client.pages(Route.get(RoutePath(raw: path)), as: [Int].self).all()
        }
        #expect(
            (server.requests.map(\.target), scope.calls.map(\.line))
                == (["/v1/items", "/v1\(link)"], ["GET \(path) 200", "GET \(line) 200"]))
        _ = scope.close()
    }

    /// Where the app or a server leads a list.
    enum Place: CaseIterable {
        case home, other
    }

    struct Start {
        var policy: AuthorizationPolicy
        /// The server of the route.
        var route: Place
        /// The server of the stored link that the list begins at; nil if it begins at the route.
        var link: Place?
        /// The server of the page after it.
        var next: Place

        /// What the app names gets the credentials. Of what a server names, the route's own server alone does.
        func isSent(to place: Place, isLink: Bool) -> Bool {
            let policy = isLink && place != route && policy != .none ? .optional : policy
            return policy == .anywhere || policy != .none && place == .home
        }
    }

    private static let starts: [Start] = {
        var starts: [Start] = []
        for policy in [AuthorizationPolicy.none, .optional, .required, .anywhere] {
            for route in policy == .required ? [.home] : Place.allCases {
                for link in [nil, .home, .other] as [Place?] {
                    starts += Place.allCases.map { Start(policy: policy, route: route, link: link, next: $0) }
                }
            }
        }
        return starts
    }()

    @Test(arguments: starts.indices)
    func `Only the servers that the app names get the credentials of a list`(_ index: Int) async throws {
        let row = Self.starts[index]
        let link = Locked("")
        let answer: LoopbackServer.Handler = { request, connection in
            let next = request.target == "/next" ? "" : "<\(link.withLock { $0 })>; rel=next"
            connection.respond(200, headers: ["Link": next], body: "[1]")
        }
        let home = try LoopbackServer(handler: answer)
        let other = try LoopbackServer(handler: answer)
        func server(_ place: Place) -> LoopbackServer { place == .home ? home : other }
        func url(_ place: Place, _ path: String) throws -> URL {
            try #require(URL(string: "\(server(place).baseURL)/\(path)"))
        }
        let next = try url(row.next, "next").absoluteString
        link.withLock { $0 = next }
        let client = APIClient(baseURL: home.baseURL) {
            $0.authorization = .bearer("token")
            $0.headers["X-Client-Key"] = "key"
        }
        let route = Route.get(RoutePath(try url(row.route, "items"))).header("X-Api-Key", "key").authorization(
            row.policy)
        let list =
            try row.link.map { client.pages(from: try url($0, "stored"), of: route, as: [Int].self) }
            ?? client.pages(route, as: [Int].self)
        let values = try await list.all().map(\.value)

        let first = row.link.map { ("/stored", $0, true) } ?? ("/items", row.route, false)
        let pages = [first, ("/next", row.next, true)]
        let expected: [[String?]] = pages.map { path, place, isLink in
            let isSent = row.isSent(to: place, isLink: isLink)
            return [
                path, isSent ? "Bearer token" : nil, isLink && place != row.route ? nil : "key",
                isSent || place == .home ? "key" : nil,
            ]
        }
        let sent = pages.map { path, place, _ in
            let request = server(place).requests.first { $0.target == path }
            return [request?.target] + ["Authorization", "X-Api-Key", "X-Client-Key"].map { request?[$0] }
        }
        #expect((values, sent) == ([[1], [1]], expected), "\(row)")
    }

    @Test func `A list goes on from a stored link at its own server, with its query, and not elsewhere with a body`()
        async throws
    {
        let other = try LoopbackServer { _, connection in connection.respond(200, body: "[2]") }
        let server = try LoopbackServer { request, connection in
            connection.respond(200, body: request.target.contains("page=4") ? "[]" : "[1]")
        }
        let client = APIClient(baseURL: server.baseURL)
        func pages(from link: String, of route: Route, relativeTo url: URL? = nil) throws -> Pages<[Int]> {
            let link = try #require(URL(string: link, relativeTo: url))
            return client.pages(from: link, of: route, by: .number("page") { $0.isEmpty })
        }
        let numbered = Route.get("items").query("page", 1).query("sort", "a")
        let values = try await pages(from: "items?page=3&filter=b", of: numbered).all().map(\.value)
        // A link that is relative to another server is that server's.
        let foreign = try await pages(from: "/stored", of: .get("items"), relativeTo: other.baseURL).page()?.value
        let refused: [(String, Route, String)] = [
            (
                "https://other.example/x", .post("items").json([1]),
                " leads to another server, https://other.example/x, which does not get the body of the route"
            ),
            ("mailto:a@b.c", .get("items"), ", \"mailto:a@b.c\", is not an http or https URL"),
        ]
        for (link, route, message) in refused {
            let error = try await failure { try await pages(from: link, of: route).page() }
            #expect(
                (error.line, error.route) == (
                    "transport: the link to the next page\(message)", "\(route.method) items"
                ))
        }
        #expect(
            (values, foreign, server.requests.map(\.target), other.requests.map(\.target))
                == ([[1], []], [2], ["/items?page=3&filter=b", "/items?filter=b&page=4"], ["/stored"]))
    }

    @Test func `A credential that configure sets does not go to a page of another server`() async throws {
        let other = try LoopbackServer { _, connection in connection.respond(200, body: "[2]") }
        let server = try LoopbackServer(handler: Self.links("<\(other.baseURL)/items>; rel=next"))
        var route = Route.get("items")
        route.configure = { request in
            request.setValue("own", forHTTPHeaderField: "Authorization")
            request.setValue("t", forHTTPHeaderField: "X-Trace")
        }
        _ = try await APIClient(baseURL: server.baseURL).pages(route, as: [Int].self).all()
        let requests = server.requests + other.requests
        #expect(requests.map { [$0["Authorization"], $0["X-Trace"]] } == [["own", "t"], [nil, "t"]])
    }

    private static let authorizations: [Authorization] = [
        .custom(header: "X-Foo", value: "key"), .dynamic { .custom(header: "X-Foo", value: "key") },
        .combined(.bearer("token"), .dynamic { .custom(header: "X-Foo", value: "key") }),
    ]

    @Test(arguments: authorizations.indices, [false, true])
    func `A header of the client's authorization that the route sets does not go to another server`(
        index: Int, isOtherClient: Bool
    ) async throws {
        let other = try LoopbackServer { request, connection in
            connection.respond(200, headers: request.target == "/items" ? ["Link": "</2>; rel=next"] : [:], body: "[2]")
        }
        let server = try LoopbackServer(handler: Self.links("<\(other.baseURL)/items>; rel=next"))
        func pages() -> Pages<[Int]> {
            // The route names its server itself, which is as if it was below the base URL.
            APIClient(baseURL: server.baseURL) { $0.authorization = Self.authorizations[index] }
                .pages(
                    Route.get(RoutePath(server.baseURL.appendingPathComponent("items"))).header("X-Foo", "S3cret")
                        .header("X-Trace", "t"), as: [Int].self)
        }
        let first = pages()
        var page = try await first.page()
        for _ in 0..<2 {
            let next = isOtherClient ? pages() : first
            page = try await next.page(after: page)
        }
        let requests = (server.requests + other.requests).map { [$0.target, $0["X-Foo"], $0["X-Trace"]] }
        #expect(requests == [["/items", "S3cret", "t"], ["/items", nil, "t"], ["/2", nil, "t"]])
    }

    @Test(arguments: [
        Route.post("items").parameters(["password": "S3cret"]), .post("items").json(["access_token": "S3cret"]),
        .post("items").parameters(["password": "S3cret"]).encoding(.form),
    ])
    func `The body of a route does not go to another server`(route: Route) async throws {
        let other = try LoopbackServer { _, connection in connection.respond(200, body: "[2]") }
        let server = try LoopbackServer { request, connection in
            let link = request.target == "/items" ? "</2>; rel=next" : "<\(other.baseURL)/items>; rel=next"
            connection.respond(200, headers: ["Link": link], body: "[1]")
        }
        var values: [[Int]] = []
        let error = try await failure {
            for try await page in APIClient(baseURL: server.baseURL).pages(route, as: [Int].self) {
                values.append(page.value)
            }
        }
        let line = "transport: the link to the next page leads to another server, \(other.baseURL)/items, "
        #expect(error.line == line + "which does not get the body of the route")
        #expect(error.fix == "use .cursor, or send a route for that server" && !"\(error)".contains("S3cret"))
        #expect(
            (values, server.requests.map { $0.text.contains("S3cret") }, other.requestCount)
                == ([[1], [1]], [true, true], 0))
    }

    @Test func `A page that leads nowhere is an error after it`() async throws {
        let malformed = "the header Link of the page is malformed"
        func unusable(_ url: String) -> (String, String) {
            ("<\(url)>; rel=next", "the link to the next page, \"\(url)\", is not an http or https URL")
        }
        let links = [
            ("<items; rel=next", malformed), ("items>; rel=next", malformed), ("<a>; rel=\"next", malformed),
            unusable("ftp://h/x"), unusable("file:///etc/passwd"), unusable("mailto:a@b.c"), unusable(""),
            ("</items?per_page=2>; rel=next", "page 1 leads to a page that was loaded before"),
        ]
        for (link, message) in links {
            let server = try LoopbackServer(handler: Self.links(link))
            var values: [[Int]] = []
            let error = try await failure { for try await page in Self.pages(server) { values.append(page.value) } }
            #expect(
                (error.line, error.route, values, server.requestCount)
                    == ("transport: \(message)", "GET items", [[1]], 1))
        }
    }
}
