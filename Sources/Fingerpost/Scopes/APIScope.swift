import FingerpostFiles
package import Foundation

/// The settings that a test or a preview may change for the work that runs inside the scope: environment, network,
/// clock, secrets and observers.
///
/// ```swift
/// let scope = APIScope(environment: try APIEnvironment.load("Staging"))
/// let user = try await scope.run {
///     try await client.send(GitHub.user(login: "octocat"), as: User.self)      // calls the staging server
/// }
/// ```
///
/// The scope is a task-local value: tasks created inside the scope inherit it, parallel tests do not share it, and
/// nothing has to be restored afterwards. Detached tasks and Dispatch queues do not inherit the scope, so pass it to
/// them:
///
/// ```swift
/// let scope = APIScope.current
/// queue.async { scope?.run { load() } }
/// ```
///
/// With `import FingerpostMocks`, a scope also has a mocks folder, variants, a scenario and a seed, and it logs its
/// calls. While work runs in the scope, a client that was created in the scope uses the scope even in detached tasks
/// and on Dispatch queues.
///
/// In tests with Swift Testing or XCTest, the product `FingerpostTesting` gives each test case a scope, so use this
/// type only outside tests.
public final class APIScope: Sendable {
    /// The scope of the running task; nil outside any scope.
    @TaskLocal public static var current: APIScope?

    /// The clock of the running task's scope. If only mocks answer a test's calls, the test's clock is virtual, so that
    /// the app's own waits take no time. The system's clock is used if servers can answer the test's calls, and outside
    /// any scope.
    ///
    /// ```swift
    /// try await APIScope.clock.sleep(for: .milliseconds(300))        // waits until typing pauses
    /// ```
    public static var clock: any Clock<Duration> { current?.values.clock ?? ContinuousClock() }

    /// The settings of a scope. If a setting is nil, the setting of the enclosing scope applies.
    package struct Settings: Sendable {
        package var environment: Environment?
        package var network: Environment.Network?
        /// The mocks folder.
        package var mocks: URL?
        /// Provides the secrets of environments that are loaded inside the scope.
        package var secrets: (any SecretSource)?
        /// Records the responses from the network.
        package var recorder: (any Middleware)?
        /// Why the environment could not be loaded; calls fail with this error.
        package var failure: EnvironmentError?

        /// Returns these settings, completed by the settings of the enclosing scope.
        func inheriting(_ outer: Settings) -> Settings {
            var settings = self
            settings.network = network ?? outer.network
            settings.mocks = mocks ?? outer.mocks
            settings.secrets = secrets ?? outer.secrets
            // A recorder also receives calls to other environments, because it must refuse calls that change data
            // there.
            settings.recorder = recorder ?? outer.recorder
            if environment != nil {
                settings.failure = nil
            } else {
                settings.environment = outer.environment
                settings.failure = failure ?? outer.failure
            }
            return settings
        }
    }

    /// The environment inside the scope. If this setting is nil, the outer scope's environment applies, or else the
    /// client's.
    public var environment: Environment? { settings.environment }
    /// Whether mocks or servers answer inside the scope. If this setting is nil, the outer scope's setting applies, or
    /// else the environment's. If both this setting and the environment's are set, the stricter one applies. If this
    /// setting is `live` and the environment is sealed, calls fail.
    public var network: Environment.Network? { settings.network }
    package let settings: Settings
    package let session: any ScopeSession
    let values: ScopeValues
    /// The scope's own observers.
    let ownObservers: [any CallObserver]
    /// The enclosing scope.
    package let outer: APIScope?

    /// Creates a scope. A scope affects only work that runs inside it, through `run` or ``APIClient/with(scope:)``.
    ///
    /// - Parameters:
    ///   - environment: the environment inside the scope. If this argument is nil, the outer scope's environment
    ///     applies, or else the client's.
    ///   - network: with `.sealed`, only mocks answer, regardless of the environment. With `.live`, servers answer, and
    ///     calls fail if the environment is sealed. If this argument is nil, the outer scope's setting applies, or else
    ///     the environment's.
    ///   - clock: the clock of calls; by default the system's.
    ///   - secrets: provides the secrets of environments that are loaded inside the scope. If this argument is nil, the
    ///     outer scope's source applies, or else the source of ``Environment/bootstrap(secrets:)``.
    ///   - observers: are notified of every call inside the scope, in addition to the enclosing scopes' observers; none
    ///     by default.
    public convenience init(
        environment: Environment? = nil, network: Environment.Network? = nil,
        clock: any Clock<Duration> = ContinuousClock(), secrets: (any SecretSource)? = nil,
        observers: [any CallObserver] = []
    ) {
        let session = LinkedClass.mockEngine.value?.newSession() ?? NoSession()
        self.init(session, ScopeValues(clock), observers) {
            ($0.environment, $0.network, $0.secrets) = (environment, network, secrets)
        }
    }

