import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite("Live: methods, targets and bodies", .inTurn)
struct LiveMethodTests {
    @Test(
        "The server sees the method",
        arguments: [
            .get, .head, .post, .put, .patch, .delete, "OPTIONS", "TRACE", "QUERY", "PURGE", "PROPFIND",
        ] as [HTTPMethod])
    func method(_ method: HTTPMethod) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await APIClient(baseURL: server.baseURL).send(Route(method: method, path: "things/7"))
        #expect(server.requests.map(\.method) == [method.rawValue])
        #expect(server.requests.map(\.target) == ["/things/7"] && server.requests.map(\.body) == [Data()])
    }

    @Test(
        "The server sees the body and its type",
        arguments: [
            (.post("x").parameters(["name": "é", "n": 1]), #"{"name":"é","n":1}"#, "application/json"),
            (.delete("x").json("why"), #""why""#, "application/json"),
            (.post("x").body(.text("line 1\r\nline 2")), "line 1\r\nline 2", "text/plain; charset=utf-8"),
            (Route(method: "QUERY", path: "x").json(["q": "swift"]), #"{"q":"swift"}"#, "application/json"),
        ] as [(Route, String, String)])
    func body(_ route: Route, _ body: String, _ type: String) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await APIClient(baseURL: server.baseURL).send(route)
        let request = try #require(server.requests.first)
        #expect(request.text == body && request["Content-Type"] == type)
        #expect(request["Content-Length"] == "\(body.utf8.count)" && request["Transfer-Encoding"] == nil)
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
        #expect(request.body == (untyped == .emptyData ? Data() : body))
        #expect(request.values(of: "Content-Type") == ["application/octet-stream"])
        // The line sends the same.
        #expect(error.curl?.contains(" -H 'Content-Type: application/octet-stream' ") == true, "\(error)")
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

    @Test(
        "The server receives bodies with any bytes and of any size", .heavy, arguments: [0, 1, 256, 65_537, 3_000_000])
    func binaryBody(_ size: Int) async throws {
        let server = try LoopbackServer { request, connection in connection.respond(200, body: request.body) }
        let body = Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        let echo = try await APIClient(baseURL: server.baseURL).data(for: Route.post("x").body(.data(body)))
        #expect((echo, server.requests.first?.body) == (body, body))
    }

    @Test("An empty POST, PUT or PATCH has a Content-Length of 0", arguments: [.post, .put, .patch] as [HTTPMethod])
    func withoutBody(_ method: HTTPMethod) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await APIClient(baseURL: server.baseURL).send(Route(method: method, path: "x"))
        #expect(server.requests.first?["Content-Length"] == "0")
    }

    @Test("Consecutive calls share a connection") func keepAlive() async throws {
        let server = try LoopbackServer { request, connection in connection.respond(200, body: request.body) }
        let client = APIClient(baseURL: server.baseURL)
        for number in 1...10 {
            #expect(try await client.send(Route.post("x").json(number), as: Int.self) == number)
        }
        #expect((server.requests.map(\.connection), server.connectionCount) == (Array(repeating: 1, count: 10), 1))
    }
}
