import FingerpostFiles
import Foundation

/// Who answers the calls of a client.
///
/// It is decided once per call, before anything is built, by the first row that applies:
///
/// | Situation | Who answers |
/// |---|---|
/// | The scope's test has ended | nobody: the call fails |
/// | A test process with `FingerpostTesting`, and the call has no scope, the client neither an environment nor a base URL alone | nobody |
/// | There is no environment, or its file is broken, and the client needs one | nobody |
/// | The scope wants the network, and the environment is sealed | nobody |
/// | The environment or the scope is `live` | the network |
/// | The same, while the scope records and the test sets an answer | mocks |
/// | A release build outside of tests and previews, sealed by nothing but the description `Testing` | nobody |
/// | `sealed` | mocks |
/// | `mocksThenLive`, and there is a mock | mocks |
/// | `mocksThenLive`, and there is none | the network |
///
/// Of environment and scope the stricter one counts: `sealed`, then `mocksThenLive`, then `live`. A mock comes from what the test set,
/// else from the folder: that of the scope, of the client, beside the environment, in bundled resources, in the working directory.
///
/// The network is the client's ``Transport``. In a test process ``URLSessionTransport`` itself checks every request, redirects included:
/// without an environment or a network of the scope it reaches this machine alone (`LoopbackGuard`).
final class Answering: Sendable {
    /// What a client says of who answers.
    struct Settings: Sendable {
        /// Comes before the process's environment.
        var environment: Environment?
        /// True for a client that has a base URL, which needs no environment but is held to the one there is.
        var hasBaseURL = false
        /// True for a client that was made for a base URL, and has no environment but that of a scope.
        var standsAlone = false
        /// The folder of its mocks; nil to look for one.
        var mocks: URL?
        /// The time for a call that neither route nor environment limits.
        var timeout: Duration
    }

    /// What was decided for one call.
    struct Decision: Sendable {
        /// The scope that the call runs in.
        let scope: APIScope?
        /// The call in the logs of its scopes.
        let entry: CallEntry?
        var environment: Environment?
        /// The time for the whole call.
        var timeout = Duration.zero
        /// Who answers, or why nobody does.
        var transport: Result<any Transport, APIError>
        /// True for the network.
        var isLive = false
        /// True where code of a user answers, or a server: either can take for ever.
        var canHang = false
    }

    private let settings: Settings
    /// The way to the servers.
    let network: any Transport
    /// The scope that the client was made in.
    let origin: APIScope?
    /// Set once the client was used in a scope other than that. From then on a call without a scope belongs to no test.
    private let isShared = Locked(false)
    /// The scope that the client was given.
    let given: APIScope?
    private let folder = MockFolderCache()
    /// What mocks remember where there is no scope.
    private let playback = MockPlayback()

    init(_ settings: Settings, network: any Transport, given: APIScope?, madeIn origin: APIScope?) {
        self.settings = settings
        self.network = network
        self.given = given
        self.origin = origin
    }

    func decide(for route: Route) -> Decision {
        let scope = currentScope()
        let entry = scope.map { CallEntry(route, in: $0) }
        var decision = Decision(scope: scope, entry: entry, transport: .success(network))
        do throws(APIError) {
            try checkTest(scope, route)
            let environment = try environment(in: scope)
            decision.environment = environment
            decision.timeout = timeout(of: route, in: environment)
            guard decision.timeout > .zero else {
                throw APIError(
                    .invalidRoute, "the timeout is \(decision.timeout)", fix: "give it more than zero seconds")
            }
            decision.isLive = try isLive(route, scope, environment)
            decision.canHang = decision.isLive
            guard !decision.isLive else { return decision }
            let mocks = MockTransport(
                mocks: folder, given: settings.mocks, playback: playback, environment: environment, scope: scope,
                timeout: decision.timeout, entry: entry)
            if network(environment, scope) == .mocksThenLive, try !mocks.answers(route) {
                // Asked for in the file, and still nothing that should go unnoticed.
                StandardError.warn(
                    SecretRedactor(environment).redact(
                        "\(mocks.absence(for: route)) for \(route.name), asking the server"))
                decision.isLive = true
                decision.canHang = true
            } else {
                decision.canHang = mocks.isSetByCode(route)
                decision.transport = .success(mocks)
            }
        } catch {
            decision.transport = .failure(error)
        }
        return decision
    }

