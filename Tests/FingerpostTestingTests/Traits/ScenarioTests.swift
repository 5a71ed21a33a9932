import FingerpostTesting

/// Scenarios: one name for what many mocks answer.
@Suite(.inTurn) struct ScenarioTests {
    private static let files = [
        "login.json": #"{"token": "t"}"#, "login.locked.423.json": #"{"message": "locked"}"#,
        "user.json": #"{"login": "octocat"}"#, "user.empty.json": "{}", "repos.json": "[]", "repos.empty.json": "[]",
        "repos.503.json": #"{"message": "busy"}"#,
        "_scenarios.json": #"""
        {
          "locked out": { "login": "locked" },
          "offline": { "*": { "failure": "notConnectedToInternet" } },
          "empty": { "*": "empty" },
          "busy": { "repos": { "status": 503 }, "user": { "failure": "empty" } },
          "twice": { "login": { "variant": "locked", "times": 2 } }
        }
        """#,
    ]

    /// The outcomes of calls in a scope with the mocks.
    private func outcomes(_ scenario: MockScenario?) async throws -> [String] {
        let folder = try TemporaryFolder(Self.files)
        let scope = try scope(folder, scenario)
        await scope.run { for name in ["login", "user", "repos"] { await Self.call(name) } }
        return scope.calls.map { "\($0.error.map { "\($0.kind)" } ?? "\($0.status ?? 0)")" }
    }

    private func scope(
        _ folder: TemporaryFolder, _ scenario: MockScenario?, _ variants: [MockName: String] = [:]
    ) throws -> APIScope {
        APIScope(
            environment: try .testing(), network: .sealed, mocks: folder.url, variants: variants, scenario: scenario,
            clock: VirtualClock())
    }

    private static func call(_ name: String) async {
        _ = try? await APIClient().data(for: Route.get(RoutePath(raw: name)).mock(MockName(rawValue: name)))
    }

    @Test(
        arguments: [
            (nil, ["200", "200", "200"]), ("locked out", ["status 423", "200", "200"]),
            ("offline", ["offline", "offline", "offline"]), ("empty", ["200", "200", "200"]),
            ("busy", ["200", "200", "status 503"]),
        ] as [(MockScenario?, [String])])
    func `A scenario changes what mocks answer`(_ scenario: MockScenario?, _ expected: [String]) async throws {
        #expect(try await outcomes(scenario) == expected)
    }

    @Test func `A scenario that does not exist is an error with the nearest name`() async throws {
        let folder = try TemporaryFolder(Self.files)
        let error = try scope(folder, nil).run {
            #expect(throws: APIError.self) { try Mocks.use("ofline") }
        }
        let scope = try scope(folder, "ofline")
        await scope.run { await Self.call("user") }
        let message = #"there is no scenario "ofline" (did you mean "offline"?)"#
        let found = (
            error?.message, error?.fix?.hasPrefix("use locked out, offline, "), scope.calls.first?.error?.message,
            scope.close().count
        )
        #expect(found == (message, true, message, 1))
    }

    @Test func `Scenarios that cannot be read fail the use and the calls with their line`() async throws {
        let folder = try TemporaryFolder(["user.json": "{}", "_scenarios.json": "{\n\"a\": {\"usr\": \"x\"}}"])
        let scope = try scope(folder, nil)
        let error = await scope.run {
            let error = #expect(throws: APIError.self) { try Mocks.use("a") }
            // Without a scenario, its file is not read.
            await Self.call("user")
            return error
        }
        let problem = #"_scenarios.json:2:7: error: there is no mock "usr" (did you mean "user"?)"#
        let found = (error?.message.contains(problem), scope.calls.map(\.status), MockScenario.all(in: folder.url))
        #expect(found == (true, [200], ["_scenarios.json"]), "\(error as Any)")
    }

    @Test func `All scenarios of a folder, in its order`() throws {
        let folder = try TemporaryFolder(Self.files)
        let other = try TemporaryFolder(["a.json": ""])
        #expect(
            [folder, other].map { MockScenario.all(in: $0.url) } == [
                ["locked out", "offline", "empty", "busy", "twice"], [],
            ])
    }

    /// The problems of a scope, which are told once.
    private func problems(
        _ scenario: MockScenario? = nil, _ variants: [MockName: String] = [:], _ body: () async throws -> Void
    ) async throws -> [String] {
        let folder = try TemporaryFolder(Self.files)
        let scope = try scope(folder, scenario, variants)
        try await scope.run { try await body() }
        return scope.close() + scope.close()
    }

    @Test(arguments: [(1, "once"), (2, nil), (3, "3 times")])
    func `An answer must be used as often as the scenario says`(_ calls: Int, _ used: String?) async throws {
        let problems = try await problems("twice") { for _ in 0..<calls { await Self.call("login") } }
        let problem =
            "mock \"login\": the scenario \"twice\" says that its answer must be used 2 times, but calls used it "
        #expect(problems == (used.map { [problem + $0] } ?? []))
    }

    @Test func `A scenario that is replaced, or whose scope ends, keeps its problem`() async throws {
        let replaced = try await problems("twice") {
            await Self.call("login")
            try Mocks.use("offline")
            await Self.call("login")
        }
        let unused = try await problems("twice") {
            try Mocks.use("offline")
            await Self.call("login")
        }
        let taken = Locked(0)
        let rest = try await problems("twice") {
            await Self.call("login")
            let count = Mocks.takeProblems().count
            taken.withLock { $0 = count }
        }
        let folder = try TemporaryFolder(Self.files)
        let inner = try await problems { try await scope(folder, "twice").run { await Self.call("login") } }
        let counts = [replaced.count, unused.count, taken.withLock { $0 }, rest.count, inner.count]
        #expect(counts == [1, 0, 1, 0, 1])
    }

    @Test func `A scenario does not say how often an answer in its place is used`() async throws {
        let answered = try await problems("twice") {
            Mocks.set("login", .status(204))
            await Self.call("login")
        }
        let varied = try await problems("twice", ["login": "locked"]) { await Self.call("login") }
        #expect(answered.isEmpty && varied.isEmpty)
    }

    @Test func `A part of an answer cannot say how often it is used`() async throws {
        for answer in [MockResponse.sequence([.status(204).times(1)]), .respond { _ in .status(204).times(1) }] {
            let problems = try await problems {
                Mocks.set("login", answer)
                await Self.call("login")
            }
            #expect(problems.count == 1 && problems[0].contains("an answer with its own times(_:)"), "\(problems)")
        }
    }

    /// Also one that was replaced.
    @Test(arguments: [(0, 0, true), (2, 2, true), (2, 1, false), (0, 1, false)], [false, true])
    func `An answer in code must be used as often as it says`(
        _ use: (times: Int, calls: Int, isRight: Bool), isReset: Bool
    ) async throws {
        let problems = try await problems {
            Mocks.set("login", .status(401).times(use.times))
            for _ in 0..<use.calls { await Self.call("login") }
            if isReset { Mocks.reset("login") }
        }
        #expect(problems.isEmpty == use.isRight)
    }

    @Test(.heavy) func `The environment variable chooses a scenario for calls without a scope`() async throws {
        let folder = try TemporaryFolder(Self.files)
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            setenv("MOCKS_SCENARIO", "locked out", 1)
            setenv("MOCKS_DIR", path, 1)
            let environment = try Environment("Sealed", values: ["baseURL": "https://t.invalid", "$network": "sealed"])
            let client = try APIClient { $0.environment = environment }
            let error = await #expect(throws: APIError.self) { try await client.send(Route.get("login").mock("login")) }
            #expect(error?.kind == .status(423))
            try await client.send(Route.get("user").mock("user"))
        }
    }
}
