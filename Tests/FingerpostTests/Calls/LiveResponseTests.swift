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

    // MARK: Framing and coding

    private static let plain = Data(#"{"message": "compressed, compressed, compressed"}"#.utf8)
    /// `plain` through `gzip -9`.
    private static let compressed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0xCA, 0x4D, 0x2D, 0x2E, 0x4E, 0x4C,
        0x4F, 0x55, 0xB2, 0x52, 0x50, 0x4A, 0xCE, 0xCF, 0x2D, 0x28, 0x02, 0x72, 0x53, 0x53, 0x74, 0x14, 0xB0, 0xB3,
        0x95, 0x6A, 0x01, 0x7B, 0xF9, 0x4B, 0xAC, 0x31, 0x00, 0x00, 0x00,
    ]

    @Test("A gzipped body is requested and decompressed", arguments: [200, 422])
    func gzip(_ status: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(
                status, headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"], body: Self.compressed
            )
        }
        let client = APIClient(baseURL: server.baseURL)
        if status == 200 {
            #expect(try await client.data(for: Route.get("x")) == Self.plain)
        } else {
            let error = try await failure { try await client.send(Route.get("x")) }
            #expect(error.body == Self.plain && error.serverMessage == "compressed, compressed, compressed")
        }
        #expect(server.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
    }

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
