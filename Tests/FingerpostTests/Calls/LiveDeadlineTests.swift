import CallSupport
import FingerpostMocks

@Suite("Live: deadlines", .inTurn, .concurrent)
struct LiveDeadlineTests {
    @discardableResult
    private func expectTimeout(_ client: APIClient, _ route: Route) async throws -> APIError {
        let error = try await failure(.timedOut) { try await client.send(route) }
        #expect(error.fix != nil && error.request != nil)
        return error
    }

    @Test func `A call without an answer times out and closes its connection, and its client works on`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/good" { connection.respond(200, body: "good") }
        }
        for timeout in [.milliseconds(1), .milliseconds(50), .milliseconds(300)] as [Duration] {
            let client = APIClient(baseURL: server.baseURL) { $0.timeout = timeout }
            var texts = [try await expectTimeout(client, .get("silent")).message]
            #expect(await server.closedAllConnections())
            for _ in 1...2 {
                texts.append(try await client.send(Route.get("good").timeout(.seconds(60)), as: String.self))
                texts.append(try await expectTimeout(client, .get("silent")).message)
            }
            let late = "no response arrived within \(timeout)"
            #expect(texts == [late, "good", late, "good", late])
        }
    }

    @Test("A slow body times out at the deadline, although the connection is never idle") func drip() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            connection.drip(repeatElement(UInt8(ascii: "."), count: 1000), every: .milliseconds(60))
            connection.close()
        }
        let client = APIClient(baseURL: server.baseURL)
        // When many tests run at once, the head can take seconds to arrive. A call that ends before it has another
        // message.
        var message = ""
        for seconds in [1, 5, 25] where !message.hasPrefix("the response was not complete") {
            message = try await expectTimeout(client, .get("x").timeout(.seconds(seconds))).message
            #expect(await server.closedAllConnections())
        }
        let incomplete =
            /the response was not complete within \d+\.0 seconds: its head had come, and \d+ bytes of its body/
        #expect(message.wholeMatch(of: incomplete) != nil, "\(message)")
    }

    @Test("A timeout with a fraction of a second does not end a call early") func fraction() async throws {
        let server = try LoopbackServer { _, connection in
            connection.waitUntilPeerCloses(atMost: .milliseconds(150))
            connection.respond(200, body: "late")
        }
        // URLSession on Linux only has whole seconds, so the library must not pass this timeout on as it is.
        let route = Route.get("x").timeout(.seconds(30) + .milliseconds(500))
        #expect(try await APIClient(baseURL: server.baseURL).data(for: route) == Data("late".utf8))
    }

    @Test("The deadline covers the call with all its redirects") func redirects() async throws {
        let server = try LoopbackServer { request, connection in
            connection.waitUntilPeerCloses(atMost: .milliseconds(100))
            connection.respond(302, headers: ["Location": request.path + "x"])
        }
        try await expectTimeout(APIClient(baseURL: server.baseURL), .get("x").timeout(.milliseconds(350)))
        #expect(server.requestCount < 20)
    }
}
