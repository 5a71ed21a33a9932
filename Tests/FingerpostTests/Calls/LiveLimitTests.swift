import CallSupport
import FingerpostMocks
import FingerpostTransfers

@Suite("Live: limits of responses", .inTurn)
struct LiveLimitTests {
    private static func client(_ server: LoopbackServer, maximum: Int) -> APIClient {
        return APIClient(baseURL: server.baseURL) { $0.maximumResponseSize = maximum }
    }

    // MARK: Size

    @Test(
        "A body up to the limit is a response, a larger one an error",
        arguments: [0, 1, 9_999, 10_000, 10_001, 500_000])
    func size(_ size: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(200, headers: ["X-Case": "yes"], body: repeatElement(0x78, count: size))
        }
        let client = Self.client(server, maximum: 10_000)
        if size <= 10_000 {
            #expect(try await client.data(for: Route.get("x")).count == size)
            return
        }
        let error = try await failure(.transport) { try await client.data(for: Route.get("x")) }
        let isNamed = error.fix?.contains("maximumResponseSize")
        let seen = (error.message, isNamed, error.status, error.headers["X-Case"])
        #expect(seen == ("the response's body is larger than 10000 bytes", true, 200, "yes"))
    }

    @Test("The size of a compressed body is counted after it is decompressed", .heavy, arguments: [200, 500])
    func compressed(_ status: Int) async throws {
        let body = try CompressedZeros.data(16_000_000)
        #expect(body.count < 20_000)
        let server = try LoopbackServer { _, connection in
            connection.respond(status, headers: ["Content-Encoding": "gzip"], body: body)
        }
        let error = try await failure { try await Self.client(server, maximum: 1_000_000).data(for: Route.get("x")) }
        let isNamed = error.message.contains("larger than 1000000 bytes")
        #expect((error.kind, isNamed, error.status) == (.transport, true, status), "\(error)")
        if status == 200 {
            #expect(try await Self.client(server, maximum: 16_000_000).data(for: Route.get("x")).count == 16_000_000)
        }
    }

    @Test("A body that never ends is cut off") func endless() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            // Not faster, because Foundation on Linux keeps in memory what the client has not yet received.
            let piece = [UInt8](repeating: 0x78, count: 65_536)
            while connection.drip(piece, by: piece.count, every: .milliseconds(5)) {}
        }
        let error = try await failure { try await Self.client(server, maximum: 1_000_000).data(for: Route.get("x")) }
        let found = await (error.kind, server.closedAllConnections())
        #expect(found == (.transport, true))
    }

    @Test("A download may be larger than the limit") func download() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(200, body: repeatElement(0x78, count: 300_000))
        }
        let folder = try TemporaryFolder()
        try await Self.client(server, maximum: 1_000).download(Route.get("x"), to: folder["file"])
        #expect(try Data(contentsOf: folder["file"]).count == 300_000)
    }

    @Test("The limit applies to other transports, and not to mocks") func otherTransports() async throws {
        let stub = StubTransport(200, [:], "12345")
        let client = stub.client { $0.maximumResponseSize = 4 }
        let error = try await failure { try await client.data(for: Route.get("x")) }
        let folder = try TemporaryFolder(["x.json": "12345"])
        let scope = APIScope(environment: try .testing(), mocks: folder.url)
        let mocked = try await scope.run { try await client.data(for: Route.get("x").mock("x")) }
        #expect((error.message.contains("larger than 4 bytes"), mocked) == (true, Data("12345".utf8)), "\(error)")
    }

    // MARK: Length

    private static let short: [(head: String, message: String)] = [
        ("Content-Length: 3", ""), ("Content-Length: 3\r\nContent-Encoding: identity", ""),
        ("Content-Length: 4294967298", ""),
        ("Content-Length: 99999999999999999999", "the body ended after 2 of 99999999999999999999 bytes"),
        ("Content-Length: 18446744073709551618", "the body ended after 2 of 18446744073709551618 bytes"),
        ("Content-Length: 000000000000000000000099999999999999999999", "of 00"),
    ]

    @Test("A body that is shorter than its length is an error", arguments: short, [200, 404])
    func shortBody(_ row: (head: String, message: String), _ status: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 \(status) x\r\n\(row.head)\r\n\r\nhi")
            connection.close()
        }
        let error = try await failure { try await APIClient(baseURL: server.baseURL).data(for: Route.get("x")) }
        let isNamed = row.message.isEmpty || error.message.contains(row.message)
        #expect((error.kind, isNamed, error.status) == (.transport, true, status), "\(error)")
    }

    @Test(
        "A length does not matter where there is no body",
        arguments: [(200, Route.head("x")), (204, .get("x")), (304, .get("x")), (302, .head("x"))])
    func noBody(_ status: Int, _ route: Route) async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 \(status) x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")
            connection.close()
        }
        let client = APIClient(baseURL: server.baseURL)
        guard status >= 300 else { return #expect(try await client.data(for: route).isEmpty) }
        try await failure(.status(status)) { try await client.data(for: route) }
    }
}
