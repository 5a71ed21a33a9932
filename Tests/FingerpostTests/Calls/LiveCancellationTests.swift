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

    @Test("Cancelling a call that waits for a response ends it and its connection") func waiting() async throws {
        let server = try LoopbackServer { _, _ in }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.post("x").json([1])) }
        await server.received(1)
        task.cancel()
        try await failure(.cancelled) { try await task.value }
        #expect(await server.closedAllConnections())
    }

    @Test("Cancelling a call within its body ends it and its connection") func withinBody() async throws {
        let (halves, half) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a body")
            half.finish()
            connection.waitUntilPeerCloses()
        }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.get("x")) }
        for await _ in halves {}
        task.cancel()
        try await failure(.cancelled) { try await task.value }
        #expect(await server.closedAllConnections())
    }

    @Test("Cancelling a call between redirects ends it") func withinRedirects() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path.count < 4 { connection.respond(307, headers: ["Location": request.path + "x"]) }
        }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.get("x")) }
        await server.received(3)
        task.cancel()
        try await failure(.cancelled) { try await task.value }
        #expect(server.requestCount == 3)
    }

    @Test("Cancelling one call does not affect the others") func others() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            if request.path == "/cancelled" { return }
            _ = gate.wait(timeout: .now() + .seconds(30))
            connection.respond(200, body: request.path)
        }
        let client = APIClient(baseURL: server.baseURL)
        let kept = (1...3).map { number in Task { try await client.data(for: Route.get("kept\(number)")) } }
        let cancelled = Task { try await client.data(for: Route.get("cancelled")) }
        await server.received(4)
        cancelled.cancel()
        try await failure(.cancelled) { try await cancelled.value }
        for _ in kept { gate.signal() }
        for (number, task) in zip(1..., kept) { #expect(try await task.value == Data("/kept\(number)".utf8)) }
    }

    @Test("Releasing the client does not end a call in progress") func droppedClient() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            arrival.finish()
            _ = gate.wait(timeout: .now() + .seconds(30))
            connection.respond(200, body: "done")
        }
        var client: APIClient? = APIClient(baseURL: server.baseURL)
        let task = Task { [client] in try await client?.data(for: Route.get("x")) }
        client = nil
        for await _ in arrivals {}
        gate.signal()
        #expect(try await task.value == Data("done".utf8))
        // The last call released the transport, which closed its connection.
        #expect(await server.closedAllConnections())
    }
}
