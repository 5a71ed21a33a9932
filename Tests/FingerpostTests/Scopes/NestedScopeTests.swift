import CallSupport
import FingerpostTesting

/// Nested scopes, and scopes set on a client.
@Suite(.inTurn) struct NestedScopeTests {
    private static let files = [
        "job.json": #""done""#,
        "job.mock.json": #"{"sequence": [{"status": 202}, {"status": 201}, {"status": 200}]}"#,
        "switch.json": "{}",
        "switch.mock.json": #"{"then": {"list": "full"}}"#,
        "list.json": #""empty""#, "list.full.json": #""full""#, "list.broken.json": #""broken""#,
    ]

    private static let job = Route.get("job").mock("job")

    private static func sealed(_ mocks: URL? = nil) throws -> APIScope {
        APIScope(
            environment: try .testing(), network: .sealed,
            mocks: mocks, clock: VirtualClock(), seed: 7)
    }

    /// The value of work in a scope, and the problems that the scope reports at its end.
    private func outcome<Value>(
        of work: (APIClient) async throws -> Value
    ) async throws -> (value: Value, problems: [String]) {
        let folder = try TemporaryFolder(Self.files)
        let scope = try Self.sealed(folder.url)
        return (try await scope.run { try await work(APIClient()) }, scope.close())
    }

    private func status(_ client: APIClient) async throws -> Int {
        try await client.response(for: Self.job, as: Data.self).status
    }

    private func list(_ client: APIClient) async throws -> String {
        try await client.send(Route.get("list").mock("list"), as: String.self)
    }

    @Test func `Two scopes that run inside each other report their sequences once`() throws {
        let scopes = [try Self.sealed(), try Self.sealed()]
        for (outer, inner) in [(0, 1), (1, 0), (0, 1)] {
            scopes[outer].run {
                Mocks.set("outer\(outer)", .sequence([.status(200), .status(201)]))
                scopes[inner].run {
                    Mocks.set("inner\(inner)", .sequence([.status(200), .status(201)]))
                    scopes[outer].run {}
                }
            }
        }
        let problems = scopes[0].close() + scopes[1].close()
        #expect(problems.count { $0.contains("the sequence has 2 answers") } == 4, "\(problems)")
    }

