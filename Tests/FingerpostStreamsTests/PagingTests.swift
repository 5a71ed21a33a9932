import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Where the next page is found, and where its number, cursor or address is written.
@Suite(.inTurn) struct PagingTests {
    private struct Page: Decodable, Sendable {
        var items: [Int]
        var next: String?
        var link: URL?
    }

    private struct Filter: Encodable, Sendable {
        var text = "x"
        var page: Int?
    }

    /// Runs work with a client whose route `items` is answered by mocks.
    private func mocked<Value>(
        _ answer: MockResponse, in environment: Environment? = nil, _ work: (APIClient) async throws -> Value
    ) async throws -> Value {
        let environment = try environment ?? Environment("Testing", values: ["baseURL": "https://t.invalid"])
        return try await APIScope(environment: environment, clock: VirtualClock()).run {
            Mocks.set("items", answer)
            let value = try await work(try APIClient())
            _ = Mocks.takeProblems()
            return value
        }
    }

    /// The queries and bodies of the calls so far.
    private static var sent: [String] {
        Mocks.calls.map(\.request).map { request in
            let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
            return [request.url?.query, body].compactMap(\.self).joined(separator: " ")
        }
    }

    /// What a loop over three pages sends.
    private func sent(_ route: Route, by paging: Paging<Page>) async throws -> [String] {
        try await mocked(Self.threePages) { client in
            for try await _ in client.pages(route.mock("items"), as: Page.self, by: paging) {}
            return Self.sent
        }
    }

    private static func number(_ name: String) -> Paging<Page> { .number(name) { $0.items == [3] } }
    private static func cursor(_ name: String) -> Paging<Page> { .cursor(name) { $0.next.flatMap { Int($0) } } }
    private static let threePages = MockResponse.sequence([
        .json(["items": [1], "next": "2"]), .json(["items": [2], "next": "3"]), .json(["items": [3]]),
    ])

    private static let post = Route.post("items")

