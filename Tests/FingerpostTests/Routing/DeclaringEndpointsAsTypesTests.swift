import CallSupport
import FingerpostStreams

/// How users declare small endpoint types: each type declares only what it needs and becomes a request below a base
/// URL.
@Suite("Declaring endpoints as types", .inTurn)
struct DeclaringEndpointsAsTypesTests {
    private let base = URL(string: "https://test.example")!

    struct OnlyPath: Routable { let path: RoutePath = "test" }

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

    private static let table: [(any Routable, method: String, url: String, headers: [String: String]?, body: String?)] =
        [
            (OnlyPath(), "GET", "https://test.example/test", nil, nil),
            (
                WithQueryAndBody(), "PUT", "https://test.example/player?v=1&device_id=a%20b",
                ["Content-Type": "application/json"], #"{"uris":["x"]}"#
            ),
            (
                TypedWithQuery(), "POST", "https://test.example/player?ids=1&ids=2",
                ["Content-Type": "application/json"], #"{"a":1}"#
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
        ]

    @Test("A type declares what it needs, and the rest has defaults", arguments: table.indices)
    func defaults(_ index: Int) throws {
        let (endpoint, method, url, headers, body) = Self.table[index]
        for request in [try endpoint.urlRequest(relativeTo: base), try endpoint.route.urlRequest(relativeTo: base)] {
            #expect(
                (
                    request.httpMethod, request.url?.absoluteString, request.allHTTPHeaderFields ?? [:],
                    request.httpBody?.text
                ) == (method, url, headers ?? [:], body))
        }
    }
}
