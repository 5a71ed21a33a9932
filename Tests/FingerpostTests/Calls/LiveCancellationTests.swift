import Fingerpost
import Foundation
import LoopbackServer
import Testing

@Suite("Live: cancellation", .timeLimit(.minutes(1)))
struct LiveCancellationTests {
    /// Far beyond what a cancellation takes: reaching it means that it did not end the call.
    private static let hang = Duration.seconds(120)

    private func expectCancelled(_ task: Task<Data, any Error>) async throws {
        let start = ContinuousClock.now
        let error = try await #require(throws: APIError.self) { try await task.value }
        #expect(error.kind == .cancelled)
        #expect(ContinuousClock.now - start < Self.hang)
    }

    @Test("A task that is cancelled before the call sends nothing")
    func before() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.data(for: Route.get("x"))
        }
        try await expectCancelled(task)
        #expect(server.connectionCount == 0)
        // The client does not hold it against the next call.
        try await client.send(Route.get("x"))
        #expect(server.requestCount == 1)
    }

    @Test("A call that waits for an answer ends, and so does its connection")
    func waiting() async throws {
        let server = try LoopbackServer { _, _ in }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.post("x").json([1])) }
        await server.received(1)
        task.cancel()
        try await expectCancelled(task)
        #expect(await server.closedAllConnections())
    }

    @Test("A call within its body ends, and so does its connection")
    func withinBody() async throws {
        let (halves, half) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a body")
            half.finish()
            connection.waitUntilPeerCloses()
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.get("x")) }
        for await _ in halves {}
        task.cancel()
        try await expectCancelled(task)
        #expect(await server.closedAllConnections())
    }

    @Test("A call between its redirects ends")
    func withinRedirects() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path.count < 4 { connection.respond(307, headers: ["Location": request.path + "x"]) }
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let task = Task { try await client.data(for: Route.get("x")) }
        await server.received(3)
        task.cancel()
        try await expectCancelled(task)
        #expect(server.requestCount == 3)
    }

    @Test("Cancelling a call that has ended is harmless")
    func after() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "done") }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...20 {
            let task = Task { try await client.data(for: Route.get("x")) }
            #expect(try await task.value == Data("done".utf8))
            task.cancel()
        }
        #expect(server.connectionCount == 1)
    }

    @Test("Cancelling one call leaves the others alone")
    func others() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            if request.path == "/cancelled" { return }
            _ = gate.wait(timeout: .now() + .seconds(30))
            connection.respond(200, body: request.path)
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        let kept = (1...3).map { number in Task { try await client.data(for: Route.get("kept\(number)")) } }
        let cancelled = Task { try await client.data(for: Route.get("cancelled")) }
        await server.received(4)
        cancelled.cancel()
        try await expectCancelled(cancelled)
        for _ in kept { gate.signal() }
        for (number, task) in zip(1..., kept) {
            #expect(try await task.value == Data("/kept\(number)".utf8))
        }
    }

    @Test("Dropping the client while a call is under way does not end the call")
    func droppedClient() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            arrival.finish()
            _ = gate.wait(timeout: .now() + .seconds(30))
            connection.respond(200, body: "done")
        }
        defer { server.stop() }
        var client: APIClient? = APIClient(baseURL: server.baseURL)
        let task = Task { [client] in try await client?.data(for: Route.get("x")) }
        client = nil
        for await _ in arrivals {}
        gate.signal()
        #expect(try await task.value == Data("done".utf8))
        // The transport went with the last call, and its connection with it.
        #expect(await server.closedAllConnections())
    }
}
