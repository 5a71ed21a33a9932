import CallSupport

/// Many calls that start at once. On Linux, who starts a task of a session waits for a queue that all sessions share,
/// and must leave threads for the sessions. See also `LiveStarvationTests`.
@Suite("Live: many calls that start at once", .inTurn, .concurrent)
struct LiveStartTests {
    static func server() throws -> LoopbackServer {
        try LoopbackServer { _, connection in _ = connection.respond(200, body: repeatElement(0x78, count: 1_000)) }
    }

    /// Clients with a transport of its own each: more than Dispatch has threads.
    static func clients(_ server: LoopbackServer) -> [APIClient] {
        (0..<300).map { _ in APIClient(baseURL: server.baseURL) }
    }

    /// Starts a call of each client at once, and expects that all are answered.
    static func expectAnswers(of clients: [APIClient]) async throws {
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for client in clients {
                group.addTask { try await client.data(for: Route.get("x").timeout(.seconds(120))).count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 1_000, count: clients.count))
    }

    @Test(arguments: [6, nil]) func `200 calls of one client are answered`(_ limit: Int?) async throws {
        let server = try Self.server()
        let client = APIClient(baseURL: server.baseURL) { $0.maximumCallsPerHost = limit }
        try await Self.expectAnswers(of: Array(repeating: client, count: 200))
    }

    @Test func `A call of each of 300 clients is answered`() async throws {
        let server = try Self.server()
        try await Self.expectAnswers(of: Self.clients(server))
    }
}
