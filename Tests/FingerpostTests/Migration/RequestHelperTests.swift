import Fingerpost
import Foundation
import Testing

/// Requests put together piece by piece, as users of SwiftyRequest have them.
@Suite struct RequestHelperTests {
    @Test func `A closure configures the route`() throws {
        let route = Route {
            $0.scheme = "https"
            $0.host = "swapi.example"
            $0.path = "api/people"
            $0.method = .post
            $0.headers[.accept] = "application/json"
        }
        let request = try route.urlRequest()
        #expect(request.url?.absoluteString == "https://swapi.example/api/people")
        #expect(request.httpMethod == "POST")
    }

    @Test func `An error of the closure is passed on`() {
        struct Odd: Error {}
        #expect(throws: Odd.self) { try Route { _ in throw Odd() } }
    }

    private static let appended: [(RoutePath, [String], String)] = [
        ("api", ["people"], "/api/people"), ("api/", ["people", "1"], "/api/people/1"), ("", ["people"], "/people"),
        ("/", ["people"], "/people"), ("api", ["a/b", "c d"], "/api/a%2Fb/c%20d"),
        ("api?v=1", ["people"], "/api/people?v=1"),
        ("https://o.example/x", ["y"], "/x/y"), ("https://o.example", ["y"], "/y"),
    ]

    @Test(arguments: appended)
    func `Segments are appended one or several at once`(path: RoutePath, segments: [String], end: String) throws {
        let route = segments.reduce(Route.get(path)) { $0.appending($1) }
        let url = try route.urlRequest(relativeTo: URL(string: "https://h.example")).url?.absoluteString
        #expect(url?.hasSuffix(".example" + end) == true, "\(url ?? "")")
        let base = Route.get("api")
        #expect(
            try base.appending("a", "b").urlRequest(relativeTo: URL(string: "https://h.example")).url?.path
                == "/api/a/b")
    }

    @Test(arguments: ["", ".", ".."]) func `A segment that leads elsewhere is refused`(segment: String) {
        #expect(throws: APIError.self) {
            try Route.get("api").appending(segment, "x").urlRequest(relativeTo: URL(string: "https://h.example"))
        }
    }

    @Test func `Query items come as a list, and by a name applied before its value`() throws {
        let hairColor = QueryItem.named("haircolor")
        let route = Route.get("people").query([
            hairColor("red"), QueryItem("page", 2), hairColor(nil), hairColor(["a", "b"]),
        ])
        let url = try route.urlRequest(relativeTo: URL(string: "https://h.example")).url
        #expect(url?.query == "haircolor=red&page=2&haircolor=a&haircolor=b")
    }

    private static let names: [(HTTPHeaders.Name, String)] = [
        (.authorization, "Authorization"), (.contentType, "Content-Type"), (.accept, "Accept"),
        (.userAgent, "User-Agent"),
        (.cacheControl, "Cache-Control"), (.ifNoneMatch, "If-None-Match"), (.etag, "ETag"), (.cookie, "Cookie"),
        (.acceptLanguage, "Accept-Language"), (.retryAfter, "Retry-After"), (.location, "Location"), (.range, "Range"),
        (.idempotencyKey, "Idempotency-Key"), (.wwwAuthenticate, "WWW-Authenticate"),
    ]

    @Test(arguments: names) func `Header names are typed`(name: HTTPHeaders.Name, text: String) throws {
        let request = try Route.get("x").header(name, "v").urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect(request.allHTTPHeaderFields == [text: "v"])
    }
}
