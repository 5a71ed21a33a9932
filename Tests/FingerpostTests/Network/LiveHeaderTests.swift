import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite("Live: headers", .inTurn)
struct LiveHeaderTests {
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

    @Test func `A header is sent unchanged, the client's with every request, and a route's in place of it`()
        async throws
    {
        for value in ["plain", "", "a, b;c=\"d\"", "k=v; k2=v2", String(repeating: "long ", count: 2000) + "."] {
            let headers: HTTPHeaders = ["X-Client": "1", "X-Value": "client", "User-Agent": "Fingerpost/1"]
            let server = try LoopbackServer { _, connection in connection.respond(200) }
            try await APIClient(baseURL: server.baseURL) { $0.headers = headers }
                .send(Route.get("x").header("x-value", value))
            let received = server.requests.map { request in
                ["X-Client", "X-Value", "User-Agent"].map { request.values(of: $0) }
            }
            #expect(received == [[["1"], [value], ["Fingerpost/1"]]])
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
}
