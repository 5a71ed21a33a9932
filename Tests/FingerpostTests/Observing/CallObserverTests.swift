import CallSupport
import FingerpostCallbacks
import FingerpostStreams
import FingerpostTesting

@testable import Fingerpost

/// Observers are told once of each call, when it has ended.
@Suite(.inTurn, .concurrent) struct CallObserverTests {
    private let list = CallList()

    private func client(
        _ transport: StubTransport, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        transport.client {
            $0.observers = [list]
            configure(&$0)
        }
    }

    // MARK: Once per call

    @Test func `A value, a status, a body that does not decode, and a lost connection`() async throws {
        let client = client(
            StubTransport { request, _ in
                switch request.url?.lastPathComponent {
                case "octocat": (200, [:], #"{"login": "octocat"}"#)
                case "nobody": (404, [:], "")
                case "broken": (200, [:], "{")
                default: throw URLError(.networkConnectionLost)
                }
            })
        _ = try await client.send(Route.get("users/octocat"), as: User.self)
        for name in ["nobody", "broken", "lost"] {
            await #expect(throws: APIError.self) { try await client.send(Route.get("users/\(name)"), as: User.self) }
        }
        #expect(
            (list.lines, list.calls.map(\.responseSize)) == (
                [
                    "GET users/octocat 200", "GET users/nobody 404", "GET users/broken decoding",
                    "GET users/lost transport",
                ], [20, 0, 1, nil]
            ))
        #expect(list.calls.allSatisfy { $0.duration != nil && $0.history.count == 1 })
    }

    @Test func `A call that cannot be built, and those that are refused`() async throws {
        let transport = StubTransport(200)
        let client = client(transport)
        await #expect(throws: APIError.self) { try await client.send(Route.get("users/\("..")")) }
        let sealed = client.with {
            $0.environment = try? Environment("Sealed", values: ["baseURL": "https://h.example", "$network": "sealed"])
        }
        await #expect(throws: APIError.self) { try await sealed.send(Route.get("user")) }
        // A blocking call that would deadlock.
        #expect(throws: APIError.self) { try client.blocking.send(Route.get("user")) }
        #expect(list.lines == ["GET users/.. invalid route", "GET user mock", "GET user invalid route"])
        #expect((list.calls.map(\.attempts), transport.requests.isEmpty) == ([0, 1, 0], true))
        // No request was built for the first and the last.
        #expect(list.calls.map(\.request.url?.path) == [nil, "/user", nil])
    }

