import FingerpostFiles
public import Foundation

/// The settings that a test or a preview may change for the work that runs inside the scope: environment, network,
/// mocks, clock and seed. The scope also logs the calls.
///
/// ```swift
/// let scope = APIScope(environment: try APIEnvironment.load("Staging"))
/// try await scope.run {
///     try await client.send(GitHub.user(login: "octocat"), as: User.self)      // calls the staging server
/// }
/// ```
///
/// The scope is a task-local value: tasks created inside it inherit it, parallel tests do not share it, and nothing has
/// to be restored afterwards. Detached tasks and Dispatch queues do not inherit the scope. Even in detached tasks and
/// on Dispatch queues, a client that was created inside the scope uses the scope while it is open. For other clients,
/// pass the scope on:
///
/// ```swift
/// let scope = APIScope.current
/// queue.async { scope?.run { … } }
/// ```
///
/// In tests with Swift Testing or XCTest the library `FingerpostTesting` gives each test case a scope, so use this type
/// only outside tests. ``Mocks`` sets answers in the current scope. In an app on the product `FingerpostCore`, no call
/// can use what a scope sets for mocks, and the scope does not report that no call used it.
public final class APIScope: Sendable {
    /// The scope of the running task; nil outside any scope.
    @TaskLocal public static var current: APIScope?

    /// The clock of the running task's scope: virtual in a test that mocks answer, so that the app's own waits take no
    /// time there. In a test that servers answer, and outside any scope, it is the system's clock.
    ///
    /// ```swift
    /// try await APIScope.clock.sleep(for: .milliseconds(300))        // before a search as one types
    /// ```
    public static var clock: any Clock<Duration> { current?.time.clock ?? ContinuousClock() }

    /// What a scope can set. Each setting that is nil has the value of the enclosing scope.
    package struct Settings: Sendable {
        package var environment: Environment?
        package var network: Environment.Network?
        package var mocks: URL?
        /// Gives the secrets of environments that are loaded inside the scope.
        var secrets: (any SecretSource)?
        /// Receives the responses from the network, to record them.
        package var recorder: (any Middleware)?
        /// Why the environment could not be loaded; calls fail with this error.
        package var failure: EnvironmentError?

        /// These settings, with those of the enclosing scope for the ones that are not set.
        func inheriting(_ outer: Settings) -> Settings {
            var settings = self
            settings.network = network ?? outer.network
            settings.mocks = mocks ?? outer.mocks
            settings.secrets = secrets ?? outer.secrets
            if environment != nil {
                // The outer recorder records its own environment, so do not let it record the answers of another one.
                settings.failure = nil
            } else {
                settings.environment = outer.environment
                settings.recorder = recorder ?? outer.recorder
                settings.failure = failure ?? outer.failure
            }
            return settings
        }
    }

    /// The environment inside the scope; nil for the outer scope's environment, or else the client's.
    public var environment: Environment? { settings.environment }
    /// Whether mocks or servers answer inside the scope; nil for the outer scope's setting, or else the environment's.
    /// The stricter of this setting and the environment's setting applies, except that calls fail if this setting is
    /// `live` and the environment is sealed.
    public var network: Environment.Network? { settings.network }
    /// The mocks folder inside the scope; nil for the outer scope's folder, or else the client's.
    public var mocks: URL? { settings.mocks }
    package let settings: Settings
    /// What was chosen for mocks, and the random generator.
    let choices: MockChoices
    /// The calls made inside the scope.
    let log: CallLog
    let time: ScopeTime
    /// The enclosing scope.
    let outer: APIScope?

    /// Creates a scope. A scope affects only work that runs inside it, through `run` or ``APIClient/with(scope:)``.
    ///
    /// - Parameters:
    ///   - environment: the environment inside the scope; nil for the outer scope's environment, or else the client's.
    ///   - network: `.sealed` for mocks only, regardless of the environment. `.live` for servers; calls fail if the
    ///     environment is sealed. nil for the outer scope's setting, or else the environment's.
    ///   - mocks: the mocks folder; nil for the outer scope's folder, or else the client's.
    ///   - variants: the variants that answer, keyed by the mock's name: `["login": "locked"]` for `login.locked.json`.
    ///   - scenario: the scenario from `_scenarios.json` in the mocks folder; nil for the outer scope's scenario. Calls
    ///     fail if there is no such scenario.
    ///   - clock: the clock for the delays of mocks; by default the system's clock, so that delays take real time.
    ///   - seed: the seed for random delays and for each `uuid` that a mock fills in. Without a seed, a nested scope
    ///     continues the outer scope's random numbers, and the outermost scope has a random seed.
    ///   - secrets: gives the secrets of environments that are loaded inside the scope; nil for the outer scope's
    ///     source, or else that of ``Environment/bootstrap(secrets:)``.
    ///   - observers: receive every call inside the scope, besides the enclosing scopes' observers; none by default.
    public convenience init(
        environment: Environment? = nil, network: Environment.Network? = nil, mocks: URL? = nil,
        variants: [MockName: String] = [:], scenario: MockScenario? = nil,
        clock: any Clock<Duration> = ContinuousClock(), seed: UInt64? = nil,
        secrets: (any SecretSource)? = nil, observers: [any CallObserver] = []
    ) {
        self.init(
            Settings(environment: environment, network: network, mocks: mocks, secrets: secrets),
            MockChoices(variants: variants, scenario: scenario, seed: seed.map { .given($0) }),
            CallLog(observers: observers), ScopeTime(clock))
    }

