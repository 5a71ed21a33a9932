import FingerpostFiles
public import Foundation

/// What a test or a preview may change, for the work inside it alone.
///
/// ```swift
/// let scope = APIScope(environment: try Environment.load("Staging"))
/// try await scope.run {
///     try await client.send(GitHub.user(login: "octocat"), as: User.self)      // asks the staging server
/// }
/// ```
///
/// The scope is a task-local value: tasks made inside it inherit it, parallel tests never see each other's, and nothing has
/// to be put back. `Task.detached` and Dispatch queues do not inherit it; a client that was made inside the scope knows it there too, as
/// long as the scope is open, and any other client has to be told:
///
/// ```swift
/// let scope = APIScope.current
/// queue.async { scope?.run { … } }
/// ```
///
/// Tests with Swift Testing or XCTest get a scope for each test case from the library `FingerpostTesting`: use this type where there is
/// no test. ``Mocks`` changes what answers inside the current scope.
public final class APIScope: Sendable {
    /// The scope of the running task.
    @TaskLocal public static var current: APIScope?

    /// The environment inside the scope; nil leaves the one outside.
    public let environment: Environment?
    /// How calls are answered inside the scope; nil leaves it to the environment, and to the scope outside. Under a sealed environment
    /// `live` refuses the calls.
    public let network: Environment.Network?
    /// The folder whose mocks answer inside the scope; nil leaves the one outside.
    public let mocks: URL?
    /// What was set, what was answered already, and chance.
    let playback: MockPlayback
    /// The calls.
    let log: CallLog
    /// The scope around this one.
    let outer: APIScope?
    /// Sees what comes over the network; for recording.
    package let recorder: (any Middleware)?
    /// Why there is no environment, where there should be one: what its calls fail with.
    let failure: APIError?

    /// - Parameters:
    ///   - environment: the environment inside; nil leaves the one outside.
    ///   - network: `.sealed` for mocks alone, whatever the environment says; `.live` for servers, which fails the calls under a sealed
    ///     environment; nil leaves it to the environment.
    ///   - mocks: the folder of the mocks; nil leaves the one outside.
    ///   - variants: which variant of a mock answers, by the mock's name: `["login": "locked"]` for `login.locked.json`.
    ///   - clock: what the delays of mocks sleep on; by default the system's, so that they take their time.
    ///   - seed: of everything that is left to chance: delays between two times, and `uuid`s. By default another each time.
    public convenience init(
        environment: Environment? = nil, network: Environment.Network? = nil, mocks: URL? = nil,
        variants: [MockName: String] = [:], clock: any Clock<Duration> = ContinuousClock(), seed: UInt64? = nil
    ) {
        self.init(
            environment: environment, network: network, mocks: mocks,
            playback: MockPlayback(variants: variants, seed: seed), log: CallLog(clock: clock))
    }

    private init(
        environment: Environment?, network: Environment.Network?, mocks: URL?, playback: MockPlayback, log: CallLog,
        outer: APIScope? = nil, recorder: (any Middleware)? = nil, failure: APIError? = nil
    ) {
        self.environment = environment
        self.network = network
        self.mocks = mocks
        self.playback = playback
        self.log = log
        self.outer = outer
        self.recorder = recorder
        self.failure = failure
    }

    /// The same scope, its calls and answers included, with other settings where they are given.
    ///
    /// - Parameters:
    ///   - isStrict: true when nobody asking for a variant is a problem that ``close()`` tells.
    ///   - failure: why there is no environment; calls fail with it until there is one.
    package func with(
        environment: Environment? = nil, network: Environment.Network? = nil, mocks: URL? = nil,
        variants: [MockName: String] = [:], isStrict: Bool = false, recorder: (any Middleware)? = nil,
        failure: EnvironmentError? = nil
    ) -> APIScope {
        playback.choose(variants, isStrict: isStrict)
        return APIScope(
            environment: environment ?? self.environment, network: network ?? self.network, mocks: mocks ?? self.mocks,
            playback: playback, log: log, outer: outer, recorder: recorder ?? self.recorder,
            failure: environment == nil ? failure.map { APIError($0) } ?? self.failure : nil)
    }

    /// What holds inside: what this scope says, and for the rest what holds outside.
    private var inside: APIScope {
        guard let outside = Self.current, outside.log !== log else { return self }
        return APIScope(
            environment: environment ?? outside.environment, network: network ?? outside.network,
            mocks: mocks ?? outside.mocks, playback: playback, log: log, outer: outside,
            // Another environment's answers are not those that are being recorded.
            recorder: recorder ?? (environment == nil ? outside.recorder : nil),
            failure: failure ?? (environment == nil ? outside.failure : nil))
    }

