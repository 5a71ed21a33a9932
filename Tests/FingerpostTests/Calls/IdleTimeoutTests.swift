import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// Calls that end because nothing comes.
@Suite(.inTurn, .concurrent) struct IdleTimeoutTests {
    private func client(_ server: LoopbackServer, idle: Duration?) -> APIClient {
        APIClient(baseURL: server.baseURL) { $0.idleTimeout = idle }
    }

    @Test func `Silence before the head and in the body are told apart`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/body" { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345") }
        }
        let folder = try TemporaryFolder([:])
        for (path, place) in [("head", "before the response's head"), ("body", "in the body, after 5 bytes")] {
            let route = Route.get("\(path)")
            let error = try await failure(.timedOut) { try await client(server, idle: .seconds(1)).send(route) }
            let download = try await failure {
                try await client(server, idle: nil).download(route.idleTimeout(.seconds(1)), to: folder["x"])
            }
            let message = "nothing came for 1.0 seconds \(place)"
            let seen = (error.message, download.message, try folder.names)
            #expect(seen == (message, message, []))
        }
        #expect(await server.closedAllConnections())
    }

    @Test func `A slow body that is never silent arrives, and a body that is being sent is not silence`() async throws {
        let server = try LoopbackServer(keepingBodies: false) { request, connection in
            if request.path == "/sent" {
                _ = connection.respond(200, body: "\(request.bodySize)")
                return
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n")
            connection.drip(repeatElement(UInt8(ascii: "."), count: 25), every: .milliseconds(200))
        }
        // The whole body takes longer than the idle timeout.
        let slow = try await client(server, idle: .seconds(4)).data(for: Route.get("x"))
        let sent = try await client(server, idle: .seconds(5))
            .send(Route.post("sent").body(.data(Data(count: 20 << 20))), as: String.self)
        #expect((slow.count, sent) == (25, "20971520"))
    }

    /// What takes longer than the idle timeout, although no server is silent.
    enum Pause: CaseIterable { case queue, refresh, retry }

    @Test(arguments: Pause.allCases) func `Only the silence of a server counts`(pause: Pause) async throws {
        let busy: Locked<Int?> = Locked(pause == .retry ? 503 : nil)
        let server = try LoopbackServer { request, connection in
            if request.path == "/slow" {
                // The server would take the next request on the connection for its end.
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 24\r\nConnection: close\r\n\r\n")
                connection.drip(repeatElement(UInt8(ascii: "."), count: 24), every: .milliseconds(300))
                connection.close()
            } else if let status = busy.withLock({ $0.take() }) {
                connection.respond(status, headers: ["Retry-After": "7"])
            } else {
                connection.respond(pause == .refresh && request["Authorization"] == "Bearer old" ? 401 : 200)
            }
        }
        let slow = APIClient(baseURL: server.baseURL)
        let client = client(server, idle: .seconds(5)).with {
            ($0.maximumCallsPerHost, $0.retry) = (1, .standard)
            if pause == .refresh {
                $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in
                    try await slow.send(Route.get("slow"))
                    return "new"
                }
            }
        }
        async let first: Void = pause == .queue ? client.send(Route.get("slow")) : ()
        if pause == .queue { await server.received(1) }
        try await client.send(Route.get("x"))
        try await first
    }

    @Test func `A silence ends an attempt, so middleware may send the call again`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.connection > 1 { connection.respond(200, body: "again") }
        }
        let patient = ClosureMiddleware { request, _, next in
            do { return try await next(request) } catch let error as APIError where error.kind == .timedOut {
                return try await next(request)
            }
        }
        let client = client(server, idle: .seconds(1)).with { $0.middleware = [patient] }
        #expect(try await client.data(for: Route.get("x")) == Data("again".utf8))
    }

    @Test(.mocks) func `Mocks can be silent too`() async throws {
        Mocks.set("x", .status(200).delayed(by: .seconds(20)))
        let client = try APIClient { $0.idleTimeout = .seconds(10) }
        let error = try await failure(.timedOut) { try await client.send(Route.get("x").mock("x")) }
        #expect(error.message == "nothing came for 10.0 seconds before the response's head")
        try await client.send(Route.get("x").mock("x").idleTimeout(.seconds(30)))
        #expect(Mocks.calls[0].history.map(\.duration) == [.seconds(10)])
    }
}
