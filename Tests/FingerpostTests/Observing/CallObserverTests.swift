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
            _ = try await failure { try await client.send(Route.get("users/\(name)"), as: User.self) }
        }
        let lines = list.calls.map { call in
            "\(call.line): \(call.responseSize.map { "\($0) B" } ?? "-") \(call.history.count) \(call.duration != nil)"
        }
        #expect(
            lines == [
                "GET users/octocat 200: 20 B 1 true", "GET users/nobody 404: 0 B 1 true",
                "GET users/broken decoding: 1 B 1 true", "GET users/lost transport: - 1 true",
            ])
    }

    @Test func `A call that cannot be built, and those that are refused`() async throws {
        let transport = StubTransport(200)
        let client = client(transport)
        _ = try await failure { try await client.send(Route.get("users/\("..")")) }
        let sealed = client.with {
            $0.environment = try? Environment("Sealed", values: ["baseURL": "https://h.example", "$network": "sealed"])
        }
        _ = try await failure { try await sealed.send(Route.get("user")) }
        // A blocking call that would deadlock.
        #expect(throws: APIError.self) { try client.blocking.send(Route.get("user")) }
        // No request was built for the first and the last.
        #expect(
            list.calls.map { "\($0.line): \($0.request.url?.path ?? "-") \($0.attempts)" } == [
                "GET users/.. invalid route: - 0", "GET user mock: /user 1", "GET user invalid route: - 0",
            ])
        #expect(transport.requests.isEmpty)
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
            $0.retry = .atOnce(3)
            $0.middleware = [RepeatingMiddleware()]
        }
        _ = try await client.data(for: Route.get("old?page=2"))
        #expect((list.lines, list.calls.first.map { $0.attempts >= 4 }) == (["GET old?page=2 200"], true))
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

    @Test(.mocks) func `A stream is told when its loop ends or is left, and when nobody reads it`() async throws {
        let client = try APIClient { $0.observers = [list] }
        let route = Route.get("ticker").mock("ticker")
        Mocks.set("ticker", .events(["a", "b"]))
        let stream = try await client.stream(route)
        var counts = [list.calls.count]
        for try await _ in stream.events {}
        counts.append(list.calls.count)
        Mocks.set("ticker", .events(["a", "b"], ending: .open))
        for try await _ in try await client.stream(route).events { break }
        counts.append(list.calls.count)
        _ = try await client.stream(route)
        await poll { list.calls.count == 3 }
        #expect((counts, list.lines) == ([0, 1, 2], Array(repeating: "GET ticker 200", count: 3)))
        #expect((list.calls.first?.responseSize ?? 0) > 0)
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

    @Test func `Observers of the client, and observers and logs of its scopes, are each told once`() async throws {
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
        let lines = ["GET a 200", "GET b 200", "GET c 200", "GET d 200"]
        let logs = [scope, enclosing].map { $0.calls.map(\.line) }
        #expect([inner, outer, list].map(\.lines) + logs == [2, 3, 4, 2, 3].map { Array(lines.prefix($0)) })
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
        for call in list.calls {
            var text = "\(call) \(call.line) \(call.name) \(call.route) \(call.curl ?? "") \(call.history)"
            text += " \(String(reflecting: call.request)) \(call.request.allHTTPHeaderFields ?? [:])"
            text += " \(call.request.url?.absoluteString ?? "") \(String(describing: call.error))"
            text += " \(call.error.map { "\($0.headers.map(\.value)) \($0.headers)" } ?? "")"
            dump(call, to: &text)
            #expect(secrets.filter(text.contains) == [], "in \(text)")
        }
        let haveBody = list.calls.map { call in
            call.request.httpBody != nil || call.error?.body != nil || call.error?.underlying != nil
        }
        let sent = list.calls.map { $0.request.value(forHTTPHeaderField: "Authorization") }
        #expect((haveBody, sent) == ([false, false], ["<redacted>", "<redacted>"]))
    }
}
