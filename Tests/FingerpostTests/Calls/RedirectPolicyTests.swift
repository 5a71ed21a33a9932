import CallSupport
import FingerpostTesting
import FingerpostTransfers

@testable import Fingerpost

/// Redirects on request, other servers' base URLs, and the `User-Agent`.
@Suite(.inTurn, .concurrent) struct RedirectPolicyTests {
    @Test(arguments: [299, 300, 301, 302, 303, 307, 308, 399, 400])
    func `A redirect that is not followed is a response`(status: Int) async throws {
        let transport = StubTransport(status, [.location: "/y"])
        let route = Route.get("x").redirects(.manual)
        if status == 400 {
            try await failure(.status(400)) { try await transport.client().send(route) }
        } else {
            let response = try await transport.client().response(for: route, as: NoContent.self)
            #expect(response.status == status && response.headers[.location] == "/y" && response.attempts == 1)
        }
    }

    @Test(arguments: [
        ("https://evil:pw@h.example/x", "https://h.example/x"), ("//evil:pw@h.example/x", "https://h.example/x"),
        ("HTTPS://evil@h.example:8443/x", "https://h.example:8443/x"),
        ("https://a:b@c:d@h.example/x?to=http://u:p@i.example", "https://h.example/x?to=http://u:p@i.example"),
        ("/x?to=http://u:p@i.example", "https://api.example.com/x?to=http://u:p@i.example"),
        ("x@y", "https://api.example.com/x@y"),
    ])
    func `A server chooses no credentials: user information in its address is dropped`(
        location: String, target: String
    ) throws {
        let current = try #require(URL(string: "https://api.example.com/v1"))
        #expect(Redirects.resolve(location, against: current)?.absoluteString.lowercased() == target)
        let redirect = Response(
            status: 307, headers: [.location: location], data: Data(), request: URLRequest(url: current))
        #expect(try Redirects.next(after: redirect)?.url?.absoluteString.lowercased() == target)
    }

    private static let validated: [(Route, isResponse: Bool)] = [
        (.get("x").header(.ifNoneMatch, "\"1\""), true),
        (.get("x").header("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"), true),
        (.get("x").redirects(.manual), true), (.get("x"), false),
    ]

    @Test(arguments: validated)
    func `A 304 is a response to a route with its own validator`(route: Route, isResponse: Bool) async throws {
        let outcome = try await ScriptedServer(kind: .mocks, answers: [.status(304)]).send(route)
        #expect((outcome.error?.kind, outcome.call.status) == (isResponse ? nil : .status(304), 304))
    }

    @Test(
        arguments: [
            ("http://bücher.example/a", "http://xn--bcher-kva.example/a"),
            ("http://b%C3%BCcher.example:81/a%20b?ü", "http://xn--bcher-kva.example:81/a%20b?%C3%BC"),
            ("//Bücher.example/a", "http://xn--bcher-kva.example/a"),
            (" http://bücher.example\t", "http://xn--bcher-kva.example"),
            ("http://ü%20:p@日本.example/", "http://xn--wgv71a.example/"), ("http://a b.example/", nil),
            ("http://a%2Cb.example/", nil), ("http://a(b).example/", nil), ("http://a,b/", nil), ("http://%zz/", nil),
            ("http://[1:2]/", nil),
        ] as [(String, String?)])
    func `A redirect to a host outside ASCII leads to its punycode`(location: String, target: String?) throws {
        let request = URLRequest(url: try #require(URL(string: "http://h.example")))
        let response = Response(status: 307, headers: [.location: location], data: Data(), request: request)
        do {
            let next = try Redirects.next(after: response)
            #expect(next?.url?.absoluteString == target)
        } catch let error as APIError {
            #expect(target == nil && error.message.contains("the redirect was not followed"))
        }
    }

    @Test func `A redirect from https to http is refused, and the error says the fix`() throws {
        let request = URLRequest(url: try #require(URL(string: "https://h.example/a")))
        let response = Response(
            status: 302, headers: [.location: "http://h.example/b"], data: Data(), request: request)
        let error = try #require(throws: APIError.self) { try Redirects.next(after: response) }
        #expect(error.message.contains("from https to http") && error.fix?.contains("redirect to https") == true)
    }

    @Test func `A redirect that drops the body drops the fields that describe it`() async throws {
        let transport = StubTransport { request, _ in
            request.url?.path == "/x" ? (303, [.location: "/y"], "") : (200, [:], "")
        }
        let names: [HTTPHeaders.Name] = [
            "Content-Encoding", "Content-Language", "Content-Location", "Content-Digest", "Digest", "Last-Modified",
            "Repr-Digest", "Content-Type",
        ]
        var route = Route.put("x").body(.data(Data("a".utf8), contentType: "a/b")).header("X-Kept", "1")
        for name in names { route = route.header(name, "1") }
        try await transport.client().send(route)
        for name in names { #expect(transport.sent(name.rawValue) == ["1", nil], "\(name)") }
        #expect(transport.sent("X-Kept") == ["1", "1"])
    }

    @Test func `A 304 leaves the file of a download as it is`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(304) }
        let folder = try TemporaryFolder(["a.txt": "before"])
        let route = Route.get("x").header(.ifNoneMatch, "\"1\"")
        let response = try await APIClient(baseURL: server.baseURL).download(route, to: folder["a.txt"])
        #expect(
            try (response.status, String(contentsOf: folder["a.txt"], encoding: .utf8), folder.names) == (
                304, "before", ["a.txt"]
            ))
    }