    /// Creates the scope of a test, whose name is the seed.
    package convenience init(
        environment: Environment?, network: Environment.Network, mocks: URL?, clock: any Clock<Duration>,
        seedOfTest seed: UInt64
    ) {
        self.init(
            Settings(environment: environment, network: network, mocks: mocks), MockChoices(seed: .ofTest(seed)),
            CallLog(observers: []), ScopeTime(clock))
    }

    private init(
        _ settings: Settings, _ choices: MockChoices, _ log: CallLog, _ time: ScopeTime, in outer: APIScope? = nil
    ) {
        self.settings = settings
        self.choices = choices
        self.log = log
        self.time = time
        self.outer = outer
    }

    /// Returns a copy of this scope with some settings replaced. Both scopes share one log and one set of answers.
    ///
    /// - Parameters:
    ///   - variants: variants to choose in addition to the variants chosen so far.
    ///   - isStrict: true to make ``close()`` report variants that no call used.
    ///   - scenario: the scenario in place of the scenario so far; nil to keep it.
    ///   - observers: observers in addition to those so far.
    ///   - clock: the clock in place of the clock so far; nil to keep it.
    ///   - set: sets the new settings. All others keep their values.
    package func with(
        variants: [MockName: String] = [:], isStrict: Bool = false, scenario: MockScenario? = nil,
        observers: [any CallObserver] = [], clock: (any Clock<Duration>)? = nil,
        _ set: (inout Settings) -> Void = { _ in }
    ) -> APIScope {
        if let scenario {
            expectTimes()
            choices.use(scenario)
        }
        log.observe(observers)
        choices.choose(variants, isStrict: isStrict)
        var new = Settings()
        set(&new)
        return APIScope(new.inheriting(settings), choices, log, clock.map { ScopeTime($0) } ?? time, in: outer)
    }

    /// This scope, with unset settings inherited from the current scope.
    private var inside: APIScope {
        guard let outside = Self.current, outside.log !== log else { return self }
        return APIScope(settings.inheriting(outside.settings), choices, log, time, in: outside)
    }

    private func enter() -> APIScope {
        log.enter()
        return inside
    }

    private func leave() {
        log.leave()
        guard let outer else { return }
        expectTimes()
        if let state = choices.state { outer.choices.state?.adopt(state) }
    }

