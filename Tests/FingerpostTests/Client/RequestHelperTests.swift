import CallSupport
import Fingerpost
import FingerpostCallbacks
import Foundation
import TestSupport
import Testing

/// Requests derived from one another: a base route, appended segments, reusable query items, headers by name.
@Suite(.inTurn) struct RequestHelperTests {
    private struct Person: Codable, Equatable, Sendable {
        var name: String
    }

    private static let base = Route {
        $0.scheme = "https"
        $0.host = "somewebservice.example"
        $0.path = "api/v1"
    }

    private func url(_ route: Route) throws -> String? {
        try route.urlRequest().url?.absoluteString
    }

    // MARK: Configuration in a closure

    @Test func `A closure configures a route`() throws {
        #expect(try url(Self.base) == "https://somewebservice.example/api/v1")
    }

    @Test func `A closure may assign in any order, and only the host is required`() throws {
        let route = Route {
            $0.path = "api/v1"
            $0.host = "somewebservice.example"
        }
        #expect(try url(route) == "https://somewebservice.example/api/v1")
        #expect(try url(Route { $0.host = "h.example" }) == "https://h.example")
    }

    @Test func `A closure can set every part of a request`() throws {
        let person = Person(name: "Ada")
        let route = Route {
            $0.method = .post
            $0.scheme = "http"
            $0.host = "127.0.0.1"
            $0.port = 8080
            $0.path = "people"
            $0.query = ["notify": true]
            $0.headers = [.authorization: "Bearer t", .contentType: "application/vnd.api+json"]
            $0.body = .json(person)
            $0.timeout = .seconds(5)
            $0.mock = "person"
        }
        let request = try route.urlRequest()
        #expect(request.httpMethod == "POST")
        #expect(request.url?.absoluteString == "http://127.0.0.1:8080/people?notify=true")
        #expect(
            request.allHTTPHeaderFields == [
                "Authorization": "Bearer t", "Content-Type": "application/vnd.api+json",
            ])
        #expect(request.httpBody == Data(#"{"name":"Ada"}"#.utf8))
        #expect(route.timeout == .seconds(5))
        #expect(route.mock == "person")
    }

    @Test func `A closure's error is rethrown`() {
        struct NoHost: Error {}
        #expect(throws: NoHost.self) {
            try Route { _ in throw NoHost() }
        }
    }

    // MARK: Segments

    private static let appended: [(Route, String)] = [
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

    @Test(arguments: appended)
    func `Appended segments are escaped and joined by one slash`(route: Route, url: String) throws {
        #expect(try self.url(route) == url)
    }

    @Test(arguments: ["", ".", ".."])
    func `An empty or dot segment is rejected`(segment: String) {
        for route in [Self.base.appending(segment), Self.base.appending("people", segment, "x")] {
            let error = #expect(throws: APIError.self) { try url(route) }
            #expect(error?.kind == .invalidRoute)
        }
    }

    @Test func `Appending does not change the base`() throws {
        let people = Self.base.appending("people")
        _ = people.appending("7").query([QueryItem("x", 1)]).method(.delete)
        #expect(try url(Self.base) == "https://somewebservice.example/api/v1")
        #expect(try url(people) == "https://somewebservice.example/api/v1/people")
    }

    // MARK: Query items

    private static let hairColor = QueryItem.named("haircolor")
    private static let page = QueryItem.named("page")

    private static let items: [([QueryItem], String)] = [
        ([], "https://somewebservice.example/api/v1"),
        ([QueryItem("haircolor", "black")], "https://somewebservice.example/api/v1?haircolor=black"),
        ([hairColor("black")], "https://somewebservice.example/api/v1?haircolor=black"),
        ([hairColor("black"), page(2)], "https://somewebservice.example/api/v1?haircolor=black&page=2"),
        ([page(2), hairColor("dark blond")], "https://somewebservice.example/api/v1?page=2&haircolor=dark%20blond"),
        ([hairColor("red"), hairColor("grey")], "https://somewebservice.example/api/v1?haircolor=red&haircolor=grey"),
        ([hairColor(["red", "grey"])], "https://somewebservice.example/api/v1?haircolor=red&haircolor=grey"),
        ([hairColor(nil), page(1)], "https://somewebservice.example/api/v1?page=1"),
        ([hairColor("")], "https://somewebservice.example/api/v1?haircolor="),
        ([hairColor("a&b=c+d")], "https://somewebservice.example/api/v1?haircolor=a%26b%3Dc%2Bd"),
        ([QueryItem("a b", true)], "https://somewebservice.example/api/v1?a%20b=true"),
    ]

    @Test(arguments: items)
    func `Query items keep their order`(items: [QueryItem], url: String) throws {
        #expect(try self.url(Self.base.query(items)) == url)
    }

    @Test func `A function can make query items from a list of values`() throws {
        let chosen = ["black", "red"].map(Self.hairColor)
        #expect(chosen.map(\.name) == ["haircolor", "haircolor"])
        #expect(try url(Self.base.query(chosen + [Self.page(1)])).map { $0.hasSuffix("red&page=1") } == true)
    }

    @Test func `Items are added to existing ones, for every method`() throws {
        let route = Self.base.query("x", 1).query([Self.page(2)]).query(["y": 3]).method(.post)
        #expect(try url(route) == "https://somewebservice.example/api/v1?x=1&page=2&y=3")
    }

    // MARK: Headers

    private static let names: [(HTTPHeaders.Name, String)] = [
        (.authorization, "Authorization"), (.contentType, "Content-Type"), (.accept, "Accept"),
        (.acceptLanguage, "Accept-Language"), (.userAgent, "User-Agent"), (.ifNoneMatch, "If-None-Match"),
        (.cacheControl, "Cache-Control"), (.cookie, "Cookie"), (.referer, "Referer"), (.range, "Range"),
        ("X-Trace", "X-Trace"),
    ]

    @Test(arguments: names)
    func `Each static header name is sent as its standard name`(name: HTTPHeaders.Name, sent: String) throws {
        let request = try Self.base.header(name, "v").urlRequest()
        #expect(request.allHTTPHeaderFields == [sent: "v"])
    }

    @Test func `Headers are read, replaced, added and removed by name`() {
        var route = Self.base
        route.headers = [.authorization: "Bearer a", "X-Trace": "1"]
        #expect(route.headers["authorization"] == "Bearer a")
        route.headers[.authorization] = "Bearer b"
        route.headers["x-trace"] = nil
        route.headers.add(.accept, "a/b")
        route.headers.add(.accept, "c/d")
        #expect(route.headers[.authorization] == "Bearer b")
        #expect(route.headers[.accept] == "a/b, c/d")
        #expect(route.headers.map(\.name) == [.authorization, .accept, .accept])
    }

    // MARK: Calls

    @Test func `A request derived from a base is sent and decoded`() async throws {
        let transport = StubTransport(200, [:], #"[{ "name": "Ada" }]"#)
        let route = Self.base.appending("people").query([Self.hairColor("black")])
        let people = try await transport.client().send(route, as: [Person].self)
        #expect(people == [Person(name: "Ada")])
        #expect(
            transport.requests.map { $0.url?.absoluteString } == [
                "https://somewebservice.example/api/v1/people?haircolor=black"
            ])
    }

    @Test(arguments: [200, 503])
    func `A request derived from a base runs its callback once`(status: Int) async {
        let client = StubTransport(status, [:], #"[{ "name": "Ada" }]"#).client()
        let result = await withCheckedContinuation { continuation in
            client.request(Self.base.appending("people"), as: [Person].self) { continuation.resume(returning: $0) }
        }
        switch result {
        case .success(let people): #expect(people == [Person(name: "Ada")] && status == 200)
        case .failure(let error): #expect(error.kind == .status(503) && status == 503)
        }
    }
}