    /// A route, and what it sends for the first page and for the second one; the third one is the same with a 3.
    private static let places: [(route: Route, first: String, second: String)] = [
        (.get("items"), "", "page=2"),
        (.get("items").query("page", 1).query("a", 1), "page=1&a=1", "page=2&a=1"),
        (.get("items?a=1&page=1&b=1"), "a=1&page=1&b=1", "a=1&b=1&page=2"),
        (.get("items?p%61ge=1"), "p%61ge=1", "page=2"),
        (.get("items?mypage=1"), "mypage=1", "mypage=1&page=2"),
        (.get("items").parameters(["page": 1, "a": 1]), "page=1&a=1", "page=2&a=1"),
        (.get("items").parameters(["a": 1]), "a=1", "a=1&page=2"),
        (post, "", "page=2"),
        (post.parameters(["q": "x"]), #"{"q":"x"}"#, #"{"q":"x","page":2}"#),
        (post.parameters(["page": 1, "q": "x"]), #"{"page":1,"q":"x"}"#, #"{"page":2,"q":"x"}"#),
        (post.parameters(["page": "1"]), #"{"page":"1"}"#, #"{"page":2}"#),
        (post.parameters(["page": Int?.none, "q": "x"]), #"{"q":"x"}"#, #"{"page":2,"q":"x"}"#),
        (post.parameters(["q": "x", "page": 1]).encoding(.form), "q=x&page=1", "q=x&page=2"),
        (post.parameters(["q": "x"]).encoding(.query), "q=x", "q=x&page=2"),
        (post.parameters(Parameters(Filter())), #"{"text":"x"}"#, #"{"text":"x","page":2}"#),
        (post.parameters(["q": "x"]).query("page", 1), #"page=1 {"q":"x"}"#, #"page=2 {"q":"x"}"#),
        (post.json(["q": "x"]).query("page", 1), #"page=1 {"q":"x"}"#, #"page=2 {"q":"x"}"#),
        (Route.post("items?page=1").json(["q": "x"]), #"page=1 {"q":"x"}"#, #"page=2 {"q":"x"}"#),
        (post.json(["q": "x"]).parameters(["page": 1]), #"page=1 {"q":"x"}"#, #"page=2 {"q":"x"}"#),
    ]

    /// Places that a dotted path leads to.
    private static let dotted =
        ([
            (["variables": ["a": 5] as Parameters], #"{"variables":{"a":5}}"#, #"{"variables":{"a":5,"after":2}}"#),
            (
                ["variables": ["after": 1, "a": 5] as Parameters], #"{"variables":{"a":5,"after":1}}"#,
                #"{"variables":{"a":5,"after":2}}"#
            ),
            (["variables": ["a": 5]], #"{"variables":{"a":5}}"#, #"{"variables":{"a":5},"variables.after":2}"#),
            (
                ["variables.after": 1, "variables": [:] as Parameters], #"{"variables.after":1,"variables":{}}"#,
                #"{"variables.after":2,"variables":{}}"#
            ),
        ] as [(Parameters, String, String)]).map { (post.parameters($0), $1, $2) }

    @Test(arguments: (places + dotted).indices)
    func `A number and a cursor are written where the route has them`(index: Int) async throws {
        let (route, first, second) = (Self.places + Self.dotted)[index]
        let name = index < Self.places.count ? "page" : "variables.after"
        let expected = [first, second, second.replacingOccurrences(of: "2", with: "3")]
        #expect(try await sent(route, by: Self.number(name)) == expected)
        #expect(try await sent(route, by: Self.cursor(name)) == expected)
    }

    @Test func `One at a time, pages are those of a loop, and at most as many as the list may have`() async throws {
        try await mocked(Self.threePages) { client in
            let route = Self.post.parameters(["q": "x"]).mock("items")
            let pages = client.pages(route, as: Page.self, by: .number("page") { _ in false }, maximum: 3)
            var last = try await pages.page()
            for _ in 2...3 { last = try await pages.page(after: last) }
            #expect(Self.sent == [#"{"q":"x"}"#, #"{"q":"x","page":2}"#, #"{"q":"x","page":3}"#])
            let error = try await failure { try await pages.page(after: last) }
            #expect(error.message == "there are more than 3 pages")
        }
    }

    @Test(arguments: [
        Route.get("items").query("page", 7), .get("items?page=7"), .post("items").parameters(["page": 7]),
        .post("items").parameters(["page": "7"]).encoding(.form), .post("items").json(1).query("page", 7),
    ])
    func `The numbers go on after that of the route`(route: Route) async throws {
        let sent = try await sent(route, by: Self.number("page"))
        #expect(sent[1].contains("8") && sent[2].contains("9"))
    }

    @Test func `A number in the query of a path leaves its environment keys`() async throws {
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid", "tenant": "a b"])
        let urls = try await mocked(Self.threePages, in: environment) { client in
            let route = Route.get("\(environment: "tenant")/items?page=1&sort=x").mock("items")
            for try await _ in client.pages(route, as: Page.self, by: Self.number("page")) {}
            return Mocks.calls.compactMap { $0.request.url?.absoluteString }
        }
        let queries = ["page=1&sort=x", "sort=x&page=2", "sort=x&page=3"]
        #expect(urls == queries.map { "https://t.invalid/a%20b/items?\($0)" })
    }

    @Test func `A text is a cursor, and an empty one ends the list`() async throws {
        let answers = MockResponse.sequence([.json(["items": [1], "next": "x y"]), .json(["items": [2], "next": ""])])
        try await mocked(answers) { client in
            let pages = client.pages(Route.get("items").mock("items"), as: Page.self, by: .cursor("after") { $0.next })
            let values = try await pages.all().map(\.value.items)
            #expect(values == [[1], [2]] && Self.sent == ["", "after=x%20y"])
        }
    }

    @Test func `Offsets grow by the number of elements`() async throws {
        let paging = Paging<Page>.number("offset", from: 0, step: 50) { $0.items == [3] }
        let sent = try await sent(.get("items").query("limit", 50), by: paging)
        #expect(sent == ["limit=50", "limit=50&offset=50", "limit=50&offset=100"])
    }

    @Test(arguments: [
        (Route.post("items").json(["q": "x"]), ".parameters"),
        (.post("items").body(.data(Data("x".utf8))), ".parameters"),
        (.post("items").parameters(Parameters(Filter(page: 1))), "leave it nil"),
        (.post("items").parameters(Parameters(Filter(page: 1))).encoding(.form), "leave it nil"),
        (.get("items").parameters(Parameters(Filter(page: 1))), "leave it nil"),
        (.get("items").query(Parameters(Filter(page: 1))), "leave it nil"),
    ])
    func `A route without a place for the number is refused after one page`(route: Route, fix: String) async throws {
        try await mocked(.json(["items": [1]])) { client in
            let pages = client.pages(route.mock("items"), as: Page.self, by: .number("page") { _ in false })
            let error = try await failure { for try await _ in pages {} }
            #expect(
                error.kind == .invalidRoute && error.message.contains("\"page\"") && error.fix?.contains(fix) == true)
            #expect(Mocks.calls.count == 1)
        }
    }

    // MARK: Addresses in the value

    @Test(arguments: ["String", "URL"])
    func `The address of the next page is in the value`(type: String) async throws {
        let server = try LoopbackServer { request, connection in
            let next =
                switch request.target {
                case "/v1/items?limit=2": "items?limit=2&offset=2"
                case "/v1/items?limit=2&offset=2": "?$skip=4"
                case "/v1/items?$skip=4": "http://\(request["Host"] ?? "")/v1/items?last"
                default: type == "URL" ? nil as String? : ""
                }
            let value = next.map { "\"\($0)\"" } ?? "null"
            let link = type == "URL" ? value : "null"
            connection.respond(200, body: #"{"items": [1], "next": \#(value), "link": \#(link)}"#)
        }
        let client = APIClient(baseURL: server.baseURL.appendingPathComponent("v1")) { $0.authorization = .bearer("t") }
        let pages = client.pages(
            Route.get("items").query("limit", 2), as: Page.self,
            by: type == "URL" ? .url { $0.link } : .url { $0.next })
        #expect(
            try await (pages.all().count, server.requests.map(\.target)) == (
                4, ["/v1/items?limit=2", "/v1/items?limit=2&offset=2", "/v1/items?$skip=4", "/v1/items?last"]
            ))
        #expect(server.requests.allSatisfy { $0["Authorization"] == "Bearer t" })
    }

    @Test func `An address of another server in the value gets no credentials and no body`() async throws {
        let other = try LoopbackServer { _, connection in connection.respond(200, body: #"{"items": [2]}"#) }
        let server = try LoopbackServer { _, connection in
            connection.respond(200, body: #"{"items": [1], "next": "\#(other.baseURL)/items"}"#)
        }
        let client = APIClient(baseURL: server.baseURL) { $0.authorization = .bearer("token") }
        let pages = client.pages(Route.get("items"), as: Page.self, by: .url { $0.next })
        #expect(try await pages.all().map(\.value.items) == [[1], [2]])
        #expect(other.requests.map { $0["Authorization"] } == [nil])
        let posted = client.pages(Route.post("items").json([1]), as: Page.self, by: .url { $0.next })
        await #expect(throws: APIError.self) { try await posted.all() }
        #expect(other.requests.count == 1)
    }

    // MARK: Pages that nobody follows, and pages that repeat

    @Test(arguments: [
        (#"{"items": [1], "next": "https://t.invalid/items?page=2"}"#, "\"next\"", ".url {"),
        (#"{"count": 9, "next": "/items?page=2", "previous": null, "items": [1]}"#, "\"next\"", ".url {"),
        (#"{"@odata.nextLink": "Items?$skip=1", "items": [1]}"#, "\"@odata.nextLink\"", ".url {"),
        (#"{"nextLink": "https://t.invalid/2", "items": [1]}"#, "\"nextLink\"", ".url {"),
        (#"{"next_page_url": "?page=2", "items": [1]}"#, "\"next_page_url\"", ".url {"),
        (#"{"next_page": 2, "items": [1]}"#, "\"next_page\"", ".cursor"),
        (#"{"nextPageToken": "abc", "items": [1]}"#, "\"nextPageToken\"", ".cursor"),
        (#"{"NextToken": "abc", "items": [1]}"#, "\"NextToken\"", ".cursor"),
        (#"{"meta": {"next_cursor": "abc"}, "items": [1]}"#, "\"meta.next_cursor\"", ".cursor"),
        (#"{"has_more": true, "data": [1]}"#, "\"has_more\"", ".cursor"),
        (#"{"hasMore": true, "items": [1]}"#, "\"hasMore\"", ".cursor"),
        (#"{"has_more": true, "next_cursor": "abc"}"#, "\"next_cursor\"", ".cursor"),
        (#"{"pageInfo": {"hasNextPage": true}, "items": [1]}"#, "\"pageInfo.hasNextPage\"", ".number"),
        (
            #"{"data": {"me": {"repos": {"nodes": [1], "pageInfo": {"hasNextPage": true, "endCursor": "a"}}}}}"#,
            "\"data.me.repos.pageInfo.hasNextPage\"", ".cursor"
        ),
        (#"{"_links": {"next": {"href": "/items?page=2"}}, "items": [1]}"#, "\"_links.next\"", ".url {"),
        (#"{"link": [{"relation": "self", "url": "a"}, {"relation": "next", "url": "b"}]}"#, "\"link.url\"", ".url {"),
        (#"{"links": [{"rel": "next", "href": "/items?page=2"}], "items": [1]}"#, "\"links.href\"", ".url {"),
    ])
    func `A list whose body names a next page is not over`(body: String, name: String, fix: String) async throws {
        try await mocked(.data(Data(body.utf8), contentType: "application/json")) { client in
            var count = 0
            let error = try await failure {
                for try await _ in client.pages(Route.get("items").mock("items"), as: JSONValue.self) { count += 1 }
            }
            #expect(count == 1 && error.message.contains(name) && error.fix?.contains(fix) == true, "\(error)")
        }
    }

    @Test(arguments: [
        #"{"items": [1], "next": null}"#, #"{"items": [1], "next": ""}"#, #"{"items": [1], "next": false}"#,
        #"{"next_page": 0}"#, #"{"nextAppointment": "2026-01-01", "text": "next"}"#, #"[{"next": "/2"}]"#,
        #"{"items": [{"next": "/2"}]}"#, "[]", #"{"has_more": false, "pageInfo": {"hasNextPage": false}}"#,
        #"{"items": [{"has_more": true}]}"#, #"{"has_more": null, "hasMoreFun": true}"#,
        #"{"a": {"b": {"next": "c"}}}"#, #"{"links": [{"rel": "self", "href": "/items?page=1"}, "next"]}"#,
    ])
    func `A list without a next page is over`(body: String) async throws {
        try await mocked(.data(Data(body.utf8), contentType: "application/json")) { client in
            let pages = try await client.pages(Route.get("items").mock("items"), as: JSONValue.self).all()
            #expect(pages.count == 1)
        }
    }

    /// Headers of a first page, with the one that names another page; nil if the list is over.
    private static let headers: [(headers: HTTPHeaders, name: String?)] = [
        (["opc-next-page": "t2"], "opc-next-page"), (["X-Next-Page": "2", "X-Total-Pages": "3"], "X-Next-Page"),
        (["X-Next-Cursor": "abc"], "X-Next-Cursor"), (["X-Pagination-Next-Token": "a"], "X-Pagination-Next-Token"),
        (["x-ms-continuation": "a"], "x-ms-continuation"), (["X-Next": "a"], "X-Next"),
        (["x-ms-continuation-NextPartitionKey": "a"], "x-ms-continuation-NextPartitionKey"),
        (["Content-Range": "items 0-1/5"], "Content-Range"), (["Content-Range": "0-1/5"], "Content-Range"),
        (["X-Page": "1", "X-Total-Pages": "3"], "X-Total-Pages"), (["X-Has-More": "true"], "X-Has-More"),
        (["X-Next-Page": "2", "Link": "</style.css>"], "X-Next-Page"),
        (["X-Next-Page": ""], nil), (["X-Next-Page": "", "X-Page": "3", "X-Total-Pages": "3"], nil),
        (["X-Next-Page": "2", "Link": "</items>; rel=first"], nil), (["Content-Range": "items 0-4/5"], nil),
        (["Content-Range": "items 0-4/*"], nil), (["Content-Range": "items */0"], nil), (["X-Has-More": "false"], nil),
        (["X-RateLimit-Next": "9", "X-Nextjs-Page": "1", "Next-Review": "2026"], nil),
    ]

    @Test(arguments: headers.indices)
    func `A list whose headers name a next page is not over`(index: Int) async throws {
        let (headers, name) = Self.headers[index]
        let answer = headers.reduce(MockResponse.data(Data("[1]".utf8))) { $0.header($1.name, $1.value) }
        try await mocked(answer) { client in
            let pages = client.pages(Route.get("items").mock("items"), as: [Int].self)
            guard let name else {
                let values = try await pages.all().map(\.value)
                #expect(values == [[1]])
                return
            }
            let error = try await failure { try await pages.all() }
            #expect(
                error.message == "the list has more pages, as the header \(name) says, and the server sends no header "
                    + "Link")
        }
    }

    @Test func `A header with the next page is followed`() async throws {
        let answers = MockResponse.sequence([
            .data(Data("[1]".utf8)).header("opc-next-page", "t 2"), .data(Data("[2]".utf8)),
        ])
        try await mocked(answers) { client in
            let pages = client.pages(
                Route.get("items").mock("items"), as: [Int].self, by: .response("page") { $0.headers["opc-next-page"] })
            let values = try await pages.all().map(\.value)
            #expect(values == [[1], [2]] && Self.sent == ["", "page=t%202"])
        }
    }

    @Test func `A list whose server sends Link is over without one`() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(
                200, headers: request.target == "/items" ? ["Link": "</2>; rel=next"] : [:],
                body: #"{"next": "/ignored"}"#)
        }
        let pages = APIClient(baseURL: server.baseURL).pages(Route.get("items"), as: JSONValue.self)
        #expect(try await pages.all().count == 2)
    }

    @Test(arguments: ["cursor", "url"])
    func `One page at a time, a page that repeats is an error too`(way: String) async throws {
        try await mocked(.json(["items": [1], "next": "https://t.invalid/same"])) { client in
            let paging: Paging<Page> = way == "url" ? .url { $0.next } : .cursor("after") { $0.next }
            let pages = client.pages(Route.get("items").mock("items"), as: Page.self, by: paging)
            let first = try #require(try await pages.page())
            let second = try #require(try await pages.page(after: first))
            // The same page may be loaded again, such as after the screen was left.
            #expect(try await pages.page(after: first) != nil)
            let error = try await failure { try await pages.page(after: second) }
            #expect(error.message == "page 2 leads to a page that was loaded before")
        }
    }
}