    /// Makes this the current task's scope, and the scope's environment ``Environment/current``.
    func bind<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self) {
            try Environment.$scoped.withValue(environment) {
                guard let secrets = settings.secrets else { return try body() }
                return try Environment.$scopedSecrets.withValue(secrets, operation: body)
            }
        }
    }

    func bind<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(self) {
            try await Environment.$scoped.withValue(environment) {
                guard let secrets = settings.secrets else { return try await body() }
                return try await Environment.$scopedSecrets.withValue(secrets, operation: body)
            }
        }
    }

    /// Runs synchronous work inside the scope. This method may be called several times, even concurrently.
    ///
    /// - Returns: the result of `body`. An error that `body` throws is rethrown.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let inside = enter()
        defer { inside.leave() }
        return try inside.bind(body)
    }

    /// Runs asynchronous work inside the scope, on the caller's actor.
    ///
    /// - Returns: the result of `body`. An error that `body` throws is rethrown.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let inside = enter()
        defer { inside.leave() }
        return try await inside.bind(body)
    }

    /// True while work runs inside the scope.
    var isOpen: Bool { log.isOpen }

    /// True when the test of this scope or of an enclosing scope has ended.
    var isClosed: Bool { chain.contains { $0.log.isClosed } }

    /// The answer set in code for a mock, from the innermost scope that has an answer for it.
    ///
    /// - Returns: the answer, its identifier, and the choices that it belongs to.
    package func answer(for mock: MockName) -> (answer: MockAnswer, id: Int64, owner: MockChoices)? {
        for scope in chain {
            if let (answer, id) = scope.choices.answer(for: mock) { return (answer, id, scope.choices) }
        }
        return nil
    }

    /// True if the test's code may make an answer. Asked once per call, without looking for the call's own answer.
    var runsCode: Bool { chain.contains { $0.choices.runsCode } }

    /// The variant of a mock: the latest choice in this scope and the enclosing scopes.
    package func variant(of mock: MockName) -> String? { latestChoices(of: mock).variant?.choice.name }

    /// What was chosen last for a mock, in this scope and the enclosing scopes.
    package func latestChoices(of mock: MockName) -> MockChoices.Latest {
        var latest = choices.latest(of: mock)
        for scope in chain.dropFirst() { latest.add(scope.choices.latest(of: mock)) }
        return latest
    }

    /// - Throws: ``APIError`` if the mocks folder has no such scenario.
    private func check(_ scenario: MockScenario) throws(APIError) {
        let names = try MockScenario.names(in: mocks)
        if names.contains(where: scenario.rawValue.isSame) { return }
        throw APIError(scenario: scenario, among: names)
    }

    /// Sets the scenario for further calls; nil for none.
    ///
    /// - Throws: ``APIError`` if the mocks folder has no such scenario.
    func use(_ scenario: MockScenario?) throws(APIError) {
        if let scenario { try check(scenario) }
        expectTimes()
        choices.use(scenario)
    }

    /// Requires that calls use the answers of the scenario as often as it says.
    private func expectTimes() { choices.state?.expectTimes(in: mocks) }

    /// Where positions in sequences, counts and switched variants of the mocks in the folder belong. Enclosing scopes
    /// with the same folder share them.
    package var memory: MockChoices {
        var scope = self
        while let outer = scope.outer, outer.mocks == mocks { scope = outer }
        return scope.choices
    }

    /// The random generator where mocks answer: the innermost one with a seed, or else that of `memory`.
    package var chance: Chance { chain.first { $0.choices.chance.seed != nil }?.choices.chance ?? memory.chance }

    /// The random generator where a server answers; nil for the system's generator. The name of a test is no seed here:
    /// a server would take the second run of the test for the first.
    var chanceOfServer: Chance? {
        chain.first { if case .given? = $0.choices.chance.seed { true } else { false } }?.choices.chance
    }

    /// True for a route that must not be recorded because the test sets its answer or its variant.
    func isKept(_ route: Route) -> Bool {
        // If the name of the mock cannot be read, the recorder reports it.
        guard settings.recorder != nil, let names = try? route.mockNames else { return false }
        return chain.contains { $0.choices.scenario != nil }
            || names.contains { answer(for: $0) != nil || variant(of: $0) != nil }
    }

    /// The problems of mocks whose names are probably typos.
    private var misspelled: [MockName: String] {
        MisspelledMocks.problems(of: choices.names, besides: mocks) { log.calls }
    }

    /// Ends the scope: later calls fail.
    ///
    /// - Returns: messages for the problems that a test must fail for: calls that no mock could answer, mocks that do
    ///   not decode, unused answers of a sequence, and calls still in progress.
    package func close() -> [String] {
        expectTimes()
        let misspelled = misspelled
        let explained = Set(misspelled.values)
        // What follows a missing mock does not run, so only a misspelled name tells more about its cause.
        let lacksMock = log.lacksMock
        let unread = choices.state?.takeUnread(misspelled) ?? []
        let problems = log.close() + unread.filter { !lacksMock || explained.contains($0) }
        // If there are other problems, report only those: they explain more than a misspelled name does.
        return problems.isEmpty ? explained.sorted() : problems
    }

    /// The calls made inside the scope: see ``Mocks/calls``.
    public var calls: [LoggedCall] { log.calls }

    /// The observers of this scope and of the enclosing scopes.
    var observers: [any CallObserver] {
        var observers: [any CallObserver] = []
        var logs: [CallLog] = []
        // A scope may be nested in itself.
        for scope in chain {
            let own = scope.log.observers
            if own.isEmpty || logs.contains(where: { $0 === scope.log }) { continue }
            logs.append(scope.log)
            observers += own
        }
        return observers
    }

    /// Returns the problems so far and clears them, so that ``close()`` does not report them again.
    func takeProblems() -> [String] {
        expectTimes()
        return log.takeProblems() + (choices.state?.takeUnread([:]) ?? [])
    }

    /// True if ``close()`` would return problems now.
    package var hasProblems: Bool {
        expectTimes()
        return log.hasProblems || choices.state?.hasUnread == true || !misspelled.isEmpty
    }

    /// True when this scope is the other scope or is nested in it.
    func isInside(_ other: APIScope) -> Bool { chain.contains { $0.log === other.log } }

    /// This scope and the enclosing scopes, innermost first.
    var chain: Chain { Chain(scope: self) }

    /// A scope and the scopes that enclose it.
    struct Chain: Sequence, IteratorProtocol {
        fileprivate var scope: APIScope?

        mutating func next() -> APIScope? {
            defer { scope = scope?.outer }
            return scope
        }
    }
}

extension APIError {
    /// Creates the error for a scenario that a mocks folder does not have.
    package init(scenario: MockScenario, among names: [String]) {
        self.init(
            .mock, "there is no scenario \"\(scenario)\"" + NearestName.hint(scenario.rawValue, in: names),
            fix: names.isEmpty
                ? "add _scenarios.json to the mocks folder"
                : "use \(names.joined(separator: ", ")), or add it to _scenarios.json")
    }
}

extension APIScope: CustomReflectable {
    /// The settings and the calls of the scope. Answers set in code are left out because they can contain secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "environment": environment as Any, "network": network as Any, "mocks": mocks as Any, "calls": calls,
            ],
            displayStyle: .class)
    }
}
