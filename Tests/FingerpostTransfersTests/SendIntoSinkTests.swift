import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// Only the body that a call returns reaches a sink of the app.
@Suite("Live: a sink of the app", .inTurn, .concurrent)
struct SendIntoSinkTests {
    private func client(_ server: LoopbackServer) -> APIClient {
        APIClient(baseURL: server.baseURL) { $0.retry = .atOnce() }
    }

    @Test func `Bodies of redirects, of repeated attempts and of an expired token do not reach it`() async throws {
        let statuses = Locked([307, 503, 307, 401, 307, 200])
        let server = try LoopbackServer { _, connection in
            let status = statuses.withLock { $0.removeFirst() }
            connection.respond(
                status, headers: ["Location": "/moved"], body: status == 200 ? "film" : "the body of \(status)")
        }
        let client = client(server).with {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        let sink = NotingSink()
        let response = try await client.send(Route.get("x"), into: sink)
        let received: [String?] = [sink.steps.first, sink.steps.dropFirst().joined()]
        #expect((response.history.map(\.status), received) == ([307, 503, 307, 401, 307, 200], ["200", "film"]))
    }

    @Test func `Nothing is sent again once bytes have reached it`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.close()
        }
        let sink = NotingSink()
        let error = try await failure { try await client(server).send(Route.get("x"), into: sink) }
        #expect((error.status, sink.steps, server.requestCount) == (200, ["200", "half"], 1))
    }

    @Test func `Middleware does not replace a body that has gone`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "film") }
        let replacing = ClosureMiddleware { request, _, next in
            let response = try await next(request)
            return Response(status: 200, data: Data("other".utf8), request: response.request)
        }
        let client = client(server).with { $0.middleware = [replacing] }
        let error = try await failure { try await client.send(Route.get("x"), into: NotingSink()) }
        #expect(error.message.contains("middleware replaced a body"))
    }

    @Test(.mocks) func `Mocks answer it`() async throws {
        Mocks.set("film", .data(Data("film".utf8), contentType: "video/mp4"))
        let sink = NotingSink()
        let response = try await APIClient().send(Route.get("x").mock("film"), into: sink)
        let received: [String?] = [response.headers[.contentType], sink.steps.first, sink.steps.dropFirst().joined()]
        #expect(received == ["video/mp4", "200", "film"])
    }
}
