import CallSupport
import FingerpostTesting
import FingerpostTransfers

@testable import Fingerpost

/// Redirects on request, other servers' base URLs, and the `User-Agent`.
@Suite(.inTurn, .concurrent) struct RedirectPolicyTests {
    private static let unfollowed: [(route: Route, statuses: [Int], areResponses: Bool)] = [
        (.get("x").redirects(.manual), [299, 300, 301, 302, 303, 304, 307, 308, 399], true),
        (.get("x").redirects(.manual), [400], false),
        (.get("x").header(.ifNoneMatch, "\"1\""), [304], true),
        (.get("x").header("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"), [304], true),
        (.get("x"), [304], false),
    ]

    @Test func `A redirect that is not followed is a response, as is a 304 to a route's own validator`() async throws {
        for (route, statuses, areResponses) in Self.unfollowed {
            for status in statuses {
                let list = CallList()
                let client = StubTransport(status, [.location: "/y"]).client { $0.observers = [list] }
                var location: String?
                let error = await errorIfAny {
                    location = try await client.response(for: route, as: NoContent.self).headers[.location]
                }
                let seen = (error?.kind, location, list.lines, list.calls.map(\.attempts))
                let (kind, target): (APIError.Kind?, String?) = areResponses ? (nil, "/y") : (.status(status), nil)
                #expect(seen == (kind, target, ["GET x \(status)"], [1]))
            }
        }
        let mocked = try await ScriptedServer(kind: .mocks, answers: [.status(304)])
            .send(.get("x").header(.ifNoneMatch, "\"1\""))
        #expect((mocked.error?.kind, mocked.call.status) == (nil, 304))
    }

    /// The URL of the request that follows a redirect.
    private func target(_ location: String, from url: String, status: Int = 307) throws -> String? {
        let request = URLRequest(url: try #require(URL(string: url)))
        return try Redirects.next(
            after: Response(status: status, headers: [.location: location], data: Data(), request: request)
        )?.url?.absoluteString
    }

    @Test func `A server chooses no credentials: user information in its address is dropped`() throws {
        let current = "https://api.example.com/v1"
        let url = try #require(URL(string: current))
        for (location, expected) in [
            ("https://evil:pw@h.example/x", "https://h.example/x"), ("//evil:pw@h.example/x", "https://h.example/x"),
            ("HTTPS://evil@h.example:8443/x", "https://h.example:8443/x"),
            ("https://a:b@c:d@h.example/x?to=http://u:p@i.example", "https://h.example/x?to=http://u:p@i.example"),
            ("/x?to=http://u:p@i.example", "https://api.example.com/x?to=http://u:p@i.example"),
            ("x@y", "https://api.example.com/x@y"),
        ] {
            let targets = try [
                Redirects.resolve(location, against: url)?.absoluteString, target(location, from: current),
            ]
            #expect(targets.map { $0?.lowercased() } == [expected, expected], "\(location)")
        }
    }

    @Test func `A redirect to a host outside ASCII leads to its punycode`() throws {
        let rows: [(location: String, target: String?)] = [
            ("http://bücher.example/a", "http://xn--bcher-kva.example/a"),
            ("http://b%C3%BCcher.example:81/a%20b?ü", "http://xn--bcher-kva.example:81/a%20b?%C3%BC"),
            ("//Bücher.example/a", "http://xn--bcher-kva.example/a"),
            (" http://bücher.example\t", "http://xn--bcher-kva.example"),
            ("http://ü%20:p@日本.example/", "http://xn--wgv71a.example/"), ("http://a b.example/", nil),
            ("http://a%2Cb.example/", nil), ("http://a(b).example/", nil), ("http://a,b/", nil), ("http://%zz/", nil),
            ("http://[1:2]/", nil),
        ]
        for (location, expected) in rows {
            let result = Result { try target(location, from: "http://h.example") }
            let isRefused = "\(result)".contains("the redirect was not followed")
            #expect((try? result.get(), isRefused) == (expected, expected == nil), "\(location): \(result)")
        }
    }

    @Test func `A redirect from https to http is refused, and the error says the fix`() throws {
        let error = try failure { try target("http://h.example/b", from: "https://h.example/a", status: 302) }
        #expect(error.message.contains("from https to http") && error.fix?.contains("redirect to https") == true)
    }

    @Test func `A redirect that drops the body drops the fields that describe it`() async throws {
        let transport = StubTransport { request, _ in
            request.url?.path == "/x" ? (303, [.location: "/y"], "") : (200, [:], "")
        }
        let names: [HTTPHeaders.Name] = [
            "Content-Encoding", "Content-Language", "Content-Location", "Content-Digest", "Digest", "Last-Modified",
            "Repr-Digest", "Content-Type", "Expect",
        ]
        var route = Route.put("x").body(.data(Data("a".utf8), contentType: "a/b")).header("X-Kept", "1")
        for name in names { route = route.header(name, "1") }
        try await transport.client().send(route)
        let sent = transport.requests.map { request in
            (names.map(\.rawValue) + ["X-Kept"]).filter { request.value(forHTTPHeaderField: $0) == "1" }
        }
        #expect(sent == [names.map(\.rawValue) + ["X-Kept"], ["X-Kept"]])
        #expect(names.allSatisfy { transport.sent($0.rawValue).last == .some(nil) })
    }

    @Test func `A 304 leaves the file of a download as it is`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(304) }
        let folder = try TemporaryFolder(["a.txt": "before"])
        let route = Route.get("x").header(.ifNoneMatch, "\"1\"")
        let response = try await APIClient(baseURL: server.baseURL).download(route, to: folder["a.txt"])
        let seen = try (response.status, String(contentsOf: folder["a.txt"], encoding: .utf8), folder.names)
        #expect(seen == (304, "before", ["a.txt"]))
    }

    // MARK: Base URLs

    private enum OAuth: Routable {
        case token

        var path: RoutePath { "token" }
        var baseURLKey: String? { "servers.auth" }
    }

    @Test func `A router may have another base URL, and a missing one is an error with the nearest key`() async throws {
        let transport = StubTransport(200)
        let servers: Parameters = [
            "baseURL": "https://api.example.com", "servers": ["auth": "https://auth.example.com/v1"],
        ]
        let client = try transport.client(in: Environment("Live", values: servers))
        try await client.send(OAuth.token)
        #expect(transport.requests.map(\.url?.absoluteString) == ["https://auth.example.com/v1/token"])
        let environment = try Environment(
            "Live", values: ["baseURL": "https://a.example", "authURL": "https://b.example"])
        let other = client.with(environment: environment)
        let missing = try await failure(.environment) { try await other.send(Route.get("x").baseURLKey("autURL")) }
        let alone = try await failure(.invalidRoute) {
            try await StubTransport(200).client().send(Route.get("x").baseURLKey("authURL"))
        }
        let areNamed = (missing.message.contains("did you mean \"authURL\""), alone.message.contains("\"authURL\""))
        #expect(areNamed == (true, true), "\(missing) \(alone)")
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

    @Test func `Names become tokens`() {
        let texts = [("App", "1.2"), ("My App (β)", nil), ("", "1"), ("A\r\nB", "1 2")].map {
            UserAgent.text(name: $0, version: $1).replacing(/Fingerpost\/.*/, with: "Fingerpost")
        }
        #expect(texts == ["App/1.2 Fingerpost", "My-App---- Fingerpost", "1 Fingerpost", "A-B/1-2 Fingerpost"])
    }
}
