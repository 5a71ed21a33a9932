import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// Only the body that a call returns reaches a sink of the app.
@Suite("Live: a sink of the app", .inTurn, .concurrent)
struct SendIntoSinkTests {
    /// Notes what it is told.
    private final class Sink: BodySink {
        private let told = Locked<[String]>([])

        var steps: [String] { told.withLock { $0 } }

        func begin(_ head: Response<Void>) { told.withLock { $0.append("\(head.status)") } }

        func receive(_ bytes: Data) {
            told.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
    }

    private struct Replacing: Middleware {
        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            let response = try await next(request)
            return Response(status: 200, data: Data("other".utf8), request: response.request)
        }
    }

    private func client(_ server: LoopbackServer) -> APIClient {
        APIClient(baseURL: server.baseURL) {
            $0.retry = RetryPolicy(backoff: .exponential(base: .zero, maximum: .zero))
        }
    }

    @Test func `Bodies of redirects and of repeated attempts do not reach it`() async throws {
        let counted = Locked(0)
        let server = try LoopbackServer { request, connection in
            let number = counted.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: connection.respond(307, headers: ["Location": "/moved"], body: "moved")
            case 2: connection.respond(503, body: "busy")
            case 3: connection.respond(307, headers: ["Location": "/moved"], body: "moved")
            default: connection.respond(200, body: "film")
            }
        }
        let sink = Sink()
        let response = try await client(server).send(Route.get("x"), into: sink)
        #expect(response.status == 200 && response.attempts == 4)
        #expect(sink.steps.first == "200" && sink.steps.dropFirst().joined() == "film")
        #expect(server.requestCount == 4)
    }

    @Test func `An expired token is refreshed before anything reaches it`() async throws {
        let server = try LoopbackServer { request, connection in
            let isNew = request["Authorization"] == "Bearer new"
            connection.respond(isNew ? 200 : 401, body: isNew ? "film" : "no")
        }
        let client = client(server).with {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        let sink = Sink()
        try await client.send(Route.get("x"), into: sink)
        #expect(sink.steps == ["200", "film"])
    }

    @Test func `Nothing is sent again once bytes have reached it`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.close()
        }
        let sink = Sink()
        let error = try await failure { try await client(server).send(Route.get("x"), into: sink) }
        #expect(error.status == 200)
        #expect(sink.steps == ["200", "half"])
        #expect(server.requestCount == 1)
    }

    @Test func `A GET that breaks off before its body is sent again`() async throws {
        let counted = Locked(0)
        let server = try LoopbackServer { _, connection in
            let isFirst = counted.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                connection.close()
            } else {
                connection.respond(200, body: "film")
            }
        }
        let sink = Sink()
        try await client(server).send(Route.get("x"), into: sink)
        #expect(sink.steps.last == "film")
    }

    @Test func `Middleware does not replace a body that has gone`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "film") }
        let client = client(server).with {
            $0.middleware = [Replacing()]
        }
        let error = try await #require(throws: APIError.self) { try await client.send(Route.get("x"), into: Sink()) }
        #expect(error.message.contains("middleware replaced a body"))
    }

    @Test(.mocks) func `Mocks answer it`() async throws {
        Mocks.set("film", .data(Data("film".utf8), contentType: "video/mp4"))
        let sink = Sink()
        let response = try await APIClient().send(Route.get("x").mock("film"), into: sink)
        #expect(response.headers[.contentType] == "video/mp4")
        #expect(sink.steps.first == "200" && sink.steps.dropFirst().joined() == "film")
    }
}