    @Test func `A nested scope continues a sequence of the folder, and starts one of another folder`() async throws {
        let outcome = try await outcome { client in
            let other = try TemporaryFolder(["job.json": "1", "job.mock.json": #"{"sequence": [{"status": 299}]}"#])
            return [
                try await status(client), try await APIScope(mocks: other.url).run { try await status(client) },
                try await APIScope().run { try await status(client) }, try await status(client),
            ]
        }
        #expect(outcome == ([202, 299, 201, 200], []))
    }

    @Test func `A nested scope does not use up the sequence of the folder around it`() async throws {
        let problems = try await outcome { client in
            let other = try TemporaryFolder(["job.json": "1"])
            _ = try await APIScope(mocks: other.url).run { try await status(client) }
            _ = try await status(client)
        }.problems
        #expect(problems.count == 1 && problems[0].contains("has 3 answers, but calls used only 1"), "\(problems)")
    }

    @Test func `A switched variant stays switched outside, until a newer scope's variant`() async throws {
        let switching = Route.post("switch").mock("switch")
        let outcome = try await outcome { client in
            try await APIScope().run { try await client.send(switching) }
            let outside = try await list(client)
            let inside = try await APIScope(variants: ["list": "broken"]).run { try await list(client) }
            let again = try await APIScope(variants: ["list": "broken"]).run {
                try await client.send(switching)
                return try await list(client)
            }
            return [outside, inside, again]
        }
        #expect(outcome == (["full", "broken", "full"], []))
    }

    @Test func `An answer that times out switches no variant`() async throws {
        let outcome = try await outcome { client in
            let other = try TemporaryFolder(
                Self.files.merging(["switch.mock.json": #"{"delay": 9, "then": {"list": "full"}}"#]) { $1 })
            return try await APIScope(mocks: other.url).run {
                let route = Route.post("switch").mock("switch").timeout(.seconds(3))
                try await failure(.timedOut) { try await client.send(route) }
                return try await list(client)
            }
        }
        #expect(outcome == ("empty", []))
    }

    @Test func `The outer scope reports an unused answer of a deeply nested scope`() {
        func nest(_ depth: Int) {
            if depth == 0 { return Mocks.set("list", .sequence([.status(204)])) }
            APIScope().run { nest(depth - 1) }
        }
        for depth in [1, 3] {
            let outer = APIScope()
            outer.run { nest(depth) }
            let problems = outer.close()
            #expect(problems.count == 1 && problems[0].contains("mock \"list\""), "\(problems)")
        }
    }

    @Test func `A nested scope without a seed continues the outer scope's random numbers`() async throws {
        func delays(inside seed: UInt64?) async throws -> [Duration] {
            var delays: [Duration] = []
            _ = try await outcome { client in
                let other = try TemporaryFolder(["id.json": "1", "id.mock.json": #"{"delay": [0, 20]}"#])
                for _ in 0..<2 {
                    let clock = VirtualClock()
                    try await APIScope(mocks: other.url, clock: clock, seed: seed).run {
                        _ = try await client.send(Route.get("id").mock("id"))
                    }
                    delays.append(clock.now.offset)
                }
            }
            return delays
        }
        let (first, seeded) = (try await delays(inside: nil), try await delays(inside: 3))
        let again = try await delays(inside: nil)
        #expect((Set(first).count, again, Set(seeded).count, seeded == first) == (2, first, 1, false))
    }

    // MARK: Unused variants

    @Suite(.inTurn, .mocks(folder: "Fixtures")) struct Strict {
        private static let greeting = Route.get("greeting").mock("greeting")

        /// The variants that are reported as unused.
        private func unused() -> [String] {
            Mocks.takeProblems().map { $0.firstMatch(of: /its variant "(\w+)"/).map { String($0.1) } ?? $0 }
        }

        @Test(.mocks(["greeting": "polite", "other": "never"], strict: true))
        func `A strict scope reports an unused variant`() async throws {
            _ = try await APIClient().data(for: Self.greeting)
            #expect(unused() == ["never"])
        }

        @Test(.mocks(["greeting": "polite"], strict: true))
        func `A variant that was switched to another one is reported as unused`() async throws {
            let folder = try TemporaryFolder([
                "switch.json": "{}", "switch.mock.json": #"{"then": {"greeting": "short"}}"#,
                "greeting.json": "{}", "greeting.short.json": "{}", "greeting.polite.json": "{}",
            ])
            let scope = APIScope.current?.with { $0.mocks = folder.url }
            try await scope?.run {
                _ = try await APIClient().data(for: Route.get("switch").mock("switch"))
                _ = try await APIClient().data(for: Self.greeting)
            }
            #expect(unused() == ["polite"])
        }

        @Test(.environment("Staging"), .mocks(["greeting": "never"], strict: true), .network(.mocksThenLive))
        func `A variant is reported as unused when a server answered`() async throws {
            let folder = try TemporaryFolder(["other.json": "{}"])
            let client = try APIClient { $0.transport = StubTransport(200, [:], "{}") }
            let scope = APIScope.current?.with { $0.mocks = folder.url }
            let response = try await scope?.run { try await client.response(for: Self.greeting, as: Data.self) }
            #expect((response?.source, unused()) == (.network, ["never"]))
        }

        @Test(.mocks)
        func `The type that a call decodes is compared with the type that its route declares`() async throws {
            Mocks.set("count", .json(7))
            let route = Route.get("count").mock("count").answers(Int.self)
            let client = try APIClient()
            try await client.send(route)
            _ = try await client.data(for: route)
            _ = try await client.send(route, as: String.self)
            let seen = try await (
                client.send(route, as: Int.self), client.send(route, as: Int?.self),
                client.send(route.answers(Int?.self), as: Int.self), Mocks.takeProblems(),
                client.send(route, as: Double.self)
            )
            #expect(seen == (7, 7, 7, [], 7))
            #expect(
                [Mocks.calls.last?.decodedType.map { "\($0)" }] + Mocks.takeProblems() == [
                    "Double",
                    "GET count declares the response type Int, but the call decodes Double; correct the declaration, or the type that is decoded",
                ])
            #expect(Mocks.takeProblems() == [])
        }

        @Test(.mocks(["other": "never"])) func `A scope that is not strict does not report unused variants`() {
            #expect(Mocks.takeProblems().isEmpty)
        }
    }

    // MARK: Scopes of clients

    /// First makes another call, through a client that has no scope.
    private struct Asking: Middleware {
        let other: APIClient

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            if route.mock == "list" { _ = try await other.data(for: NestedScopeTests.job) }
            return try await next(request)
        }
    }

    @Test func `Calls made by middleware run in the scope set on the client`() async throws {
        let folder = try TemporaryFolder(Self.files)
        let scope = try Self.sealed(folder.url)
        let other = try APIClient()
        let client = try APIClient { $0.middleware = [Asking(other: other)] }
        _ = try await list(client.with(scope: scope))
        #expect(scope.calls.map(\.name) == ["list", "job"])
    }

    @Test func `A client used in two scopes has no scope in detached tasks`() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await Self.sealed(folder.url).run {
            let client = try APIClient()
            let own = try await Task.detached { try await list(client) }.value
            let logged = Mocks.calls.map(\.name)
            let other = try Self.sealed(folder.url)
            try await Task.detached { try await other.run { _ = try await list(client) } }.value
            let issues = try await recordedIssues {
                let error = await APIScope.$current.withValue(nil) {
                    await #expect(throws: APIError.self) { try await list(client) }
                }
                #expect(error?.message.contains("has no scope") == true)
            }
            let areNamed = issues.map { $0.text.contains("has no scope") }
            #expect((own, logged, areNamed) == ("empty", ["list"], [true]), "\(issues)")
        }
    }

    // MARK: Recording

    @Test func `A recorder sees the calls to each environment, and no answers that the test sets`() async throws {
        let folder = try TemporaryFolder(Self.files)
        let environment = try Environment("Staging", values: ["baseURL": "https://s.invalid"])
        let names = Locked<[String]>([])
        let recorder = ClosureMiddleware { request, route, next in
            names.withLock { $0.append(route.mock?.rawValue ?? "") }
            return try await next(request)
        }
        let transport = StubTransport(200, [:], #""live""#)
        let client = try transport.client(in: environment)
        let scope = APIScope(
            environment: environment, network: .live, mocks: folder.url, variants: ["list": "full"]
        ).with { $0.recorder = recorder }
        try await scope.run {
            let chosen = try await list(client)
            Mocks.set("switch", .json(1))
            let set = try await client.send(Route.get("switch").mock("switch"), as: Int.self)
            let other = try Environment("Other", values: ["baseURL": "https://o.invalid"])
            _ = try await APIScope(environment: other, network: .live).run { try await client.data(for: Self.job) }
            let seen = (chosen, set, transport.requests.map(\.url?.host), names.withLock { $0 })
            #expect(seen == ("full", 1, ["o.invalid"], ["job"]))
        }
    }

    @Test func `A client with another environment keeps the scope that it was created in`() async throws {
        let outcome = try await outcome { client in
            let environment = try Environment("Other", values: ["baseURL": "https://o.invalid"])
            return try await Task.detached { try await list(client.with(environment: environment)) }.value
        }
        #expect(outcome == ("empty", []))
    }
}
