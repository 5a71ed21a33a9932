import CallSupport
import FingerpostMocks

@Suite("Live: responses", .inTurn)
struct LiveResponseTests {
    // MARK: Success

    @Test("Every status of 2xx is a success", arguments: [200, 201, 202, 203, 206, 207, 226, 299])
    func success(_ status: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(status, headers: ["X-Case": "yes"], body: #"{"message": "hello"}"#)
        }
        let response = try await APIClient(baseURL: server.baseURL).response(
            for: Route.get("x").query("page", 2), as: [String: String].self)
        let content = (response.status, response.value, response.data, response.headers["X-Case"])
        #expect(content == (status, ["message": "hello"], Data(#"{"message": "hello"}"#.utf8), "yes"))
        let facts = (response.attempts, response.source, response.request.url?.absoluteString)
        #expect(facts == (1, .network, "\(server.baseURL)/x?page=2") && response.duration > .zero)
    }

    @Test("The answer to HEAD has headers and no body") func head() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(200, headers: ["X-Case": "yes"], body: "12345")
        }
        let client = APIClient(baseURL: server.baseURL)
        let response = try await client.response(for: Route.head("x"), as: Data.self)
        // The connection can still be used.
        let next = try await client.send(Route.get("x"), as: String.self)
        let seen = (response.data, response.headers[.contentLength], response.headers["X-Case"], next)
        #expect(seen == (Data(), "5", "yes", "12345"))
    }

    @Test(
        "The body of an error is kept up to 64 KiB", .heavy,
        arguments: [
            0, 1, APIError.maximumBodySize - 1, APIError.maximumBodySize, APIError.maximumBodySize + 1, 1_000_000,
        ])
    func bodySize(_ size: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(500, body: repeatElement(UInt8(ascii: "x"), count: size))
        }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.body?.count == min(size, APIError.maximumBodySize) && error.kind == .status(500))
    }

    // MARK: Framing

    @Test(
        "A body is complete with every kind of framing",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;name=value\r\n world\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello world",
            "HTTP/1.0 200 OK\r\n\r\nhello world",
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nContent-Length: 11\r\n\r\nhello world",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        ])
    func framing(_ bytes: String) async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(bytes)
            connection.close()
        }
        let response = try await APIClient(baseURL: server.baseURL).response(for: Route.get("x"), as: Data.self)
        let seen = (response.status, String(decoding: response.data, as: UTF8.self), response.headers[.link])
        #expect(seen == (200, "hello world", nil))
    }
}
