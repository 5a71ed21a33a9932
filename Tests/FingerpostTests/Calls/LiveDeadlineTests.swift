import Fingerpost
import Foundation
import LoopbackServer
import Testing

@Suite("Live: deadlines", .timeLimit(.minutes(1)))
struct LiveDeadlineTests {
    /// Far beyond every deadline here: reaching it means that nothing ended the call.
    private static let hang = Duration.seconds(120)

    private func expectTimeout(_ client: APIClient, _ route: Route) async throws {
        let start = ContinuousClock.now
        let error = try await #require(throws: APIError.self) { try await client.send(route) }
        #expect(error.kind == .timedOut)
        #expect(error.fix != nil)
        #expect(error.request != nil)
        #expect(ContinuousClock.now - start < Self.hang)
    }

    @Test("A server that never answers is given up", arguments: [.milliseconds(1), .milliseconds(300)] as [Duration])
    func silence(_ timeout: Duration) async throws {
        let server = try LoopbackServer { _, _ in }
        defer { server.stop() }
        var configuration = APIClient.Configuration()
        configuration.timeout = timeout
        try await expectTimeout(APIClient(baseURL: server.baseURL, configuration), .get("x"))
        // The connection goes with the call.
        #expect(await server.closedAllConnections())
    }

    @Test("The time of a route comes before the client's")
    func routeTimeout() async throws {
        let server = try LoopbackServer { _, _ in }
        defer { server.stop() }
        try await expectTimeout(APIClient(baseURL: server.baseURL), .get("x").timeout(.milliseconds(250)))
    }

    @Test("A body that drips is cut where the time ends, though the connection is never idle")
    func drip() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            connection.drip(repeatElement(UInt8(ascii: "."), count: 1000), every: .milliseconds(30))
            connection.close()
        }
        defer { server.stop() }
        try await expectTimeout(APIClient(baseURL: server.baseURL), .get("x").timeout(.milliseconds(400)))
        #expect(await server.closedAllConnections())
    }

    @Test("A body that drips and ends in time arrives whole")
    func patientDrip() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
            connection.drip("drip by drip".utf8, by: 2, every: .milliseconds(20))
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        #expect(try await client.data(for: Route.get("x")) == Data("drip by drip".utf8))
    }

    @Test("An answer that takes longer than URLSession's shortest timeout is not cut below the deadline")
    func fraction() async throws {
        let server = try LoopbackServer { _, connection in
            connection.waitUntilPeerCloses(atMost: .milliseconds(150))
            connection.respond(200, body: "late")
        }
        defer { server.stop() }
        // Taken in whole seconds this would be none at all.
        let route = Route.get("x").timeout(.seconds(30) + .milliseconds(500))
        #expect(try await APIClient(baseURL: server.baseURL).data(for: route) == Data("late".utf8))
    }

    @Test("The time covers the call with all its redirects")
    func redirects() async throws {
        let server = try LoopbackServer { request, connection in
            connection.waitUntilPeerCloses(atMost: .milliseconds(100))
            connection.respond(302, headers: ["Location": request.path + "x"])
        }
        defer { server.stop() }
        try await expectTimeout(APIClient(baseURL: server.baseURL), .get("x").timeout(.milliseconds(350)))
        #expect(server.requestCount < 20)
    }

    @Test("A client goes on after a call that ran out of time")
    func afterwards() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/good" { connection.respond(200, body: "good") }
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...3 {
            try await expectTimeout(client, .get("silent").timeout(.milliseconds(50)))
            #expect(try await client.data(for: Route.get("good")) == Data("good".utf8))
        }
    }
}
