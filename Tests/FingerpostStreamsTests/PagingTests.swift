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
        try await APIScope(environment: environment ?? .testing(), clock: VirtualClock()).run {
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

    /// A route, what it sends for the first page, and for each other one, with a § in place of the number or cursor.
    private static let places: [(route: Route, first: String, other: String)] = [
        (.get("items"), "", "page=§"),
        (.get("items").query("page", 1).query("a", 1), "page=1&a=1", "page=§&a=1"),
        (.get("items?a=1&page=1&b=1"), "a=1&page=1&b=1", "a=1&b=1&page=§"),
        (.get("items?p%61ge=1"), "p%61ge=1", "page=§"),
        (.get("items?mypage=1"), "mypage=1", "mypage=1&page=§"),
        (.get("items").parameters(["page": 1, "a": 1]), "page=1&a=1", "page=§&a=1"),
        (.get("items").parameters(["a": 1]), "a=1", "a=1&page=§"),
        (post, "", "page=§"),
        (post.parameters(["q": "x"]), #"{"q":"x"}"#, #"{"q":"x","page":§}"#),
        (post.parameters(["page": 1, "q": "x"]), #"{"page":1,"q":"x"}"#, #"{"page":§,"q":"x"}"#),
        (post.parameters(["page": "1"]), #"{"page":"1"}"#, #"{"page":§}"#),
        (post.parameters(["page": Int?.none, "q": "x"]), #"{"q":"x"}"#, #"{"page":§,"q":"x"}"#),
        (post.parameters(["q": "x", "page": 1]).encoding(.form), "q=x&page=1", "q=x&page=§"),
        (post.parameters(["q": "x"]).encoding(.query), "q=x", "q=x&page=§"),
        (post.parameters(Parameters(Filter())), #"{"text":"x"}"#, #"{"text":"x","page":§}"#),
        (post.parameters(["q": "x"]).query("page", 1), #"page=1 {"q":"x"}"#, #"page=§ {"q":"x"}"#),
        (post.json(["q": "x"]).query("page", 1), #"page=1 {"q":"x"}"#, #"page=§ {"q":"x"}"#),
        (Route.post("items?page=1").json(["q": "x"]), #"page=1 {"q":"x"}"#, #"page=§ {"q":"x"}"#),
        (post.json(["q": "x"]).parameters(["page": 1]), #"page=1 {"q":"x"}"#, #"page=§ {"q":"x"}"#),
        // The numbers go on after that of the route.
        (.get("items").query("page", 7), "page=7", "page=§"), (.get("items?page=7"), "page=7", "page=§"),
        (post.parameters(["page": 7]), #"{"page":7}"#, #"{"page":§}"#),
        (post.parameters(["page": "7"]).encoding(.form), "page=7", "page=§"),
        (post.json(1).query("page", 7), "page=7 1", "page=§ 1"),
    ]

    /// Places that a dotted path leads to.
    private static let dotted: [(Parameters, String, String)] = [
        (["variables": ["a": 5] as Parameters], #"{"variables":{"a":5}}"#, #"{"variables":{"a":5,"after":§}}"#),
        (
            ["variables": ["after": 1, "a": 5] as Parameters], #"{"variables":{"a":5,"after":1}}"#,
            #"{"variables":{"a":5,"after":§}}"#
        ),
        (["variables": ["a": 5]], #"{"variables":{"a":5}}"#, #"{"variables":{"a":5},"variables.after":§}"#),
        (
            ["variables.after": 1, "variables": [:] as Parameters], #"{"variables.after":1,"variables":{}}"#,
            #"{"variables.after":§,"variables":{}}"#
        ),
    ]

    @Test func `A number and a cursor are written where the route has them`() async throws {
        let rows =
            Self.places.map { ("page", $0, $1, $2) }
            + Self.dotted.map { ("variables.after", Self.post.parameters($0), $1, $2) }
        for (name, route, first, other) in rows {
            let numbers = try await sent(route, by: Self.number(name))
            let cursors = try await sent(route, by: Self.cursor(name))
            let others = (2...9).map { other.replacing("§", with: "\($0)") }
            let start = first.contains("7") ? 6 : 0
            #expect(numbers == [first, others[start], others[start + 1]], "\(first) \(other)")
            #expect(cursors == [first, others[0], others[1]], "\(first) \(other)")
        }
    }

    @Test func `One at a time, pages are those of a loop, and at most as many as the list may have`() async throws {
        try await mocked(.json(["items": [1]])) { client in
            let route = Self.post.parameters(["q": "x"]).mock("items")
            let pages = client.pages(route, as: Page.self, by: .number("page") { _ in false }, maximum: 3)
            var last = try await pages.page()
            for _ in 2...3 { last = try await pages.page(after: last) }
            let single = try await failure { try await pages.page(after: last) }
            var count = 0
            let loop = try await failure { for try await _ in pages { count += 1 } }
            let sent = [#"{"q":"x"}"#, #"{"q":"x","page":2}"#, #"{"q":"x","page":3}"#]
            #expect((count, Self.sent) == (3, sent + sent))
            #expect(Set([single, loop].map(\.line)) == ["transport: there are more than 3 pages"])
        }
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

    @Test func `A text, an offset and a header lead from page to page, and an empty text ends the list`() async throws {
        let texts = MockResponse.sequence([.json(["items": [1], "next": "x y"]), .json(["items": [2], "next": ""])])
        let headers = MockResponse.sequence([
            .json(["items": [1]]).header("opc-next-page", "t 2"), .json(["items": [2]]),
        ])
        let ways: [(MockResponse, Route, Paging<Page>, items: [[Int]], sent: [String])] = [
            (texts, .get("items"), .cursor("after") { $0.next }, [[1], [2]], ["", "after=x%20y"]),
            (
                Self.threePages, .get("items").query("limit", 50),
                .number("offset", from: 0, step: 50) { $0.items == [3] }, [[1], [2], [3]],
                ["limit=50", "limit=50&offset=50", "limit=50&offset=100"]
            ),
            (
                headers, .get("items"), .response("page") { $0.headers["opc-next-page"] }, [[1], [2]],
                ["", "page=t%202"]
            ),
        ]
        for (answers, route, paging, items, sent) in ways {
            try await mocked(answers) { client in
                let pages = try await client.pages(route.mock("items"), as: Page.self, by: paging).all()
                #expect((pages.map(\.value.items), Self.sent) == (items, sent))
            }
        }
    }

    @Test func `A route without a place for the number is refused after one page`() async throws {
        let body = "the body of the route has no place for the parameter \"page\" of the next page"
        let field = "the parameter \"page\" of the next page is a field of a value, which does not change"
        let refused: [(Route, String)] = [
            (.post("items").json(["q": "x"]), body), (.post("items").body(.data(Data("x".utf8))), body),
            (.post("items").parameters(Parameters(Filter(page: 1))), field),
            (.post("items").parameters(Parameters(Filter(page: 1))).encoding(.form), field),
            (.get("items").parameters(Parameters(Filter(page: 1))), field),
            (.get("items").query(Parameters(Filter(page: 1))), field),
        ]
        let fixes = [
            body: "send the values of the body as .parameters, or, if the server reads it in the query, add "
                + ".query(\"page\", …) for the first page",
            field: "leave it nil in the value, and add it to the route with .parameters or .query",
        ]
        for (route, message) in refused {
            try await mocked(.json(["items": [1]])) { client in
                let pages = client.pages(route.mock("items"), as: Page.self, by: .number("page") { _ in false })
                let error = try await failure { for try await _ in pages {} }
                #expect(
                    (error.line, error.fix, Mocks.calls.count) == ("invalid route: \(message)", fixes[message], 1))
            }
        }
    }

    // MARK: Addresses in the value

    @Test func `The address of the next page is in the value`() async throws {
        for (type, paging) in [("String", Paging<Page>.url { $0.next }), ("URL", .url { $0.link })] {
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
            let client = APIClient(baseURL: server.baseURL.appendingPathComponent("v1")) {
                $0.authorization = .bearer("t")
            }
            let pages = client.pages(Route.get("items").query("limit", 2), as: Page.self, by: paging)
            let items = try await pages.all().map(\.value.items)
            let queries = ["limit=2", "limit=2&offset=2", "$skip=4", "last"]
            #expect(
                (items, server.requests.map { [$0.target, $0["Authorization"]] })
                    == ([[1], [1], [1], [1]], queries.map { ["/v1/items?\($0)", "Bearer t"] }), "\(type)")
        }
    }

    @Test func `An address of another server in the value gets no credentials and no body`() async throws {
        let other = try LoopbackServer { _, connection in connection.respond(200, body: #"{"items": [2]}"#) }
        let server = try LoopbackServer { _, connection in
            connection.respond(200, body: #"{"items": [1], "next": "\#(other.baseURL)/items"}"#)
        }
        let client = APIClient(baseURL: server.baseURL) { $0.authorization = .bearer("token") }
        let pages = try await client.pages(Route.get("items"), as: Page.self, by: .url { $0.next }).all()
        let posted = client.pages(Route.post("items").json([1]), as: Page.self, by: .url { $0.next })
        await #expect(throws: APIError.self) { try await posted.all() }
        #expect((pages.map(\.value.items), other.requests.map { $0["Authorization"] }) == ([[1], [2]], [nil]))
    }

    // MARK: Pages that nobody follows, and pages that repeat

    /// How a loop ends over a list that begins with this page: with so many pages, and with an error.
    private func end(_ answer: MockResponse) async throws -> String {
        try await mocked(answer) { client in
            var count = 0
            do {
                for try await _ in client.pages(Route.get("items").mock("items"), as: JSONValue.self) { count += 1 }
            } catch let error as APIError { return "\(count) \(error.message)\n\(error.fix ?? "")" }
            return "\(count)"
        }
    }

    /// The end of a list that goes on elsewhere.
    private static func more(_ name: String, _ fix: String) -> String {
        "1 the list has more pages, as \(name) says, and the server sends no header Link\n\(fix)"
    }

    /// Bodies of a first page, each with the name of what leads to another page, if any, and the way to follow it.
    private static let bodies = """
        "next" .url ← {"items": [1], "next": "https://t.invalid/items?page=2"}
        "next" .url ← {"count": 9, "next": "/items?page=2", "previous": null, "items": [1]}
        "@odata.nextLink" .url ← {"@odata.nextLink": "Items?$skip=1", "items": [1]}
        "nextLink" .url ← {"nextLink": "https://t.invalid/2", "items": [1]}
        "next_page_url" .url ← {"next_page_url": "?page=2", "items": [1]}
        "next_page" .cursor ← {"next_page": 2, "items": [1]}
        "nextPageToken" .cursor ← {"nextPageToken": "abc", "items": [1]}
        "NextToken" .cursor ← {"NextToken": "abc", "items": [1]}
        "meta.next_cursor" .cursor ← {"meta": {"next_cursor": "abc"}, "items": [1]}
        "has_more" .cursor ← {"has_more": true, "data": [1]}
        "hasMore" .cursor ← {"hasMore": true, "items": [1]}
        "next_cursor" .cursor ← {"has_more": true, "next_cursor": "abc"}
        "pageInfo.hasNextPage" .cursor ← {"pageInfo": {"hasNextPage": true}, "items": [1]}
        "data.me.repos.pageInfo.hasNextPage" .cursor ← {"data": {"me": {"repos": {"nodes": [1], "pageInfo": \
        {"hasNextPage": true, "endCursor": "a"}}}}}
        "_links.next" .url ← {"_links": {"next": {"href": "/items?page=2"}}, "items": [1]}
        "link.url" .url ← {"link": [{"relation": "self", "url": "a"}, {"relation": "next", "url": "b"}]}
        "links.href" .url ← {"links": [{"rel": "next", "href": "/items?page=2"}], "items": [1]}
        over ← {"items": [1], "next": null}
        over ← {"items": [1], "next": ""}
        over ← {"items": [1], "next": false}
        over ← {"next_page": 0}
        over ← {"nextAppointment": "2026-01-01", "text": "next"}
        over ← [{"next": "/2"}]
        over ← {"items": [{"next": "/2"}]}
        over ← []
        over ← {"has_more": false, "pageInfo": {"hasNextPage": false}}
        over ← {"items": [{"has_more": true}]}
        over ← {"has_more": null, "hasMoreFun": true}
        over ← {"a": {"b": {"next": "c"}}}
        over ← {"links": [{"rel": "self", "href": "/items?page=1"}, "next"]}
        """

    @Test func `A list whose body names a next page is not over, and any other is`() async throws {
        let fixes = [
            ".url": "follow it with by: .url { … }",
            ".cursor": "send its cursor with by: .cursor(\"…\") { … }, or use .number",
        ]
        for line in Self.bodies.components(separatedBy: "\n") {
            let (names, body) = (line.prefix { $0 != "←" }.split(separator: " "), line.drop { $0 != "←" }.dropFirst(2))
            let expected = names.count == 1 ? "1" : Self.more("\(names[0])", fixes["\(names[1])"] ?? "")
            let end = try await end(.data(Data(body.utf8), contentType: "application/json"))
            #expect(end == expected, "\(line)")
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

    @Test func `A list whose headers name a next page is not over`() async throws {
        for (headers, name) in Self.headers {
            let answer = headers.reduce(MockResponse.data(Data("[1]".utf8))) { $0.header($1.name, $1.value) }
            let isCounted = ["Content-Range", "X-Total-Pages", "X-Has-More"].contains(name)
            let expected = name.map { name in
                Self.more(
                    "the header \(name)",
                    isCounted
                        ? "count its pages with by: .number(\"…\") { … }"
                        : "send its value with by: .response(\"…\") { $0.headers[\"\(name)\"] }")
            }
            let end = try await end(answer)
            #expect(end == expected ?? "1", "\(headers)")
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

    @Test func `One page at a time, a page that repeats is an error too`() async throws {
        for paging in [Paging<Page>.cursor("after") { $0.next }, .url { $0.next }] {
            try await mocked(.json(["items": [1], "next": "https://t.invalid/same"])) { client in
                let pages = client.pages(Route.get("items").mock("items"), as: Page.self, by: paging)
                let first = try await pages.page()
                let second = try #require(try await pages.page(after: first))
                // The same page may be loaded again, such as after the screen was left.
                #expect(try await pages.page(after: first) != nil)
                let error = try await failure { try await pages.page(after: second) }
                #expect(error.line == "transport: page 2 leads to a page that was loaded before")
            }
        }
    }
}
