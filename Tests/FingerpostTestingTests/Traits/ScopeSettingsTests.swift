@testable import FingerpostTesting

@Suite(.inTurn) struct ScopeSettingsTests {
    private func scope(_ settings: ScopeSettings = ScopeSettings(), mode: MockMode) throws -> APIScope {
        var settings = settings
        settings.recording = mode == .serve ? nil : RecordingSettings()
        return try settings.scope(file: #filePath, seed: "seed", mode: mode, variables: [:])
    }

    @Test(arguments: [true, false]) func `A missing mock is reported once`(isThrown: Bool) async throws {
        var settings = ScopeSettings()
        settings.network = .sealed
        let reported = Locked<[String]>([])
        let report = { (text: String) in reported.withLock { $0.append(text) } }
        let scope = TestScope(settings)
        var thrown: (any Error)?
        do {
            try await scope.run(file: #filePath, seed: "", report: report) {
                do { _ = try await APIClient().data(for: Route.get("a").mock("none-such")) } catch {
                    if isThrown { throw error }
                }
            }
        } catch {
            thrown = error
        }
        let texts = reported.withLock(\.self)
        #expect((thrown != nil, texts.count) == (isThrown, isThrown ? 0 : 1), "\(texts)")
    }

    private static let modes: [MockMode] = [.record(environment: "Staging"), .drift(environment: "Staging")]

    @Test(arguments: modes, [nil, .sealed, .live] as [Environment.Network?])
    func `A test that records calls the environment that MOCKS names, and others are as without MOCKS`(
        mode: MockMode, network: Environment.Network?
    ) throws {
        var settings = ScopeSettings()
        settings.network = network
        let recording = try scope(settings, mode: mode)
        let other = try settings.scope(file: #filePath, seed: "seed", mode: mode, variables: [:])
        let isComparing = recording.settings.recorder.map { $0 is ComparingRecorder }
        let found = (
            recording.environment?.name, recording.network, isComparing, other.environment?.name, other.network,
            other.settings.recorder == nil
        )
        #expect(found == ("Staging", .live, mode == Self.modes[1], "Testing", network ?? .sealed, true))
    }

    @Test func `The innermost folder is recorded, in any order of the traits`() throws {
        func folder(_ traits: ScopeTrait...) throws -> String? {
            let settings = traits[0].settings.recording(with: traits.map(\.settings))
            return try settings.scope(file: #filePath, seed: "", mode: Self.modes[1], variables: [:]).settings.mocks?
                .lastPathComponent
        }
        let folders = try [
            folder(.recording, .mocks(folder: "A")), folder(.mocks(folder: "A"), .recording),
            folder(.recording(folder: "A"), .mocks(folder: "B")),
            folder(.mocks(folder: "A"), .recording(folder: "B"), .mocks),
        ]
        let recording = ScopeTrait.mocks(folder: "A").settings.recording(with: [.init()]).recording
        #expect((folders, recording == nil) == (["A", "A", "B", "B"], true))
    }

    @Test func `A recorder of a comparison needs no MOCKS_FORCE`() throws {
        for mode in Self.modes {
            var settings = ScopeSettings()
            settings.recording = RecordingSettings()
            let scope = try? settings.scope(file: #filePath, seed: "seed", mode: mode, variables: ["CI": "1"])
            #expect((scope != nil) == (mode == Self.modes[1]))
        }
    }

    @Test func `A recording of an environment that answers from mocks is refused`() throws {
        for mode in [MockMode.record, MockMode.drift] {
            let problem = #expect(throws: FileProblem.self) { try scope(mode: mode("Testing")) }
            #expect(
                problem?.description == """
                    environment variable MOCKS: error: "Testing" is an environment that answers from mocks. Fix: \
                    name an environment whose "$network" is live
                    """)
            #expect(throws: EnvironmentError.self) { try scope(mode: mode("Stagin")) }
        }
    }

    private static let networks: [Environment.Network?] = [nil, .sealed, .live, .mocksThenLive]

    @Test func `Waits take real time where a server may answer, whichever trait says so last`() throws {
        func isVirtual(_ scope: APIScope) -> Bool { scope.run { APIScope.clock is VirtualClock } }
        var wrong: [String] = []
        if isVirtual(try scope(mode: .record(environment: "Staging"))) { wrong.append("recording") }
        for outer in Self.networks {
            var settings = ScopeSettings()
            settings.network = outer
            let scope = try scope(settings, mode: .serve)
            if isVirtual(scope) != (outer ?? .sealed == .sealed) { wrong.append("\(outer as Any)") }
            for inner in Self.networks {
                settings.network = inner
                let last = inner ?? outer ?? .sealed
                if isVirtual(try scope.with(settings)) != (last == .sealed) {
                    wrong.append("\(outer as Any), \(inner as Any)")
                }
            }
        }
        #expect(wrong == [])
    }

    /// A client whose transport is the server. It waits long: all tests of the process run at once.
    private static func client() throws -> APIClient {
        try APIClient {
            $0.transport = StubTransport(200, [:], "{}")
            $0.timeout = .seconds(240)
        }
    }

    /// The idempotency keys of one run of a test: of a call that has a mock, and of one that has none.
    private func keys(_ make: () throws -> APIScope) async throws -> (mocked: String?, other: String?) {
        let scope = try make()
        return try await scope.run {
            let client = try Self.client()
            if scope.network != .live { Mocks.set("order", .json("{}")) }
            _ = try await client.data(for: Route.post("orders").idempotencyKey().mock("order"))
            if scope.network != .sealed {
                _ = try await client.data(for: Route.post("orders").idempotencyKey().mock(.unmocked))
            }
            let keys = scope.calls.map { $0.request.value(forHTTPHeaderField: "Idempotency-Key") }
            #expect(
                scope.calls.map { $0.source == .network } == Array([scope.network == .live, true].prefix(keys.count)))
            return (keys[0], keys.count > 1 ? keys[1] : nil)
        }
    }

    @Test(arguments: networks, networks)
    func `Random values are those of the test where mocks answer, and new where a server answers`(
        outer: Environment.Network?, inner: Environment.Network?
    ) async throws {
        func run(seed: String) async throws -> (mocked: String?, other: String?) {
            try await keys {
                var settings = ScopeSettings()
                (settings.environment, settings.network) = ("Staging", outer)
                let scope = try settings.scope(file: #filePath, seed: seed, mode: .serve, variables: [:])
                settings.network = inner
                return try scope.with(settings)
            }
        }
        let (first, second) = (try await run(seed: "seed"), try await run(seed: "seed"))
        let other = try await run(seed: "other")
        let last = inner ?? outer ?? .sealed
        let isServed = last != .sealed
        let found = (
            first.mocked?.count, other.mocked == first.mocked, first.mocked == second.mocked, first.other?.count,
            first.other == second.other
        )
        #expect(found == (36, false, last != .live, isServed ? 36 : nil, !isServed))
    }

    @Test func `Random values are new in a recording, but for the mocks that the test sets`() async throws {
        func run() async throws -> [String?] {
            let scope = try scope(mode: .record(environment: "Staging"))
            // The recorder would write what the server answers.
            let answered = scope.with { $0.recorder = ClosureMiddleware { try await $2($0) } }
            return try await answered.run {
                let client = try Self.client()
                Mocks.set("set", .json("{}"))
                for mock: MockName in ["set", "order"] {
                    _ = try await client.data(for: Route.post("orders").idempotencyKey().mock(mock))
                }
                return answered.calls.map { $0.request.value(forHTTPHeaderField: "Idempotency-Key") }
            }
        }
        let (first, second) = (try await run(), try await run())
        #expect(first[0] == second[0] && first[1] != second[1])
    }

    @Test func `A seed that code gives holds where a server answers, too`() async throws {
        func run() async throws -> String? {
            var settings = ScopeSettings()
            (settings.environment, settings.network) = ("Staging", .live)
            let scope = try scope(settings, mode: .serve)
            return try await scope.run { try await keys { APIScope(network: .live, seed: 7) }.mocked }
        }
        let (first, second) = (try await run(), try await run())
        #expect(first != nil && first == second)
    }
}