    // MARK: Scope

    /// The scope of the running task; where there is none, that which the client was given, or was made in as long as it is open.
    private func currentScope() -> APIScope? {
        guard let current = APIScope.current else {
            return given ?? origin.flatMap { $0.isOpen && !isShared.withLock { $0 } ? $0 : nil }
        }
        if let origin, !current.isInside(origin) { isShared.withLock { $0 = true } }
        return current
    }

    /// - Throws: where a call of a test could be answered by something else than the test thinks.
    private func checkTest(_ scope: APIScope?, _ route: Route) throws(APIError) {
        let isUnscoped =
            scope == nil && TestProcess.hasScopes && !settings.standsAlone && settings.environment == nil
        guard isUnscoped || scope?.isClosed == true else { return }
        let error = isUnscoped ? APIError.unscoped : .late
        // The test may have ended, so nothing else would report it.
        StandardError.warn("\(route.name): \(error.message)")
        throw error
    }

    // MARK: Environment

    /// The environment of calls: the scope's, the configuration's, or the process's. A client that has a base URL needs none, but is held
    /// to the one there is: it may be sealed.
    func environment() throws(APIError) -> Environment? { try environment(in: currentScope()) }

    private func environment(in scope: APIScope?) throws(APIError) -> Environment? {
        if let environment = scope?.environment ?? settings.environment { return environment }
        if let failure = scope?.failure { throw failure }
        if settings.standsAlone { return nil }
        do {
            return try Environment.process.get()
        } catch {
            if error.kind == .notFound, settings.hasBaseURL { return nil }
            throw APIError(error)
        }
    }

    /// The time for a call of a route that is made now.
    func timeout(of route: Route) -> Duration {
        // An environment that cannot be read is told by the call.
        timeout(of: route, in: try? environment())
    }

    /// The time for a call of a route: the route's, else the environment's, else the client's.
    func timeout(of route: Route, in environment: Environment?) -> Duration {
        min(
            route.timeout ?? environment?.calls.timeout ?? settings.timeout, .seconds(CallSettings.maximumTimeout))
    }

    // MARK: Mocks or network

    private func network(_ environment: Environment?, _ scope: APIScope?) -> Environment.Network {
        max(environment?.network ?? .live, scope?.network ?? .live)
    }

    private func isLive(_ route: Route, _ scope: APIScope?, _ environment: Environment?) throws(APIError) -> Bool {
        let network = network(environment, scope)
        if network == .sealed, scope?.network == .live {
            throw APIError(
                .mock, "the scope asks for the network, and its environment is sealed; nothing was sent",
                fix: "give the scope an environment with servers: .environment(\"Staging\") on a test")
        }
        if network == .live {
            guard scope?.isKept(route) == true else { return true }
            StandardError.warn("kept the mock of \(route.name): the test sets what answers, so nothing is recorded")
        }
        try checkRelease(environment, scope)
        return false
    }

    /// Keeps mocks from answering in an app that was shipped by mistake with a testing environment.
    ///
    /// - Throws: in a release build outside of tests and previews, unless `$network` of the file or the scope asks for mocks.
    private func checkRelease(_ environment: Environment?, _ scope: APIScope?) throws(APIError) {
        #if !DEBUG
            let isAsked =
                scope?.network == .sealed || environment?.calls.saysNetwork == true && environment?.isSealed == true
            guard !isAsked, !Self.isTestOrPreview else { return }
            throw APIError(
                .mock,
                "mocks would answer in a release build, outside of tests and previews, so nothing was answered and nothing sent",
                fix: """
                    select another environment; for a demo that answers from mocks write "$network": "sealed" into \
                    \(environment?.path ?? "the environment's file")
                    """)
        #endif
    }

    private static let isTestOrPreview =
        TestProcess.isCurrent || ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
}
