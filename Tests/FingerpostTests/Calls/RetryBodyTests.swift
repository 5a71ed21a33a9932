import CallSupport
import FingerpostStreams
import FingerpostTransfers

/// How bodies and idempotency keys are sent again.
@Suite(.inTurn, .concurrent) struct RetryBodyTests {
    @Test func `A body that can only be read once is not sent again`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(503) }
        let client = APIClient(baseURL: server.baseURL) { $0.retry = .atOnce() }
        let route = Route.put("x").configure { $0.httpBodyStream = InputStream(data: Data("once".utf8)) }
        let error = try await failure(.status(503)) { try await client.send(route) }
        let reason = "not sent again, because its body is a stream that can be read only"
        #expect((error.message.contains(reason), error.attempts) == (true, 1), "\(error)")
    }

    @Test func `A file that is gone before the retry is an error that says so`() async throws {
        let folder = try TemporaryFolder(["a.txt": "content"])
        let server = try LoopbackServer { _, connection in
            try? FileManager.default.removeItem(at: folder["a.txt"])
            connection.respond(503)
        }
        let client = APIClient(baseURL: server.baseURL) { $0.retry = .atOnce() }
        let route = Route.put("x").body(.file(folder["a.txt"]))
        let error = try await failure(.encoding) { try await client.send(route) }
        let isNamed = error.message.hasPrefix("the request must be sent again, but its body cannot be read a second")
        #expect((isNamed, error.history.map(\.status), server.requestCount) == (true, [503], 1), "\(error)")
    }

    @Test(arguments: ScriptedServer.Kind.allCases)
    func `The attempts of a call have one idempotency key, each call its own`(kind: ScriptedServer.Kind) async throws {
        let outcomes = try await ScriptedServer(kind: kind, answers: [.status(503), .lost, .status(200)])
            .run {
                $0.retry = .standard
            } _: { client in
                let route = Route.post("x").idempotencyKey().mock("x")
                for _ in 1...2 { try await client.send(route) }
                try await client.send(Route.post("x").idempotencyKey("own").mock("x"))
            }
        let keys = outcomes[0].requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
        let (key, other) = (keys.first ?? nil, keys.dropFirst(3).first ?? nil)
        #expect(keys == [key, key, key, other, "own"] && key?.count == 36 && other != key)
    }

    private enum Orders: Routable {
        case place

        var method: HTTPMethod { .post }
        var path: RoutePath { "orders" }
        var headers: HTTPHeaders { ["Idempotency-Key": UUID().uuidString] }
    }

    private enum Payments: Routable {
        case pay

        var method: HTTPMethod { .post }
        var path: RoutePath { "payments" }
        var route: Route { Route(properties: self).idempotencyKey() }
    }

    @Test(arguments: [Orders.place, Payments.pay] as [any RouteConvertible])
    func `A router gives each of its calls a key`(_ route: any RouteConvertible) async throws {
        let transport = StubTransport { _, index in (index % 2 == 0 ? 503 : 201, [:], "") }
        let client = transport.client { $0.retry = .atOnce() }
        for _ in 1...2 { try await client.send(Route.from(route)) }
        let keys = transport.sent("Idempotency-Key")
        #expect(keys.count == 4 && keys[0] != nil && keys[0] == keys[1] && keys[2] == keys[3] && keys[1] != keys[2])
    }

    @Test(arguments: ["", " ", "\t"]) func `An empty idempotency key is an error`(key: String) async throws {
        let transport = StubTransport(503)
        let client = transport.client { $0.retry = .atOnce() }
        var messages: [String] = []
        for (client, route) in [
            (client, Route.post("x").idempotencyKey(key)), (client, .post("x").header("Idempotency-Key", key)),
            (client.with { $0.headers = ["Idempotency-Key": key] }, .post("x")),
        ] { try await messages.append(failure(.invalidRoute) { try await client.send(route) }.message) }
        let isUnsent = transport.requests.isEmpty
        #expect((messages, isUnsent) == (Array(repeating: "the idempotency key is empty", count: 3), true))
    }

    @Test func `A redirect to another origin keeps the idempotency key`() async throws {
        let transport = StubTransport { request, index in
            if request.url?.host == "api.example.com" { return (307, [.location: "https://other.example/y"], "") }
            return (index == 1 ? 503 : 201, [:], "")
        }
        let response = try await transport.client { $0.retry = .atOnce() }
            .response(for: Route.post("x").idempotencyKey("order 7f3c9a1b2d"), as: Data.self)
        let key = "order 7f3c9a1b2d"
        let seen = (response.history.map(\.status), transport.sent("Idempotency-Key"))
        #expect(seen == ([307, 503, 307, 201], [key, key, key, key]))
    }
}