    private func enter() -> APIScope {
        log.enter()
        return inside
    }

    private func leave() {
        log.leave()
        outer?.playback.adopt(playback)
    }

    /// Makes this the scope of the running task, and its environment the current one.
    private func bind<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self) { try Environment.$scoped.withValue(environment, operation: body) }
    }

    func bind<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(self) {
            try await Environment.$scoped.withValue(environment, operation: body)
        }
    }

    /// Runs synchronous work inside the scope.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let inside = enter()
        defer { inside.leave() }
        return try inside.bind(body)
    }

    /// Runs asynchronous work inside the scope.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let inside = enter()
        defer { inside.leave() }
        return try await inside.bind(body)
    }

    /// True while work runs inside.
    var isOpen: Bool { log.isOpen }

    /// True when a test that it belongs to has ended.
    var isClosed: Bool { chain.contains { $0.log.isClosed } }

    /// What code set for a mock, the nearest scope first.
    ///
    /// - Returns: with the playback that it was set in, which knows how far it has come.
    func answer(for mock: MockName) -> (answer: MockAnswer, id: Int, owner: MockPlayback)? {
        for scope in chain {
            if let (answer, id) = scope.playback.answer(for: mock) { return (answer, id, scope.playback) }
        }
        return nil
    }

    /// The variant of a mock: the newest choice of this scope and those around it.
    func variant(of mock: MockName) -> String? { choice(of: mock)?.choice.variant }

    /// The same for a call that it answers, which is what a choice is made for.
    func takeVariant(of mock: MockName) -> String? {
        guard let (choice, owner) = choice(of: mock) else { return nil }
        if choice.isChosen { owner.markUsed(mock) }
        return choice.variant
    }

    private func choice(of mock: MockName) -> (choice: MockPlayback.Choice, owner: MockPlayback)? {
        var newest: (choice: MockPlayback.Choice, owner: MockPlayback)?
        for scope in chain {
            guard let choice = scope.playback.variant(of: mock) else { continue }
            if newest.map({ $0.choice.time < choice.time }) ?? true { newest = (choice, scope.playback) }
        }
        return newest
    }

    /// What the folder's mocks remember: their sequences go on, and their `then` holds, in the scopes around that have the same folder.
    var memory: MockPlayback {
        var scope = self
        while let outer = scope.outer, outer.mocks == mocks { scope = outer }
        return scope.playback
    }

    /// Chance, by the nearest seed.
    var chance: MockPlayback { chain.first { $0.playback.isSeeded }?.playback ?? memory }

    /// True while the scope is recorded, for a route whose answer the test sets or chooses: that is no server's.
    func isKept(_ route: Route) -> Bool {
        guard recorder != nil, let mock = route.mock else { return false }
        return answer(for: mock) != nil || variant(of: mock) != nil
    }

    /// Mocks that something was set for, although neither a file nor a call has that name and one of them is near: slips.
    private func slips() -> [String] {
        let called = log.calls.map { MockName(rawValue: $0.name) }
        // What is wrong with the folder is told by the calls that need it.
        let folder = mocks.flatMap { try? OpenedMockFolders.folder(at: $0) }
        let unknown = playback.names.filter { !called.contains($0) && folder?.contains($0.rawValue) != true }
        if unknown.isEmpty { return [] }
        let names = called.map(\.rawValue) + (folder?.mockNames ?? [])
        return unknown.compactMap { mock in
            guard let meant = NearestName.find(mock.rawValue, in: names) else { return nil }
            return "mock \"\(mock)\": the test sets what answers it, and neither a file nor a call has that name"
                + " (did you mean \"\(meant)\"?)"
        }.sorted()
    }

    /// Ends the scope: calls that come later are refused.
    ///
    /// - Returns: what a test should not pass with, each in words: calls that no mock could answer, mocks that do not decode, answers
    ///   of a sequence that nobody asked for, calls that are still under way.
    package func close() -> [String] {
        let problems = log.close() + playback.takeUnread()
        // A call that failed says more.
        return problems.isEmpty ? slips() : problems
    }

    /// The calls inside: see ``Mocks/calls``.
    public var calls: [LoggedCall] { log.calls }

    /// What is wrong so far, which ``close()`` then does not say again.
    package func takeProblems() -> [String] { log.takeProblems() + playback.takeUnread() }

    /// True for the scope itself, and for all that run in it.
    func isInside(_ other: APIScope) -> Bool { chain.contains { $0.log === other.log } }

    /// The scopes from this one outwards.
    var chain: some Sequence<APIScope> { sequence(first: self, next: \.outer) }
}
