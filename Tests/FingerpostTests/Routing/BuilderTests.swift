import CallSupport
import FingerpostMocks
import FingerpostTransfers

/// Routes built with the fluent form.
@Suite(.inTurn) struct BuilderTests {
    private let base = URL(string: "https://base.example/v1")

    private static let routes: [(Route, String)] = [
        (.get("user/repos").host("api.github.com"), "GET https://api.github.com/user/repos"),
        (Route(path: "user/repos").host("api.github.com"), "GET https://api.github.com/user/repos"),
        (.get("/user/repos").host("api.github.com"), "GET https://api.github.com/user/repos"),
        (.get("").host("api.github.com"), "GET https://api.github.com"),
        (Route { ($0.path, $0.host, $0.scheme) = ("x", "h.example", "https") }, "GET https://h.example/x"),
        (
            Route { ($0.path, $0.host, $0.scheme, $0.port) = ("x", "h.example", "http", 8080) },
            "GET http://h.example:8080/x"
        ),
        (Route { ($0.path, $0.host, $0.port) = ("x", "[::1]", 1) }, "GET https://[::1]:1/x"),
        (.get("x").host("h.example").query("name", "joakim"), "GET https://h.example/x?name=joakim"),
        (.post("x").query("a", 1), "POST https://base.example/v1/x?a=1"),
        (.get("x").method("OPTIONS").host("h.example"), "OPTIONS https://h.example/x"),
        (.get("x").method(.delete).host("h.example"), "DELETE https://h.example/x"),
        (.get("x").host("first.example").host("last.example"), "GET https://last.example/x"),
    ]

    @Test(arguments: routes)
    func `The fluent form sets method and URL, and the rest has defaults`(route: Route, expected: String) throws {
        let request = try route.urlRequest(relativeTo: base)
        #expect("\(request.httpMethod ?? "?") \(request.url?.absoluteString ?? "?")" == expected)
    }

    @Test func `The order of fluent calls does not change the request`() throws {
        let steps: [@Sendable (Route) -> Route] = [
            { $0.host("h.example") }, { $0.query("a", 1) },
            { $0.header("X-A", "1") }, { $0.json(["k": "v"]) }, { $0.method(.post) }, { $0.mock("m") },
            { $0.timeout(.seconds(5)) }, { $0.authorization(.none) }, { $0.named("n") },
        ]
        let expected = try steps.reduce(Route.get("x")) { $1($0) }.urlRequest()
        #expect(
            (expected.url?.absoluteString, expected.httpBody?.text) == ("https://h.example/x?a=1", #"{"k":"v"}"#))
        for start in steps.indices {
            let route = (steps[start...] + steps[..<start]).reversed().reduce(Route.get("x")) { $1($0) }
            let request = try route.urlRequest()
            #expect((request, request.httpBody) == (expected, expected.httpBody))
            #expect(
                (route.mock, route.timeout, route.authorization, route.name) == ("m", .seconds(5), .none, "n"))
        }
    }

    /// A router of routes, whose cases have the names of builder methods.
    private enum Tasks: RouteConvertible {
        case query(String)
        case header, mock

        var route: Route { .get("tasks").header("X-Own", "1") }
    }

    private static let changes: [@Sendable (Tasks) -> Route] = [
        { $0.host("h.example") }, { $0.method(.post) }, { $0.appending("a") },
        { $0.query("a", 1) }, { $0.query(["a": 1]) },
        { $0.parameters(["a": 1]) }, { $0.encoding(.form) }, { $0.dialect(.rails) }, { $0.header("X-A", "1") },
        { $0.json(["a": 1]) }, { $0.body(.text("a")) }, { $0.multipart(MultipartForm()) },
        { $0.authorization(.none) }, { $0.configure { $0.cachePolicy = .reloadIgnoringLocalCacheData } },
        { $0.mock("m") }, { $0.timeout(.seconds(5)) }, { $0.retry(.standard) }, { $0.idempotencyKey() },
        { $0.idleTimeout(.seconds(5)) }, { $0.redirects(.manual) }, { $0.baseURLKey("other") },
        { $0.acceptedStatuses(.all) }, { $0.answers(Int.self) }, { Route(of: $0) },
    ]

    @Test(arguments: changes.indices) func `A changed case keeps its name and what its route sets`(index: Int) {
        let change = Self.changes[index]
        let (header, query, mock) = (change(.header), change(.query("a")), change(.mock))
        let seen = [header.name, query.header("X-B", "2").name, mock.named("n").name, mock.headers["X-Own"]]
        #expect(seen == ["Tasks.header", "Tasks.query(_:)", "n", "1"])
    }

    /// An endpoint whose properties have the names of builder methods.
    private struct Search: Endpoint {
        let query: String
        let host: Int
        var header: String { "own" }
        var timeout: Duration? { .seconds(3) }

        var path: RoutePath { "search/\(query)/\(host)/\(header)" }
    }

    @Test func `The properties of a router may have the names of builder methods`() throws {
        let search = Search(query: "q", host: 1)
        let (query, host, timeout) = (search.query, search.host, search.timeout)
        let route = search.timeout(.seconds(4)).query("a", 1)
        let seen = try (query, host, timeout, route.timeout, route.urlRequest(relativeTo: base).url?.absoluteString)
        #expect(seen == ("q", 1, .seconds(3), .seconds(4), "\(base!)/search/q/1/own?a=1"))
    }

    private static let mistakes: [(Route, String)] = [
        (.get("x").host(""), "\"\" is not a valid host"),
        (.get("x").host("https://h.example"), "\"https://h.example\" is not a valid host"),
        (.get("x").host("h.example/path"), "\"h.example/path\" is not a valid host"),
        (.get("x").host("user@h.example"), "\"user@h.example\" is not a valid host"),
        (.get("x").host("h.example:80"), "\"h.example:80\" is not a valid host"),
        (.get("x").host("{region}.example"), "\"{region}.example\" is not a valid host"),
        (Route { ($0.path, $0.port) = ("x", 80) }, "the route has a port but no host"),
        (Route { ($0.path, $0.scheme) = ("x", "http") }, "the route has a scheme but no host"),
    ]

    @Test(arguments: mistakes)
    func `An invalid route throws an error with a fix`(route: Route, message: String) throws {
        let error = try failure(.invalidRoute) { try route.urlRequest(relativeTo: base) }
        #expect(error.message == message && error.fix != nil)
    }
}