    // MARK: Base URLs

    private enum OAuth: Routable {
        case token

        var path: RoutePath { "token" }
        var baseURLKey: String? { "servers.auth" }
    }

    @Test func `A router may have another base URL`() async throws {
        let transport = StubTransport(200)
        let servers: Parameters = [
            "baseURL": "https://api.example.com", "servers": ["auth": "https://auth.example.com/v1"],
        ]
        let client = try transport.client(in: Environment("Live", values: servers))
        try await client.send(OAuth.token)
        #expect(transport.requests.map(\.url?.absoluteString) == ["https://auth.example.com/v1/token"])
    }

    @Test func `A missing base URL is an error with the nearest key`() async throws {
        let environment = try Environment(
            "Live", values: ["baseURL": "https://a.example", "authURL": "https://b.example"])
        let client = try StubTransport(200).client(in: environment)
        let error = try await failure(.environment) { try await client.send(Route.get("x").baseURLKey("autURL")) }
        #expect(error.message.contains("did you mean \"authURL\""))
        let alone = try await failure(.invalidRoute) {
            try await StubTransport(200).client().send(Route.get("x").baseURLKey("authURL"))
        }
        #expect(alone.message.contains("\"authURL\""))
    }

    // MARK: User-Agent

    @Test func `The User-Agent names the app and the library`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let client = APIClient(baseURL: server.baseURL)
        try await client.send(Route.get("x"))
        try await client.send(Route.get("x").header("User-Agent", "Own/1"))
        let own = URLSessionTransport {
            let configuration = URLSessionTransport.standardConfiguration()
            configuration.httpAdditionalHeaders = ["user-agent": "Session/2", "X-Extra": "1"]
            return configuration
        }
        try await APIClient(baseURL: server.baseURL) { $0.transport = own }.send(Route.get("x"))
        let agents = server.requests.map { $0.values(of: "User-Agent") }
        #expect((agents, server.requests[2]["X-Extra"]) == ([[UserAgent.standard], ["Own/1"], ["Session/2"]], "1"))
    }

    #if canImport(FoundationNetworking)
        @Test func `On Linux a transport with a challenge handler sends nothing and says why`() async throws {
            let server = try LoopbackServer { _, connection in connection.respond(200) }
            let client = APIClient(baseURL: server.baseURL) {
                $0.transport = URLSessionTransport(onChallenge: { _ in (.cancelAuthenticationChallenge, nil) })
            }
            let error = try await failure(.transport) { try await client.send(Route.get("x")) }
            #expect((error.message.contains("onChallenge"), server.requestCount) == (true, 0))
        }
    #endif

    @Test(
        arguments: [
            ("App", "1.2", "App/1.2 Fingerpost/"), ("My App (β)", nil, "My-App---- Fingerpost/"),
            ("", "1", "1 Fingerpost/"), ("A\r\nB", "1 2", "A-B/1-2 Fingerpost/"),
        ] as [(String, String?, String)])
    func `Names become tokens`(name: String, version: String?, prefix: String) {
        #expect(UserAgent.text(name: name, version: version).hasPrefix(prefix))
    }
}