    @Test func `Retries, redirects and requests of middleware are one call`() async throws {
        let client = client(
            StubTransport { request, index in
                switch index {
                case 0, 2: (503, [:], "")
                case 1: (302, ["Location": "/new"], "")
                default: (200, [:], "done")
                }
            }
        ) {
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .exponential(base: .zero, maximum: .zero))
            $0.middleware = [RepeatingMiddleware()]
        }
        _ = try await client.data(for: Route.get("old?page=2"))
        #expect(list.calls.count == 1 && list.lines == ["GET old?page=2 200"])
        #expect((list.calls.first?.attempts ?? 0) >= 4)
    }

    @Test func `A cancelled call is told once`() async throws {
        let transport = StubTransport.silent
        let client = client(transport)
        let task = Task { try await client.send(Route.get("slow")) }
        await poll { !transport.requests.isEmpty }
        task.cancel()
        _ = await task.result
        await poll { !list.calls.isEmpty }
        #expect(list.lines == ["GET slow cancelled"])
    }

    // MARK: Streams

    @Test(.mocks) func `A stream is told when its loop has ended`() async throws {
        let client = try APIClient { $0.observers = [list] }
        Mocks.set("ticker", .events(["a", "b"]))
        let stream = try await client.stream(Route.get("ticker").mock("ticker"))
        #expect(list.calls.isEmpty)
        for try await _ in stream.events {}
        #expect(list.lines == ["GET ticker 200"] && (list.calls.first?.responseSize ?? 0) > 0)
    }

    @Test(.mocks) func `A stream that is left, and one that nobody reads`() async throws {
        let client = try APIClient { $0.observers = [list] }
        Mocks.set("ticker", .events(["a", "b"], ending: .open))
        let route = Route.get("ticker").mock("ticker")
        for try await _ in try await client.stream(route).events { break }
        #expect(list.lines == ["GET ticker 200"])
        _ = try await client.stream(route)
        await poll { list.calls.count == 2 }
        #expect(list.lines == ["GET ticker 200", "GET ticker 200"])
    }

    @Test(.mocks) func `A stream that is lost, and an element that does not decode, fail the call once`() async throws {
        let client = try APIClient { $0.observers = [list] }
        for answer in [.events([], ending: .lost), .data(Data("{}\n{}\n".utf8))] as [MockResponse] {
            Mocks.set("ticker", answer)
            let stream = try await client.stream(Route.get("ticker").mock("ticker"))
            await #expect(throws: APIError.self) { for try await _ in stream.json(as: User.self) {} }
        }
        #expect(list.lines == ["GET ticker transport", "GET ticker decoding"])
        // The mock does not decode on purpose.
        _ = Mocks.takeProblems()
    }

    // MARK: Scopes

    @Test func `Observers of the client, of the scope and of the enclosing scopes are each told once`() async throws {
        let (inner, outer) = (CallList(), CallList())
        let client = client(StubTransport(200))
        let enclosing = APIScope(network: .live, observers: [outer])
        let scope = APIScope(network: .live, observers: [inner])
        try await enclosing.run {
            try await scope.run {
                try await client.send(Route.get("a"))
                // A scope inside itself.
                try await enclosing.run { try await client.send(Route.get("b")) }
            }
            try await client.send(Route.get("c"))
        }
        try await client.send(Route.get("d"))
        #expect(list.lines == ["GET a 200", "GET b 200", "GET c 200", "GET d 200"])
        #expect((inner.lines, outer.lines) == (["GET a 200", "GET b 200"], ["GET a 200", "GET b 200", "GET c 200"]))
    }

    // MARK: Secrets

    @Test func `No secret reaches an observer`() async throws {
        let secrets = ["sekret-token-1", "sekret-query-2", "sekret-body-3", "sekret-cookie-4", "sekret-answer-5"]
        let client = client(
            StubTransport { request, _ in
                (
                    request.url?.lastPathComponent == "ok" ? 200 : 401,
                    ["Set-Cookie": "session=sekret-cookie-4", "Content-Type": "application/json"],
                    #"{"access_token": "sekret-answer-5", "message": "no sekret-token-1 sekret-body-3"}"#
                )
            }
        ) { $0.authorization = .bearer("sekret-token-1") }
        for path in ["ok", "sekret-answer-5/refused"] {
            let route = Route.post("\(raw: path)").query("api_key", "sekret-query-2")
                .json(["password": "sekret-body-3"])
            _ = try? await client.data(for: route)
        }
        #expect(list.calls.count == 2)
        for call in list.calls {
            var text = "\(call) \(call.line) \(call.name) \(call.route) \(call.curl ?? "") \(call.history)"
            text += " \(String(reflecting: call.request)) \(call.request.allHTTPHeaderFields ?? [:])"
            text += " \(call.request.url?.absoluteString ?? "") \(String(describing: call.error))"
            text += " \(call.error.map { "\($0.headers.map(\.value)) \($0.headers)" } ?? "")"
            dump(call, to: &text)
            for secret in secrets { #expect(!text.contains(secret), "\(secret) is in \(text)") }
            #expect(call.request.httpBody == nil && call.error?.body == nil && call.error?.underlying == nil)
            #expect(call.request.value(forHTTPHeaderField: "Authorization") == "<redacted>")
        }
    }

    @Test(.mocks) func `Lines of calls tell methods, paths, queries and outcomes`() async throws {
        let client = try APIClient()
        Mocks.set("user", .sequence([.json(["login": "octocat"]), .status(503), .failure(.timedOut)]))
        let route = Route.get("users/octocat").mock("user")
        try await client.send(route)
        _ = try? await client.send(route.query("page", 2).query("api_key", "sekret-query-2"))
        _ = try? await client.send(route)
        #expect(
            Mocks.calls.map(\.line) == [
                "GET users/octocat 200", "GET users/octocat?page=2&api_key=<redacted> 503",
                "GET users/octocat timed out",
            ])
        #expect(Mocks.calls.allSatisfy { $0.duration == .zero && $0.responseSize == nil })
    }
}