    /// - Parameter set: changes the settings.
    package init(
        _ session: any ScopeSession, _ values: ScopeValues, _ observers: [any CallObserver],
        in outer: APIScope? = nil, _ set: (inout Settings) -> Void
    ) {
        var settings = Settings()
        set(&settings)
        (self.settings, self.session, self.values) = (settings, session, values)
        (ownObservers, self.outer) = (observers, outer)
    }

    /// Returns a copy of this scope with some settings replaced. Both scopes share one session.
    ///
    /// - Parameters:
    ///   - clock: the new clock; nil to keep the clock.
    ///   - set: changes the settings.
    package func copy(on clock: (any Clock<Duration>)?, _ set: (inout Settings) -> Void) -> APIScope {
        let values = clock.map { ScopeValues($0, self.values.seed) } ?? self.values
        return APIScope(session, values, ownObservers, in: outer) {
            set(&$0)
            $0 = $0.inheriting(settings)
        }
    }

    /// This scope, with unset settings inherited from the current scope.
    private var inside: APIScope {
        guard let outside = Self.current, !isSame(as: outside) else { return self }
        return APIScope(session, values, ownObservers, in: outside) { $0 = settings.inheriting(outside.settings) }
    }

    /// Runs synchronous work inside the scope. This method may be called several times, even concurrently.
    ///
    /// - Returns: the result of `body`. An error that `body` throws is rethrown.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let inside = inside
        session.enter()
        defer { session.leave(inside) }
        return try inside.bind(body)
    }

    /// Runs asynchronous work inside the scope, on the caller's actor.
    ///
    /// - Returns: the result of `body`. An error that `body` throws is rethrown.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let inside = inside
        session.enter()
        defer { session.leave(inside) }
        return try await inside.bind(body)
    }

    /// Sets this scope as the current task's scope, and the scope's environment as ``Environment/current``.
    package func bind<Result>(_ body: () throws -> Result) rethrows -> Result {
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

    /// Returns true if both scopes share one session. Copies of one scope do, even if their settings or outer scopes
    /// differ.
    private func isSame(as other: APIScope) -> Bool { session === other.session }

    /// True if this scope is the other scope, or is nested in the other scope.
    func isInside(_ other: APIScope) -> Bool { chain.contains { $0.isSame(as: other) } }

    /// This scope and the enclosing scopes, innermost first.
    package var chain: UnfoldFirstSequence<APIScope> { sequence(first: self, next: \.outer) }

    /// This scope and the enclosing scopes without duplicates, because a scope may be nested in itself.
    private var distinct: [APIScope] {
        guard outer != nil else { return [self] }
        var scopes: [APIScope] = []
        for scope in chain where !scopes.contains(where: scope.isSame) { scopes.append(scope) }
        return scopes
    }

    /// The observers of this scope and of the enclosing scopes.
    var observers: [any CallObserver] { distinct.flatMap(\.ownObservers) }

    /// Adds a new call to the logs of this scope and of the enclosing scopes.
    func began(_ call: CallRecord) { for scope in distinct { scope.session.began(call) } }
}

extension APIScope? {
    /// Creates a random value for a call. The random numbers come from the innermost scope that has a seed, or else
    /// from the system. If the call goes to a server, a test's name does not count as a seed, because the server could
    /// mistake the second run of the test for the first.
    package func random<Value: Sendable>(
        isLive: Bool, _ make: @Sendable (inout any RandomNumberGenerator) -> Value
    ) -> Value {
        let seed = self?.chain.lazy.compactMap(\.values.seed).first { !isLive || !$0.isOfTest }
        if let seed { return seed.numbers.withLock { make(&$0) } }
        var numbers: any RandomNumberGenerator = SystemRandomNumberGenerator()
        return make(&numbers)
    }
}

extension Environment.Network {
    /// The stricter of two network settings: the environment's and the scope's.
    static func strictest(_ environment: Environment?, _ scope: APIScope?) -> Self {
        max(environment?.network ?? .live, scope?.network ?? .live)
    }
}

extension APIScope: CustomReflectable {
    /// The settings of the scope, without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "environment": environment as Any, "network": network as Any, "mocks": settings.mocks as Any,
                "session": session,
            ], displayStyle: .class)
    }
}

extension CallSecrets {
    /// The secrets of the current environment; empty until the environment is loaded.
    ///
    /// The descriptions of routes and of responses use these secrets.
    static var inForce: CallSecrets { CallSecrets(APIScope.current?.environment ?? ProcessEnvironment.current.loaded) }
}
