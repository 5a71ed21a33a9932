import CallSupport
import FingerpostTransfers

@testable import Fingerpost

@Suite(.inTurn) struct RequestBuildingTests {
    private let base = URL(string: "https://api.example.com")

    private func request(_ route: Route) throws -> URLRequest { try route.urlRequest(relativeTo: base) }

    private static let written: [(Route, header: [String: String], body: String?)] = {
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        let bytes = ["Content-Type": "application/octet-stream"]
        func post(_ parameters: Parameters) -> Route { .post("x").parameters(parameters).encoding(.form) }
        return [
            (post(["a": "b c", "d": "e+f&g=h", "i": [1, 2]]), form, "a=b+c&d=e%2Bf%26g%3Dh&i=1&i=2"),
            (post(["é": "ü", "n": nil]), form, "%C3%A9=%C3%BC"),
            (post(["flag": true, "o": ["k": "v"]]), form, "flag=true&o%5Bk%5D=v"),
            (
                .post("x").json(Filter(name: "n", tags: [], limit: 1)), ["Content-Type": "application/json"],
                #"{"limit":1,"name":"n","tags":[]}"#
            ),
            (.put("x").body(.text("hello")), ["Content-Type": "text/plain; charset=utf-8"], "hello"),
            (.put("x").body(.data(Data([0, 1]), contentType: "application/octet-stream")), bytes, "\u{0}\u{1}"),
            (.put("x").body(.data(Data([0]))), bytes, "\u{0}"),
            // A content type set by the route is kept, and the values of a repeated header are joined.
            (
                .post("x").parameters(["a": 1]).header("content-type", "application/vnd.api+json"),
                ["content-type": "application/vnd.api+json"], #"{"a":1}"#
            ),
            (
                .get("x").header(.accept, "text/plain").header("ACCEPT", "text/html")
                    .header(.cookie, "a=1").header(.cookie, "b=2"),
                ["Accept": "text/plain, text/html", "Cookie": "a=1; b=2"], nil
            ),
        ]
    }()

    @Test(arguments: written)
    func `A body is sent verbatim with its type, a form like an HTML form, and repeated headers as one`(
        route: Route, headers: [String: String], body: String?
    ) throws {
        let request = try request(route)
        #expect((request.allHTTPHeaderFields, request.httpBody?.text) == (headers, body))
    }

    private static let refused: [(Route, String)] = {
        let route = Route.post("x").json(["a": 1])
        let values = ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b"].map { (route.header("X-A", $0), "X-A") }
        // The message escapes what follows the first character of some.
        let names = ["", "X A", "X-A:", "X\r\nY", "É", "X\u{0}", "Content-Length", "transfer-encoding", "HOST"]
        let methods = [HTTPMethod.get, .head, "TRACE", "CONNECT"].flatMap { method in
            [route.method(method), Route(method: method, path: "x").parameters(["a": 1]).encoding(.json)]
        }
        return values + names.map { (Route.get("x").header(HTTPHeaders.Name(rawValue: $0), "1"), String($0.prefix(1))) }
            + methods.map { ($0, "cannot carry a body") }
            + [Duration.zero, .seconds(-1)].map { (route.timeout($0), "timeout") }
            + [(route.parameters(["b": 2]).encoding(.json), "")]
    }()

    @Test(arguments: refused)
    func `Headers, methods, bodies and timeouts that no request has are rejected`(route: Route, message: String) throws
    {
        let error = try failure(.invalidRoute) { try request(route) }
        #expect(message.isEmpty || error.message.contains(message), "\(error.message)")
    }

    @Test func `An invalid content type is rejected, whatever sets it`() throws {
        let invalid = "a\r\nX-Evil: 1"
        var builder = RequestBuilder(base: .success(try BaseURL("https://h.example", called: "the URL")))
        let bodies = [RequestBody.data(Data(), contentType: invalid), .text("a", contentType: invalid)]
        let routes = bodies.map { Route.post("x").body($0) } + [.post("x").header(.contentType, invalid).json(1)]
        var failures = routes.map { route in routeFailure { try builder.request(for: route) } }
        // The header of a route replaces the type of its body, which is not sent.
        let replaced = try builder.request(for: .post("x").header(.contentType, "a/b").body(bodies[0]))
        #expect(replaced.value(forHTTPHeaderField: "Content-Type") == "a/b")
        // The client reports an invalid header for every route.
        builder.headers = [.contentType: invalid]
        for route in [Route.post("x").json(1), .post("x").body(.text("a")), .get("x")] {
            failures.append(routeFailure { try builder.request(for: route) })
        }
        #expect(failures.filter { !$0.contains("Content-Type") || $0.hasPrefix("no error") } == [])
    }

