import CallSupport

/// Requests derived from one another: a base route with appended segments.
@Suite(.inTurn) struct RequestHelperTests {
    private static let base = Route {
        $0.scheme = "https"
        $0.host = "somewebservice.example"
        $0.path = "api/v1"
    }

    private func url(_ route: Route) throws -> String? { try route.urlRequest().url?.absoluteString }

    private static let built: [(Route, String)] = [
        (base.appending("people"), "https://somewebservice.example/api/v1/people"),
        (base.appending("people", "7", "friends"), "https://somewebservice.example/api/v1/people/7/friends"),
        (base.appending("people").appending("7"), "https://somewebservice.example/api/v1/people/7"),
        (base.appending("a/b", "c d", "é?#"), "https://somewebservice.example/api/v1/a%2Fb/c%20d/%C3%A9%3F%23"),
        (base.appending("100%"), "https://somewebservice.example/api/v1/100%25"),
        (base.appending("%41"), "https://somewebservice.example/api/v1/%2541"),
        (base.appending(), "https://somewebservice.example/api/v1"),
        (Route.get("").host("h.example").appending("a"), "https://h.example/a"),
        (Route.get("/").host("h.example").appending("a"), "https://h.example/a"),
        (Route.get("a/").host("h.example").appending("b"), "https://h.example/a/b"),
        (Route.get("a?x=1").host("h.example").appending("b", "c"), "https://h.example/a/b/c?x=1"),
        (Route.get("https://h.example").appending("a"), "https://h.example/a"),
        (Route.get("https://h.example/a/?x=1").appending("b"), "https://h.example/a/b?x=1"),
        (base.query("x", 1).appending("people"), "https://somewebservice.example/api/v1/people?x=1"),
        (Route.get("users/\("a/b")").host("h.example").appending("c"), "https://h.example/users/a%2Fb/c"),
    ]

    @Test func `Appended segments are escaped and joined by one slash, before the query`() throws {
        let urls = try Self.built.map { try url($0.0) }
        #expect(urls == Self.built.map(\.1))
    }

    @Test(arguments: ["", ".", ".."]) func `An empty or dot segment is rejected`(segment: String) throws {
        for route in [Self.base.appending(segment), Self.base.appending("people", segment, "x")] {
            try failure(.invalidRoute) { try url(route) }
        }
    }
}
