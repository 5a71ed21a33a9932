public import Fingerpost
import FingerpostFiles
import FingerpostShared
public import Foundation

// The mocks of a scope, and the calls that the scope logs.
extension APIScope {
    /// The mocks folder inside the scope; nil for the outer scope's folder, or else the client's.
    public var mocks: URL? { settings.mocks }

    /// The calls made inside the scope: see ``Mocks/calls``.
    public var calls: [LoggedCall] { mockSession?.calls ?? [] }

    /// Creates a scope. A scope affects only work that runs inside it, through `run` or
    /// ``/Fingerpost/APIClient/with(scope:)``.
    ///
    /// - Parameters:
    ///   - environment: the environment inside the scope; nil for the outer scope's environment, or else the client's.
    ///   - network: whether mocks or servers answer calls. With `.sealed`, only mocks answer, whatever the environment
    ///     says. With `.live`, servers answer, and calls fail if the environment is sealed. If nil, the outer scope's
    ///     setting applies, or else the environment's.
    ///   - mocks: the mocks folder; nil for the outer scope's folder, or else the client's.
    ///   - variants: the variants that answer, keyed by the mock's name: `["login": "locked"]` for `login.locked.json`.
    ///   - scenario: the scenario from `_scenarios.json` in the mocks folder; nil for the outer scope's scenario. Calls
    ///     fail if there is no such scenario.
    ///   - clock: the clock for the delays of mocks; by default the system's clock, so that delays take real time.
    ///   - seed: the seed for random delays. Without a seed, a nested scope continues the outer scope's random
    ///     numbers, and the outermost scope has a random seed.
    ///   - secrets: provides the secrets when an environment is loaded inside the scope; nil for the outer scope's
    ///     source, or else the source passed to ``/Fingerpost/Environment/bootstrap(secrets:)``.
    ///   - observers: the observers that are notified of every call inside the scope, in addition to the enclosing
    ///     scopes' observers; none by default.
    public convenience init(
        environment: Environment? = nil, network: Environment.Network? = nil, mocks: URL? = nil,
        variants: [MockName: String] = [:], scenario: MockScenario? = nil,
        clock: any Clock<Duration> = ContinuousClock(), seed: UInt64? = nil,
        secrets: (any SecretSource)? = nil, observers: [any CallObserver] = []
    ) {
        let overrides = MockOverrides(variants: variants, scenario: scenario)
        let values = ScopeValues(clock, seed.map { .init(SeededGenerator(seed: $0)) })
        self.init(MockSession(overrides), values, observers) {
            ($0.environment, $0.network, $0.mocks, $0.secrets) = (environment, network, mocks, secrets)
        }
    }

    /// Creates the scope of a test. The test's name is the seed.
    ///
    /// - Parameter missingSources: the folder of the test's file, if this folder is not on this machine.
    package convenience init(
        environment: Environment?, network: Environment.Network, mocks: URL?, clock: any Clock<Duration>,
        seedOfTest seed: UInt64, missingSources: String? = nil, observers: [any CallObserver] = []
    ) {
        let values = ScopeValues(clock, .init(SeededGenerator(seed: seed), isOfTest: true))
        self.init(MockSession(MockOverrides(), missingSources: missingSources), values, observers) {
            ($0.environment, $0.network, $0.mocks) = (environment, network, mocks)
        }
    }

    /// Returns a copy of this scope with some settings replaced. Both scopes share one log and one set of responses.
    ///
    /// - Parameters:
    ///   - variants: variants to choose in addition to the variants chosen so far.
    ///   - isStrict: true to make ``close()`` report variants that no call used.
    ///   - scenario: the new scenario; nil to keep the scenario.
    ///   - clock: the new clock; nil to keep the clock.
    ///   - set: changes other settings.
    package func with(
        variants: [MockName: String] = [:], isStrict: Bool = false, scenario: MockScenario? = nil,
        clock: (any Clock<Duration>)? = nil, _ set: (inout Settings) -> Void = { _ in }
    ) -> APIScope {
        if let scenario {
            expectTimes()
            overrides?.use(scenario)
        }
        overrides?.choose(variants, isStrict: isStrict)
        return copy(on: clock, set)
    }
}

// The mocks that are chosen in this scope and in the enclosing scopes.
extension APIScope {
    var mockSession: MockSession? { session as? MockSession }

    var overrides: MockOverrides? { mockSession?.overrides }

    /// Sets the scenario for further calls. Nil for no scenario.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the mocks folder has no such scenario.
    func use(_ scenario: MockScenario?) throws(APIError) {
        if let scenario {
            guard let index = try MockIndexes.index(in: mocks) else { throw APIError(scenario: scenario, among: []) }
            _ = try index.changes(of: scenario)
        }
        expectTimes()
        overrides?.use(scenario)
    }

    /// Makes the test fail if calls use the scenario's responses more or less often than the scenario requires.
    private func expectTimes() { overrides?.expectTimes(in: mocks) }
}

// The problems that are reported at the end of a test.
extension APIScope {
    /// Ends the scope, so that later calls fail.
    ///
    /// - Returns: a message for each problem that must fail the test: calls that no mock could answer, mocks that do
    ///   not decode, unused responses of a sequence, and calls that have not finished.
    package func close() -> [String] {
        guard let mockSession else { return [] }
        expectTimes()
        let misspelled = MisspelledMocks.problems(of: mockSession.overrides.names, besides: mocks) { mockSession.calls }
        let explained = Set(misspelled.values)
        // If a call had no mock, the rest of the test probably did not run, so its unused responses are not reported.
        // Misspelled names are still reported, because they may explain the missing mock.
        let lacksMock = mockSession.lacksMock
        let unread = mockSession.overrides.takeUnread(misspelled)
        let problems = mockSession.close() + unread.filter { !lacksMock || explained.contains($0) }
        // If there are other problems, report only those, because they explain more than a misspelled name.
        return problems.isEmpty ? explained.ordered(by: <) : problems
    }

    /// Returns and clears the problems so far, so that ``close()`` does not report the same problems again.
    func takeProblems() -> [String] {
        guard let mockSession else { return [] }
        expectTimes()
        return mockSession.takeProblems() + mockSession.overrides.takeUnread([:])
    }
}
