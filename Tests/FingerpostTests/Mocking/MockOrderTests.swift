import CallSupport
import FingerpostTesting

/// Which of several choices for one mock answers.
@Suite(.inTurn) struct MockOrderTests {
    private static let files = [
        "m.json": "file", "m.a.json": "a", "m.b.json": "b", "m.c.json": "c", "m.c.mock.json": #"{"delay": 3}"#,
        "m.503.json": "busy", "switch.json": "0", "switch.mock.json": #"{"then": {"m": "b"}}"#,
        "_scenarios.json": #"""
        {
          "a": { "m": "a" }, "slow a": { "m": { "variant": "a", "delay": 20 } }, "slow": { "*": { "delay": 20 } },
          "busy": { "m": { "status": 503 } }, "offline": { "*": { "failure": "notConnectedToInternet" } },
          "all b": { "*": "b" }, "a of all b": { "*": { "variant": "b", "delay": 20 }, "m": { "variant": "a" } },
          "empty": { "m": { "failure": "empty" } }
        }
        """#,
    ]

    /// Something that is chosen before a call of the mock `m`.
    enum Choice: Sendable {
        /// By a scope inside those so far.
        case variant(String)
        case scenario(MockScenario)
        /// By a scope that was created before all others, but runs inside those so far.
        case olderVariant(String)
        case olderScenario(MockScenario)
        /// In the innermost scope.
        case code(MockResponse)
        case reset
        case use(MockScenario?)
        /// By the answer of another mock, which switches to the variant `b`.
        case then
        /// By a scope that chooses nothing.
        case scope
    }

    /// Each with the body, or the kind of the error, and the seconds that the call takes.
    static let orders: [([Choice], answer: String, delay: Int64)] = [
        ([], "file", 0),
        // Variants and `then`: the newest counts.
        ([.variant("a")], "a", 0), ([.variant("a"), .variant("b")], "b", 0), ([.then], "b", 0),
        ([.variant("a"), .then], "b", 0), ([.then, .variant("a")], "a", 0), ([.variant("c")], "c", 3),
        ([.variant("a"), .olderVariant("c")], "a", 0), ([.then, .olderVariant("a")], "b", 0),
        ([.variant("a"), .scope, .then], "b", 0), ([.scope, .variant("a"), .scope], "a", 0),
        // Scenarios: the newest of all counts, whole.
        ([.scenario("a")], "a", 0), ([.scenario("slow a")], "a", 20), ([.scenario("slow")], "file", 20),
        ([.scenario("slow a"), .scenario("busy")], "status 503", 0), ([.scenario("busy")], "status 503", 0),
        ([.scenario("offline")], "offline", 0), ([.scenario("empty")], "", 0), ([.scenario("all b")], "b", 0),
        ([.scenario("a of all b")], "a", 20), ([.scenario("slow a"), .use("a")], "a", 0),
        ([.scenario("a"), .olderScenario("busy")], "a", 0), ([.scenario("a"), .use(nil)], "file", 0),
        ([.scenario("a"), .scope, .use(nil)], "a", 0),
        // A variant replaces an older scenario, except for its delay. A newer scenario replaces a variant.
        ([.scenario("slow a"), .variant("b")], "b", 20), ([.variant("b"), .scenario("slow a")], "a", 20),
        ([.scenario("slow a"), .then], "b", 20), ([.then, .scenario("slow a")], "a", 20),
        ([.scenario("slow"), .variant("b")], "b", 20), ([.variant("b"), .scenario("slow")], "b", 20),
        ([.scenario("slow"), .variant("c")], "c", 20), ([.variant("c"), .scenario("slow")], "c", 20),
        ([.variant("a"), .scenario("slow"), .then], "b", 20), ([.scenario("offline"), .variant("a")], "a", 0),
        ([.variant("a"), .scenario("offline")], "offline", 0), ([.scenario("busy"), .variant("a")], "a", 0),
        ([.variant("a"), .scenario("busy")], "status 503", 0), ([.scenario("a"), .olderVariant("b")], "a", 0),
        ([.variant("b"), .olderScenario("slow a")], "b", 20), ([.variant("b"), .use("a"), .then], "b", 0),
        ([.scenario("empty"), .variant("c")], "c", 3), ([.variant("c"), .scenario("empty")], "", 3),
        ([.scenario("a of all b"), .variant("c")], "c", 20),
        // Code comes first, and ends the search: no delay of a scenario is left.
        ([.code(.json("x"))], "\"x\"", 0), ([.code(.json("x")), .variant("a")], "\"x\"", 0),
        ([.scenario("slow"), .code(.json("x"))], "\"x\"", 0), ([.code(.json("x")), .scenario("slow")], "\"x\"", 0),
        ([.scenario("slow"), .code(.variant("b"))], "b", 0), ([.scenario("slow"), .code(.variant("c"))], "c", 3),
        ([.scenario("slow"), .code(.status(503))], "status 503", 0), ([.variant("a"), .code(.status(204))], "", 0),
        ([.scenario("offline"), .code(.json("x").delayed(by: .seconds(5)))], "\"x\"", 5),
        ([.scenario("slow"), .code(.failure(.timedOut))], "timed out", 0),
        ([.code(.json("x")), .scope, .code(.json("y"))], "\"y\"", 0),
        ([.code(.json("x")), .scope, .reset], "\"x\"", 0),
        ([.variant("a"), .code(.json("x")), .reset], "a", 0),
        ([.scenario("slow"), .code(.json("x")), .then], "\"x\"", 0),
        // The mock's own answer is that without code.
        ([.code(.file)], "file", 0), ([.variant("a"), .code(.file)], "a", 0),
        ([.scenario("slow"), .code(.file)], "file", 20),
        ([.scenario("slow"), .code(.file.delayed(by: .seconds(5)))], "file", 5),
        ([.scenario("offline"), .code(.file)], "offline", 0), ([.scenario("slow a"), .code(.file), .then], "b", 20),
        ([.scenario("slow a"), .code(.sequence([.file]))], "a", 20),
        ([.scenario("slow a"), .code(.respond { _ in .file })], "a", 20),
    ]

    @Test(arguments: orders)
    func `The order of choices decides`(_ choices: [Choice], _ answer: String, _ delay: Int64) async throws {
        let folder = try TemporaryFolder(Self.files)
        let clock = VirtualClock()
        // Scopes number their choices when they are created.
        let older = choices.map { choice -> APIScope? in
            switch choice {
            case .olderVariant(let name): APIScope(variants: ["m": name], clock: clock)
            case .olderScenario(let scenario): APIScope(scenario: scenario, clock: clock)
            default: nil
            }
        }
        let outer = try APIScope(environment: .testing(), network: .sealed, mocks: folder.url, clock: clock)
        let got = try await outer.run { try await choose(Array(zip(choices, older))[...], clock) }
        #expect((got, outer.calls.last?.duration, outer.close()) == (answer, .seconds(delay), []))
    }

    private func choose(_ choices: ArraySlice<(Choice, APIScope?)>, _ clock: VirtualClock) async throws -> String {
        guard let (choice, older) = choices.first else { return await call("m") }
        let rest = choices.dropFirst()
        switch choice {
        case .variant(let name):
            return try await APIScope(variants: ["m": name], clock: clock).run { try await choose(rest, clock) }
        case .scenario(let scenario):
            return try await APIScope(scenario: scenario, clock: clock).run { try await choose(rest, clock) }
        case .olderVariant, .olderScenario:
            return try await #require(older).run { try await choose(rest, clock) }
        case .scope: return try await APIScope(clock: clock).run { try await choose(rest, clock) }
        case .code(let answer): Mocks.set("m", answer)
        case .reset: Mocks.reset("m")
        case .use(let scenario): try Mocks.use(scenario)
        case .then: _ = await call("switch")
        }
        return try await choose(rest, clock)
    }

    /// The body, or the kind of the error.
    private func call(_ mock: MockName) async -> String {
        do throws(APIError) {
            return String(decoding: try await APIClient().data(for: Route.get("x").mock(mock)), as: UTF8.self)
        } catch { return "\(error.kind)" }
    }
}
