import CallSupport
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers

/// Routes whose every status is a response.
@Suite(.inTurn, .concurrent) struct StatusPolicyTests {
    private static let route = Route.get("x").acceptedStatuses(.all).mock("x")
    private static let kinds = ScriptedServer.Kind.allCases

    @Test(arguments: kinds, [200, 302, 304, 401, 404, 418, 500, 503])
    func `Every status is a response, decoded as asked`(kind: ScriptedServer.Kind, status: Int) async throws {
        // Foundation on Linux drops the bodies of redirects.
        if kind == .loopback, status == 302 { return }
        let server = ScriptedServer(
            kind: kind, answers: [.status(status, [.contentType: "application/json"], status == 304 ? "" : "[7]")])
        let calls = try await server.run { client in
            let response = try await client.response(for: Self.route, as: [Int]?.self)
            #expect(response.status == status && response.value == (status == 304 ? nil : [7]))
        }
        // Without it, only a success is.
        let other = try await server.send(.get("x"))
        let errors = [calls[0].error, calls[0].call.error, other.error]
        let failed: APIError.Kind? = status == 200 ? nil : .status(status)
        #expect((errors.map { $0?.kind }, calls[0].call.status) == ([nil, nil, failed], status))
    }

    @Test func `The body of an error is whole, in memory, in a stream, in a sink and of a download`() async throws {
        let size = APIError.maximumBodySize + 1
        let server = try LoopbackServer { _, connection in
            connection.respond(404, body: String(repeating: "a", count: size))
        }
        let (client, folder) = (APIClient(baseURL: server.baseURL), try TemporaryFolder(["f": "before"]))
        let data = try await client.data(for: Self.route)
        let stream = try await client.stream(Self.route)
        let streamed = try await stream.all().reduce(0) { $0 + $1.count }
        let download = try await client.download(Self.route, to: folder["f"])
        let file = try String(contentsOf: folder["f"], encoding: .utf8)
        let (sizes, statuses) = ([data.count, streamed, download.data.count], [stream.status, download.status])
        #expect((sizes, statuses, file) == ([size, size, size], [404, 404], "before"))
    }

    @Test(arguments: kinds)
    func `What may pass is sent again, and the last answer is the response`(kind: ScriptedServer.Kind) async throws {
        for (answers, status) in [([503, 500, 200], 200), ([503, 503, 503], 503), ([404, 200], 404)] {
            let server = ScriptedServer(kind: kind, answers: answers.map { .status($0) })
            let outcome = try await server.send(Self.route) {
                $0.retry = .atOnce()
            }
            let seen = (outcome.error?.kind, outcome.call.status, outcome.call.attempts)
            #expect(seen == (nil, status, status == 404 ? 1 : 3), "\(answers)")
        }
    }

    @Test func `A redirect is followed, and an expired token replaced once`() async throws {
        let transport = StubTransport { request, count in
            if request.url?.path == "/x" { return (307, [.location: "/y"], "") }
            let isFresh = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return isFresh && count > 4 ? (200, [:], "") : (401, [:], "no")
        }
        let client = transport.client {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        // The new token is rejected too: that answer is the response.
        let response = try await client.response(for: Self.route, as: String.self)
        #expect((response.status, response.value, response.attempts) == (401, "no", 4))
    }

    @Test func `A lost connection and a body that does not decode are errors`() async throws {
        let lost = try await ScriptedServer(kind: .loopback, answers: [.lost]).send(Self.route)
        let error = try await failure {
            _ = try await StubTransport(404, [.contentType: "application/json"], #"{"message": "gone"}"#).client()
                .send(Self.route, as: [Int].self)
        }
        #expect([lost.error?.kind, error.kind] == [.transport, .decoding])
        #expect((error.status, error.serverMessage) == (404, "gone"))
    }

    @Test func `Validation checks a success alone`() async throws {
        for (route, status) in [(Self.route, 200), (Self.route, 404), (.get("x"), 200), (.get("x"), 404)] {
            let client = StubTransport(status).client { $0.validate = { _, _ in throw URLError(.badURL) } }
            let error = await errorIfAny { try await client.send(route) }
            #expect((error?.underlying is URLError) == (status == 200))
        }
    }
}
