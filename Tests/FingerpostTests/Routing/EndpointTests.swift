import CallSupport

@Suite(.inTurn) struct EndpointTests {
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
}
