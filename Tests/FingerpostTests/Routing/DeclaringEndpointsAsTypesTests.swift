import Fingerpost
import FingerpostFiles
import FingerpostStreams
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// How users declare small endpoint types: each type declares only what it needs and becomes a request below a base
/// URL.
@Suite("Declaring endpoints as types", .inTurn)
struct DeclaringEndpointsAsTypesTests {
    private let base = URL(string: "https://test.example")!

    struct OnlyPath: Routable {
        let path: RoutePath = "test"
    }

    struct OnlyMethod: Routable {
        let method = HTTPMethod.post
        let path: RoutePath = ""
    }

    struct WithQuery: Routable {
        let path: RoutePath = "test"
        let parameters: Parameters? = ["foo": "bar"]
    }

    struct WithHeaders: Routable {
        let path: RoutePath = "test"
        let headers: HTTPHeaders = ["X-Test": "1"]
    }

    struct WithData: Routable {
        let method = HTTPMethod.post
        let path: RoutePath = "test"
        let body: RequestBody? = .data(Data("Test".utf8))
    }

    struct WithStream: Routable {
        let method = HTTPMethod.put
        let path: RoutePath = "test"
        let body: RequestBody? = .stream(BodyStream { InputStream(data: Data("Test".utf8)) })
    }

    struct WithEverything: Routable {
        let method = HTTPMethod.put
        let path: RoutePath = "test"
        let parameters: Parameters? = ["foo": "bar"]
        let headers: HTTPHeaders = ["X-Test": "1"]
        let body: RequestBody? = .data(Data("Test".utf8), contentType: "a/b")
    }

    struct WithQueryAndBody: Routable {
        let method = HTTPMethod.put
        let path: RoutePath = "player?v=1"
        let query: Parameters = ["device_id": "a b", "market": nil]
        let parameters: Parameters? = ["uris": ["x"]]
    }

    struct TypedWithQuery: Endpoint {
        let method = HTTPMethod.post
        let path: RoutePath = "player"
        let query: Parameters = ["ids": [1, 2]]
        let body = ["a": 1]
    }

    struct Want: Routable {
        let username: String
        let product: Int
        let token: String

        var method: HTTPMethod { .post }
        var path: RoutePath { "users/\(username)/goods" }
        var parameters: Parameters? { ["product_id": product] }
        var headers: HTTPHeaders { ["Csrf-Token": token, "X-Requested-With": "XMLHttpRequest"] }
    }

    /// Implements `route` itself.
    struct ByHand: Routable {
        let path: RoutePath = "ignored"
        var route: Route { .get("https://different.example/x") }
    }

    private static let table: [(any Routable, method: String, url: String, headers: [String: String]?, body: String?)] =
        [
            (OnlyPath(), "GET", "https://test.example/test", nil, nil),
            (OnlyMethod(), "POST", "https://test.example", nil, nil),
            (WithQuery(), "GET", "https://test.example/test?foo=bar", nil, nil),
            (WithHeaders(), "GET", "https://test.example/test", ["X-Test": "1"], nil),
            (
                WithQueryAndBody(), "PUT", "https://test.example/player?v=1&device_id=a%20b",
                ["Content-Type": "application/json"], #"{"uris":["x"]}"#
            ),
            (
                TypedWithQuery(), "POST", "https://test.example/player?ids=1&ids=2",
                ["Content-Type": "application/json"], #"{"a":1}"#
            ),
            (
                WithData(), "POST", "https://test.example/test", ["Content-Type": "application/octet-stream"], "Test"
            ),
            (
                WithEverything(), "PUT", "https://test.example/test?foo=bar", ["X-Test": "1", "Content-Type": "a/b"],
                "Test"
            ),
            (
                Want(username: "a/b", product: 7, token: "t"), "POST", "https://test.example/users/a%2Fb/goods",
                ["Csrf-Token": "t", "X-Requested-With": "XMLHttpRequest", "Content-Type": "application/json"],
                #"{"product_id":7}"#
            ),
            (ByHand(), "GET", "https://different.example/x", nil, nil),
        ]

