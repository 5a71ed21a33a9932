import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite("Live: methods, targets and bodies", .inTurn)
struct LiveMethodTests {
    @Test func `The server sees the method, and the length 0 of an empty POST, PUT or PATCH`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let methods: [HTTPMethod] = [
            .get, .head, .post, .put, .patch, .delete, "OPTIONS", "TRACE", "QUERY", "PURGE", "PROPFIND",
        ]
        for method in methods {
            try await APIClient(baseURL: server.baseURL).send(Route(method: method, path: "things/7"))
        }
        let empty: Set = ["POST", "PUT", "PATCH"]
        #expect(
            server.requests.map { "\($0.method) \($0.target) \($0.bodySize)" }
                == methods.map { "\($0.rawValue) /things/7 0" })
        // An empty body has a length.
        let lengths = server.requests.filter { empty.contains($0.method) }.map { $0["Content-Length"] }
        #expect(lengths == ["0", "0", "0"])
    }

    /// Routes with a body, its text and its type.
    private static let bodies: [(Route, String, String)] = [
        (.post("x").parameters(["name": "é", "n": 1]), #"{"name":"é","n":1}"#, "application/json"),
        (.delete("x").json("why"), #""why""#, "application/json"),
        (.post("x").body(.text("line 1\r\nline 2")), "line 1\r\nline 2", "text/plain; charset=utf-8"),
        (Route(method: "QUERY", path: "x").json(["q": "swift"]), #"{"q":"swift"}"#, "application/json"),
    ]

    @Test func `The server sees the body and its type`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        for (route, body, type) in Self.bodies {
            try await APIClient(baseURL: server.baseURL).send(route)
            let request = try #require(server.requests.last)
            let headers = ["Content-Type", "Content-Length", "Transfer-Encoding"].map { request[$0] }
            #expect((request.text, headers) == (body, [type, "\(body.utf8.count)", nil]))
        }
    }

    /// Where a body without a type comes from.
    enum Untyped: String, CaseIterable, Sendable {
        case data, emptyData, file, stream, routeClosure, routeClosureStream, clientClosure, middleware, prebuilt
    }

    @Test("A body without a type is of no particular type", arguments: Untyped.allCases, [.post, .put] as [HTTPMethod])
    func untyped(_ untyped: Untyped, _ method: HTTPMethod) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(400) }
        let body = Data("a=1&b=%32".utf8)
        let folder = try TemporaryFolder()
        try folder.write(body, to: "a.odd")
        var configuration = APIClient.Configuration()
        var route = Route(method: method, path: "x")
        switch untyped {
        case .data: route = route.body(.data(body))
        case .emptyData: route = route.body(.data(Data()))
        case .file: route = route.body(.file(folder["a.odd"]))
        case .stream: route = route.body(.stream(BodyStream { InputStream(data: body) }))
        case .routeClosure: route = route.configure { $0.httpBody = body }
        case .routeClosureStream: route = route.configure { $0.httpBodyStream = InputStream(data: body) }
        case .clientClosure: configuration.configure = { request, _ in request.httpBody = body }
        case .middleware: configuration.middleware = [ChangingMiddleware { $0.httpBody = body }]
        case .prebuilt: break
        }
        let client = APIClient(baseURL: server.baseURL, configuration)
        let (sent, url) = (route, server.baseURL)
        let error = try await failure {
            if untyped == .prebuilt {
                var request = URLRequest(url: url)
                (request.httpMethod, request.httpBody) = (method.rawValue, body)
                _ = try await client.response(for: request)
            } else {
                try await client.send(sent)
            }
        }
        let request = try #require(server.requests.first)
        // The line sends the same.
        let isInLine = error.curl?.contains(" -H 'Content-Type: application/octet-stream' ")
        #expect(
            (request.body, request.values(of: "Content-Type"), isInLine)
                == (untyped == .emptyData ? Data() : body, ["application/octet-stream"], true))
    }

    @Test("A content type that the route or the client sets is kept, even an empty one", arguments: ["", "x/y"])
    func emptyType(_ type: String) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(400) }
        let route = Route.post("x").body(.data(Data("b".utf8)))
        for (route, client) in [
            (route.header(.contentType, type), APIClient(baseURL: server.baseURL)),
            (route, APIClient(baseURL: server.baseURL) { $0.headers = [.contentType: type] }),
        ] {
            let error = try await failure { try await client.send(route) }
            #expect(error.curl?.contains(type.isEmpty ? "-H 'Content-Type;' " : "-H 'Content-Type: x/y' ") == true)
        }
        #expect(server.requests.map { $0.values(of: "Content-Type") } == [[type], [type]])
    }

    @Test(.heavy) func `The server receives bodies with any bytes and of any size, over one connection`() async throws {
        let server = try LoopbackServer { request, connection in connection.respond(200, body: request.body) }
        let client = APIClient(baseURL: server.baseURL)
        let bodies = [0, 1, 256, 65_537, 3_000_000, 7, 1, 0, 2, 3].map { size in
            Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        }
        for body in bodies {
            let echo = try await client.data(for: Route.post("x").body(.data(body)))
            #expect((echo, server.requests.last?.body) == (body, body))
        }
        #expect((server.requests.map(\.connection), server.connectionCount) == (Array(repeating: 1, count: 10), 1))
    }
}
