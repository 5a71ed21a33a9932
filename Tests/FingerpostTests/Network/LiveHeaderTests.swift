import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite("Live: headers", .inTurn)
struct LiveHeaderTests {
    /// The request that the server receives for a route.
    private func request(of route: Route, headers: HTTPHeaders = [:]) async throws -> ReceivedRequest {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await APIClient(baseURL: server.baseURL) { $0.headers = headers }.send(route)
        #expect(server.requestCount == 1)
        return try #require(server.requests.first)
    }

    @Test("A call that reads no value accepts every type, unless the app says more") func acceptAll() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "a") }
        let folder = try TemporaryFolder()
        for accept in ["application/json", "application/vnd.company+json"] {
            let client = APIClient(baseURL: server.baseURL) { $0.headers[.accept] = accept }
            _ = try await client.data(for: Route.get("data"))
            try await client.download(Route.get("file"), to: folder["a"])
            for try await _ in try await client.stream(Route.get("stream")) {}
            _ = try await client.send(Route.get("text"), as: String.self)
            _ = try await client.data(for: Route.get("own").header(.accept, "image/png"))
        }
        let accepted = server.requests.map { $0["Accept"] }
        #expect(accepted.prefix(5) == ["*/*", "*/*", "*/*", "*/*", "image/png"])
        let own = Array(repeating: "application/vnd.company+json", count: 4) + ["image/png"]
        #expect(Array(accepted.dropFirst(5)) == own)
    }

    @Test("The client's headers are sent with every request, and a route's replace them")
    func configured() async throws {
        let headers: HTTPHeaders = ["X-Client": "1", "X-Both": "client", "User-Agent": "Fingerpost/1"]
        let request = try await request(of: .get("x").header("x-both", "route"), headers: headers)
        #expect(request["X-Client"] == "1" && request.values(of: "X-Both") == ["route"])
        #expect(request.values(of: "User-Agent") == ["Fingerpost/1"])
    }

    @Test(
        "The server receives a header's value unchanged",
        arguments: ["plain", "", "a, b;c=\"d\"", "k=v; k2=v2", String(repeating: "long ", count: 2000) + "."])
    func value(_ value: String) async throws {
        #expect(try await request(of: .get("x").header("X-Value", value))["X-Value"] == value)
    }

    @Test(
        "A response with a header that Foundation may refuse is the answer or an error, and the next call works",
        arguments: [":", ": ", ":  ", ":      ", ":\t", ": \t", ":1", ": 1   "])
    func refused(_ value: String) async throws {
        let server = try LoopbackServer { request, connection in
            let field = request.path == "/x" ? "X-Value\(value)\r\n" : ""
            connection.write("HTTP/1.1 200 OK\r\n\(field)Content-Length: 2\r\n\r\nok")
        }
        let client = APIClient(baseURL: server.baseURL)
        do throws(APIError) {
            let data = try await client.data(for: Route.get("x"))
            #expect(data == Data("ok".utf8))
        } catch {
            #expect(error.kind == .transport)
        }
        #expect(try await client.data(for: Route.get("y")) == Data("ok".utf8))
    }

    @Test("Headers of the response are found in any letter case, and repeated ones are joined")
    func response() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(
                200,
                headers: [
                    "x-lower": "1", "ETAG": "\"7\"", "X-Colon": "a:b", "X-Twice": "a", "X-Twice": "b",
                    "Set-Cookie": "a=1", "Set-Cookie": "b=2",
                ])
        }
        let response = try await APIClient(baseURL: server.baseURL).response(for: Route.get("x"), as: Data.self)
        #expect(response.headers["X-Lower"] == "1" && response.headers[.etag] == "\"7\"")
        #expect(response.headers["x-colon"] == "a:b" && response.headers["X-Twice"] == "a, b")
        #expect(response.headers["Set-Cookie"] == "a=1, b=2" && response.headers["X-Absent"] == nil)
    }

    @Test("Cookies that a server sets are not sent back") func cookies() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(200, headers: ["Set-Cookie": "session=1; Path=/"])
        }
        let client = APIClient(baseURL: server.baseURL)
        try await client.send(Route.get("x"))
        try await client.send(Route.get("x"))
        #expect(server.requests.map { $0["Cookie"] } == [nil, nil])
    }
}