    @Test("A type declares what it needs, and the rest has defaults", arguments: table.indices)
    func defaults(_ index: Int) throws {
        let (endpoint, method, url, headers, body) = Self.table[index]
        for request in [
            try endpoint.urlRequest(relativeTo: base), try endpoint.route.urlRequest(relativeTo: base),
        ] {
            #expect(request.httpMethod == method)
            #expect(request.url?.absoluteString == url)
            #expect(request.allHTTPHeaderFields ?? [:] == headers ?? [:])
            #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == body)
        }
    }

    @Test("A stream is opened for each request")
    func stream() throws {
        let requests = try (1...2).map { _ in try WithStream().urlRequest(relativeTo: base) }
        #expect(requests.allSatisfy { $0.httpBody == nil && $0.httpBodyStream != nil })
        #expect(requests[0].httpBodyStream !== requests[1].httpBodyStream)
    }

    @Test(
        "The base URL sets the server",
        arguments: [
            ("https://test.example", "https://test.example/test?foo=bar"),
            ("https://test.example/", "https://test.example/test?foo=bar"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/test?foo=bar"),
            ("http://[::1]/v1/", "http://[::1]/v1/test?foo=bar"),
            ("https://test.example/v1?key=1", "https://test.example/v1/test?key=1&foo=bar"),
        ])
    func bases(_ base: String, _ url: String) throws {
        #expect(try WithQuery().urlRequest(relativeTo: URL(string: base)).url?.absoluteString == url)
    }

    @Test("Without a base URL a relative endpoint is an error and an absolute one is not")
    func withoutBase() throws {
        let error = try #require(throws: APIError.self) { try OnlyPath().urlRequest() }
        #expect(error.kind == .invalidRoute)
        #expect(error.message.contains("base URL"))
        #expect(error.route == "OnlyPath")
        #expect(try ByHand().urlRequest().url?.host == "different.example")
    }

    @Test("Endpoints of different types can be in one list of routes")
    func erased() async throws {
        let endpoints: [any Routable] = [OnlyPath(), WithQuery(), WithEverything()]
        let routes: [Route] = endpoints.map(\.route) + [Route.get("by/value")]
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        for route in routes { try await client.send(route) }
        for endpoint in endpoints { try await client.send(endpoint) }
        let targets = ["/test", "/test?foo=bar", "/test?foo=bar", "/by/value"]
        #expect(server.requests.map(\.target) == targets + targets.dropLast())
        #expect(server.requests.map(\.method) == ["GET", "GET", "PUT", "GET", "GET", "GET", "PUT"])
    }

    private static let methods: [(HTTPMethod, String)] = [
        (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"), (.delete, "DELETE"),
        (.options, "OPTIONS"), (.trace, "TRACE"), (.connect, "CONNECT"), (.query, "QUERY"),
    ]

    struct AnyMethod: Routable {
        let method: HTTPMethod
        let path: RoutePath = "x"
    }

    @Test("Every method has a name", arguments: methods)
    func method(_ method: HTTPMethod, _ name: String) async throws {
        #expect(try AnyMethod(method: method).urlRequest(relativeTo: base).httpMethod == name)
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        defer { server.stop() }
        try await APIClient(baseURL: server.baseURL).send(AnyMethod(method: method).route.timeout(.seconds(240)))
        #expect(server.requests.map(\.method) == [name])
    }

    @Test("Each method has a static function")
    func fluent() throws {
        let routes: [Route] = [
            .get("x"), .head("x"), .post("x"), .put("x"), .patch("x"), .delete("x"), .options("x"), .trace("x"),
            .connect("x"),
        ]
        #expect(routes.map(\.method.rawValue) == Self.methods.dropLast().map(\.1))
    }

    @Test("Changing the base URL changes nothing else in the request")
    func switching() async throws {
        let servers = try (1...2).map { number in
            try LoopbackServer { _, connection in connection.respond(200, body: "\(number)") }
        }
        defer { for server in servers { server.stop() } }
        for (number, server) in zip(1..., servers) {
            let client = APIClient(baseURL: server.baseURL)
            #expect(try await client.send(OnlyPath(), as: Int.self) == number)
            let environment = try Environment("Local", values: ["baseURL": server.baseURL.absoluteString])
            let answer = try await APIScope(environment: environment).run {
                try await APIClient().send(OnlyPath(), as: Int.self)
            }
            #expect(answer == number)
        }
    }
}