    private static let bodies: [(Route, header: HTTPHeaders.Name, value: String, fix: String?)] = {
        let form = Route.post("x").parameters(["a": 1]).encoding(.form)
        let parts = Route.post("x").multipart(MultipartForm().field("a", "1"))
        let json = Route.post("x").json([1])
        let named = Route.post("x").parameters(["a": 1])
        let bytes = Route.post("x").body(.data(Data([1]), contentType: nil))
        let (formSets, data) = ("remove it: the form sets it", "remove it, or send other bytes as RequestBody.data")
        let (type, coding) = (HTTPHeaders.Name.contentType, HTTPHeaders.Name.contentEncoding)
        let encoded = "remove it, or send the encoded bytes as RequestBody.data"
        return [
            (parts, type, "multipart/form-data", formSets),
            (parts, type, "multipart/form-data; boundary=other", formSets), (parts, type, "image/jpeg", formSets),
            (parts, type, "application/json", formSets), (form, type, "application/json", formSets),
            (form, type, "multipart/form-data", formSets), (form, type, "application/x-www-form-urlencoded", nil),
            (form, type, "Application/X-WWW-Form-URLEncoded; charset=utf-8", nil),
            (json, type, "application/x-www-form-urlencoded", data), (json, type, "text/plain", data),
            (named, type, "application/xml", data), (named, type, "multipart/form-data", data),
            (json, type, "application/json; charset=utf-8", nil), (json, type, "application/vnd.api+json", nil),
            (json, type, "application/json; charset=ISO-8859-1", data),
            (json, type, "application/json; charset=utf8", nil),
            (named, type, "application/json;Charset=\"utf-16\"", data),
            (form, type, "application/x-www-form-urlencoded; charset=ISO-8859-1", formSets),
            (bytes, type, "text/plain; charset=ISO-8859-1", nil),
            (named, type, "application/merge-patch+json", nil), (named, type, "application/x-amz-json-1.1", nil),
            (named, type, "application/vnd.company.v2", nil), (bytes, type, "image/png", nil),
            (bytes, type, "multipart/mixed; Boundary=b", nil),
            (
                bytes, type, "multipart/form-data",
                "send the form as RequestBody.multipart, or add the boundary between the parts of the body"
            ),
            (json, coding, "gzip", encoded), (form, coding, "br", encoded), (parts, coding, "gzip", encoded),
            (json, coding, "identity", nil), (bytes, coding, "gzip", nil), (.get("x"), type, "text/plain", nil),
            (json, "Content-Length", "3", "remove it"), (parts, "Transfer-Encoding", "chunked", "remove it"),
        ]
    }()

    @Test(arguments: bodies.indices)
    func `A header of a route that does not fit its body is rejected`(index: Int) throws {
        let (route, name, value, fix) = Self.bodies[index]
        let (sent, error): (String?, APIError?)
        do throws(APIError) {
            let request = try route.header(name, value).urlRequest(relativeTo: base)
            (sent, error) = (request.value(forHTTPHeaderField: name.rawValue), nil)
        } catch let failure { (sent, error) = (nil, failure) }
        #expect(
            (sent, error?.kind, error?.fix) == (fix == nil ? value : nil, fix == nil ? nil : .invalidRoute, fix))
    }

    @Test(arguments: [
        "", " ", " GET", "GET POST", "GET\r", "GET\n", "GET\r\nX: 1", "GÉT", "G\u{0}T", "\u{0}", "ſ", "ı",
    ])
    func `A method that is not a token is rejected wherever it is set`(method: String) async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.configure = { request, _ in request.httpMethod = method } }
        let errors = [
            routeFailure { try request(Route(method: HTTPMethod(rawValue: method), path: "x")) },
            routeFailure { try request(.get("x").configure { $0.httpMethod = method }) },
            "\(try await failure { try await client.send(Route.get("x")) })",
        ]
        let areNamed = errors.allSatisfy { $0.hasPrefix("invalid route: ") && $0.contains("is not a token") }
        #expect((areNamed, transport.requests) == (true, []), "\(errors)")
    }

    @Test func `A method is sent as written, and one that another case would make known is rejected`() throws {
        let methods = ["Purge", "M-SEARCH", "A1!#$%&'*+.^_`|~", "1"]
        let route = { (method: String) in Route(method: HTTPMethod(rawValue: method), path: "x") }
        let sent = try methods.map { try request(route($0)).httpMethod }
        #expect(sent == methods)
        let others = ["get", "patch", "PoSt", "Get", "m-search", "a1"]
        let seen = try others.map { method in try failure(.invalidRoute) { try request(route(method)) }.fix }
        #expect(seen == others.map { "write \($0.uppercased())" })
    }
}
