import CallSupport

@Suite("Live: cancellation", .inTurn, .concurrent)
struct LiveCancellationTests {
    @Test("A cancelled task sends nothing over the network") func before() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.data(for: Route.get("x"))
        }
        try await failure(.cancelled) { try await task.value }
        #expect(server.connectionCount == 0)
        // The next call of the client works.
        try await client.send(Route.get("x"))
        #expect(server.requestCount == 1)
    }

    enum Moment: CaseIterable { case waiting, withinBody, betweenRedirects }

    @Test(arguments: Moment.allCases)
    func `Cancelling a call ends it and its connection`(moment: Moment) async throws {
        let isReached = Locked(false)
        let server = try LoopbackServer { request, connection in
            if moment == .betweenRedirects, request.path.count < 4 {
                _ = connection.respond(307, headers: ["Location": request.path + "x"])
                return
            }
            if moment == .withinBody { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a body") }
            isReached.withLock { $0 = true }
            connection.waitUntilPeerCloses()
        }
        let client = APIClient(baseURL: server.baseURL)
        let route = moment == .waiting ? Route.post("x").json([1]) : .get("x")
        let task = Task { try await client.data(for: route) }
        await poll { isReached.withLock { $0 } }
        task.cancel()
        try await failure(.cancelled) { try await task.value }
        let isClosed = await server.closedAllConnections()
        #expect((isClosed, server.requestCount) == (true, moment == .betweenRedirects ? 3 : 1))
    }
}
