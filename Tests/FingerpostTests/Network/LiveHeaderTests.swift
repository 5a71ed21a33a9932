import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite("Live: headers", .inTurn)
struct LiveHeaderTests {
    /// The request that the server receives for a route.
    private func request(of route: Route, headers: HTTPHeaders = [:]) async throws -> ReceivedRequest {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        try await APIClient(baseURL: server.baseURL) { $0.headers = headers }.send(route)
        try #require(server.requestCount == 1)
        return server.requests[0]
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
        let all = "*/* */* */* */* image/png"
        let own = all.replacingOccurrences(of: "*/*", with: "application/vnd.company+json")
        #expect(server.requests.map { $0["Accept"] ?? "-" }.joined(separator: " ") == "\(all) \(own)")
    }

    @Test("The client's headers are sent with every request, and a route's replace them")
    func configured() async throws {
        let headers: HTTPHeaders = ["X-Client": "1", "X-Both": "client", "User-Agent": "Fingerpost/1"]
        let request = try await request(of: .get("x").header("x-both", "route"), headers: headers)
        let received = ["X-Client", "X-Both", "User-Agent"].map(request.values(of:))
        #expect(received == [["1"], ["route"], ["Fingerpost/1"]])
    }

    @Test func `The server receives a header's value unchanged`() async throws {
        for value in ["plain", "", "a, b;c=\"d\"", "k=v; k2=v2", String(repeating: "long ", count: 2000) + "."] {
            #expect(try await request(of: .get("x").header("X-Value", value))["X-Value"] == value)
        }
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
        var answer: String?
        let error = await errorIfAny { answer = try await client.send(Route.get("x"), as: String.self) }
        #expect(error?.kind == .transport || answer == "ok")
        #expect(try await client.send(Route.get("y"), as: String.self) == "ok")
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
        let names: [HTTPHeaders.Name] = ["X-Lower", .etag, "x-colon", "X-Twice", "Set-Cookie", "X-Absent"]
        #expect(names.map { response.headers[$0] } == ["1", "\"7\"", "a:b", "a, b", "a=1, b=2", nil])
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
