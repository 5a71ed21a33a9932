import CallSupport
import FingerpostTransfers

/// How users declare typed endpoints: the input, its format, and the output.
@Suite("Declaring input and output", .inTurn)
struct DeclaringInputAndOutputTests {
    private func server() throws -> LoopbackServer { try LoopbackServer { _, connection in connection.respond(200) } }

    // MARK: Kinds

    struct Token: Decodable, Sendable { var token: String }

    struct Credentials: Encodable, Sendable {
        var user: String
        var password: String
    }

    /// Neither input nor output.
    struct Logout: Endpoint {
        var method: HTTPMethod { .delete }
        var path: RoutePath { "session" }
    }

    /// Input only.
    struct Rename: Endpoint {
        let body: [String: String]
        var method: HTTPMethod { .patch }
        var path: RoutePath { "me" }
    }

    /// Output only.
    struct Session: Endpoint {
        typealias Response = Token
        var path: RoutePath { "session" }
        var mock: MockName? { "session" }
    }

    /// Both input and output.
    struct Login: Endpoint {
        typealias Response = Token
        let body: Credentials
        var method: HTTPMethod { .post }
        var path: RoutePath { "session" }
    }

    @Test func `An endpoint has one of four kinds, and its route the response type and the mock`() async throws {
        let transport = StubTransport { request, _ in
            (request.httpMethod == "DELETE" ? 204 : 200, [:], request.httpMethod == "DELETE" ? "" : #"{"token": "t"}"#)
        }
        let client = transport.client()
        try await client.send(Logout())
        try await client.send(Rename(body: ["name": "n"]))
        let session = try await client.send(Session())
        let login = try await client.send(Login(body: Credentials(user: "u", password: "p")))
        let typed: Token = try await client.send(Session())
        #expect([session.token, login.token, typed.token] == ["t", "t", "t"])
        let routes = [Session().route, Logout().route]
        #expect(routes.map { $0.responseType.map { "\($0)" } } == ["Token", nil] && routes[0].mock == "session")
        #expect(
            transport.requests.map { "\($0.httpMethod ?? "") \($0.httpBody?.text ?? "nothing")" } == [
                "DELETE nothing", #"PATCH {"name":"n"}"#, "GET nothing", #"POST {"password":"p","user":"u"}"#,
                "GET nothing",
            ])
    }

    // MARK: Formats

    struct Search: Codable, Sendable {
        var text = "a b&c"
        var tags = ["x", "ÿ"]
        var exact = true
        var page: Int?
    }

    struct Formatted: Endpoint {
        let body = Search()
        let method: HTTPMethod
        let encoding: ParameterEncoding?
        var path: RoutePath { "search" }
    }

    private static let query = "text=a%20b%26c&tags=x&tags=%C3%BF&exact=true"
    private static let json = #"{"exact":true,"tags":["x","ÿ"],"text":"a b&c"}"#
    private static let form = "text=a+b%26c&tags=x&tags=%C3%BF&exact=true"

    private static let formats: [(HTTPMethod, ParameterEncoding?, query: String?, body: String, type: String?)] = [
        (.get, nil, query, "", nil), (.delete, nil, query, "", nil), (.post, nil, nil, json, "application/json"),
        (.put, .json, nil, json, "application/json"), (.delete, .json, nil, json, "application/json"),
        ("QUERY", nil, nil, json, "application/json"), (.post, .query, query, "", nil),
        (.post, .form, nil, form, "application/x-www-form-urlencoded"),
        (.patch, .form, nil, form, "application/x-www-form-urlencoded"),
    ]

    @Test("Input is encoded as the endpoint declares, or by the default of the method", arguments: formats)
    func format(
        _ method: HTTPMethod, _ encoding: ParameterEncoding?, _ query: String?, _ body: String, _ type: String?
    ) async throws {
        let server = try server()
        try await APIClient(baseURL: server.baseURL).send(Formatted(method: method, encoding: encoding))
        let request = server.requests.first
        #expect((request?.query, request?.text, request?["Content-Type"]) == (query, body, type))
    }

    @Test("Input and parameters of one endpoint are both sent") func inputAndParameters() async throws {
        struct Both: Endpoint {
            let body = ["b": 2]
            let method: HTTPMethod
            let path: RoutePath = "x"
            let parameters: Parameters? = ["p": 1]
        }
        let server = try server()
        let client = APIClient(baseURL: server.baseURL)
        for method in [HTTPMethod.get, .post] { try await client.send(Both(method: method)) }
        #expect(server.requests.map { "\($0.target) \($0.text)" } == ["/x?b=2&p=1 ", #"/x?p=1 {"b":2}"#])
    }
}
