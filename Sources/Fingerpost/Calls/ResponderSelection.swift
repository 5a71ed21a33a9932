import FingerpostFiles
import Foundation

/// Decides who answers a call: mocks, the network, or nobody. If nobody answers, the call fails.
///
/// The decision is made once per call, before the request is built. The decision depends on three facts:
///
/// - The *scope* is the task's ``APIScope``, or else the scope passed to ``APIClient/with(scope:)``, or else the scope
///   in which the client was created. The scope in which the client was created applies only while it is open, and only
///   if the client was never used in an unrelated scope.
/// - The *environment* is the scope's environment, or else the configuration's, or else the environment of the process.
///   A client created with a base URL does not use the environment of the process. However, outside tests, the client's
///   calls are sealed if the environment of the process is sealed: see ``ProcessEnvironment/sealing()``.
/// - The *network setting* is the stricter of the environment's setting and the scope's setting. From strictest to
///   least strict, the settings are `sealed`, `mocksThenLive` and `live`. The environment's setting is
///   ``Environment/network-swift.property``. The setting of a test's scope is `sealed` unless a trait or the process
///   variable `MOCKS` sets a different one.
///
/// The first row of this table that matches the call decides who answers. `live`, `sealed` and `mocksThenLive` are
/// network settings:
///
/// | Situation | Who answers |
/// |---|---|
/// | The scope's test has ended | none: the call fails |
/// | There is no scope in a test process with `FingerpostTesting` (1) | none: the call fails |
/// | The environment is invalid or unreadable, or is missing although the client needs one (2) | none: the call fails |
/// | The timeout or the idle timeout is not positive | none: the call fails |
/// | The scope is `live`, and the environment is `sealed` | none: the call fails |
/// | `live`, but the scope records and the test sets the mock's answer or variant | the mock; nothing is recorded |
/// | `live` | the network |
/// | The app lacks the engine that answers from mocks (3) | none: the call fails |
/// | The app is a release build, outside tests and previews (4) | none: the call fails |
/// | `sealed`, and the route has a mock | the mock |
/// | `sealed`, and the route has no mock | the mocks, which refuse the call: see `MockCall` |
/// | `mocksThenLive`, and the route has a mock | the mock |
/// | `mocksThenLive`, and the name or the folder of the route's mock cannot be read | none: the call fails |
/// | `mocksThenLive`, and the route has no mock | the network, with a warning |
///
/// 1. This row does not apply if the client was created with a base URL or if its configuration sets an environment.
/// 2. A client whose configuration sets a base URL needs no environment if there is no folder `Environments/` and
///    nothing selects an environment.
/// 3. The app links the product `FingerpostCore`, or the linker left the engine out of a static archive: see
///    ``LinkedClass``.
/// 4. This row does not apply if the scope is `sealed` or if `$network` seals the environment. The row still applies if
///    only the description `Testing` seals the environment. The engine checks this row.
///
/// A mock is a response that the test sets in code, or else a file. `MockIndexCache` finds the folder of the mock
/// files. The network is the client's ``Transport``. In a test process, ``URLSessionTransport`` also checks each
/// request, including redirects. The transport reaches other machines only if the scope names an environment, and
/// neither the scope nor this environment is sealed. On Linux, the transport refuses to reach this machine through a
/// proxy (`LoopbackGuard`). Transports of the app are not checked.
final class ResponderSelection: Sendable {
    typealias Decision = (responder: Responder, context: CallContext)

    /// The client's configuration. If the configuration sets a base URL, there may be no environments. Even with a base
    /// URL, an environment applies if `APP_ENVIRONMENT` or Info.plist selects one, or if there is a folder of
    /// environments.
    let configuration: ClientConfiguration
    /// True if the client was created with a base URL and therefore does not use the environment of the process.
    let isStandalone: Bool
    private let process: ProcessEnvironment
    private let isTestProcess: Bool
    private let linkedEngine: LinkedClass<any MockEngine.Type>
    private let deadlines = DeadlineWatch()
    /// The transport that reaches servers.
    let transport: any Transport
    /// The scope in which the client was created.
    let origin: APIScope?
    /// True once the client was used in a scope outside `origin`. After that use, a call without a scope cannot be
    /// attributed to a test.
    private let isShared = Locked(false)
    /// The scope passed to ``APIClient/with(scope:)``.
    let givenScope: APIScope?
    /// The engine that answers from mocks; nil until the first call that needs the engine.
    private let engine = Locked<(any MockEngine)?>(nil)

    /// - Parameters:
    ///   - process: the environment of the process.
    ///   - isTestProcess: true if the process runs tests.
    ///   - engine: the class of the engine that answers from mocks, if the app contains this class.
    init(
        _ configuration: ClientConfiguration, isStandalone: Bool = false, process: ProcessEnvironment = .current,
        isTestProcess: Bool = TestProcess.isCurrent, engine: LinkedClass<any MockEngine.Type> = .mockEngine,
        transport: any Transport, givenScope: APIScope?, madeIn origin: APIScope?
    ) {
        self.configuration = configuration
        self.isStandalone = isStandalone
        self.process = process
        self.isTestProcess = isTestProcess
        linkedEngine = engine
        self.transport = transport
        self.givenScope = givenScope
        self.origin = origin
    }

    private var hasBaseURL: Bool { configuration.baseURL != nil }

    /// Decides who answers one call, and creates the record of the call.
    ///
    /// - Parameters:
    ///   - credentials: the credentials in the client's configuration.
    ///   - start: when the call started.
    func decide(
        for route: consuming Route, knowing credentials: [String] = [], since start: ContinuousClock.Instant = .now
    ) -> Decision {
        let scope = currentScope()
        // A call that is refused also has a record and a deadline.
        var environment: Environment?
        var failure: APIError?
        do throws(APIError) {
            try checkTest(scope, route)
            environment = try self.environment(in: scope)
        } catch { failure = error }
        let deadline = Deadline(
            after: timeout(of: route, in: environment),
            idle: (route.idleTimeout ?? configuration.idleTimeout)?.limited, since: start, on: scope?.values,
            by: deadlines)
        let context = CallContext(
            record: CallRecord(consume route, environment, clientCredentials: credentials, in: scope), scope: scope,
            deadline: deadline)
        if let failure { return (.nobody(failure), context) }
        return (responder(of: context.record.route, in: context), context)
    }

    private func responder(of route: Route, in context: CallContext) -> Responder {
        let (environment, scope) = (context.record.environment, context.scope)
        do throws(APIError) {
            try context.deadline.timeout.checkTimeout()
            try context.deadline.idleTimeout?.checkTimeout("idle timeout")
            let sealing = try sealingEnvironment(environment)
            let network = Environment.Network.strictest(sealing, scope)
            if network == .sealed, scope?.network == .live { throw .sealedInLiveScope }
            // While a test records responses, mocks answer only the calls whose answers the test sets.
            if network == .live, scope?.settings.recorder == nil { return .network }
            let mocks = try mockEngine(for: sealing).mocks(for: context, sealedBy: sealing)
            if network == .live {
                guard mocks.isChosen(route) else { return .network }
                warn("did not record \(route.name): the test sets its answer, so the mock is unchanged", sealing)
            }
            if network == .mocksThenLive, try !mocks.answers(route) {
                // The call has no mock, so it goes to the network, as `mocksThenLive` permits. Warn about the missing
                // mock.
                warn("\(mocks.absence(for: route)) for \(route.name), asking the server", environment)
                return .network
            }
            return .mocks(mocks)
        } catch {
            return .nobody(error)
        }
    }

    /// Returns the engine that answers from mocks.
    ///
    /// - Throws: ``APIError`` if the app does not contain the engine.
    private func mockEngine(for sealing: Environment?) throws(APIError) -> any MockEngine {
        let engine = engine.withLock { engine in
            engine = engine ?? linkedEngine.value?.init(configuration)
            return engine
        }
        if let engine { return engine }
        throw APIError(
            .mock,
            "only mocks may answer this call, and the app does not contain FingerpostMocks; nothing was sent",
            fix: """
                link the product Fingerpost instead of FingerpostCore (with static libraries of Tuist or Bazel, also \
                add -ObjC to OTHER_LDFLAGS), or select another environment
                """
        ).explained(by: sealing)
    }

    /// Returns the decision for a call that fails before it starts.
    func refuse(_ route: Route, _ error: APIError, knowing credentials: [String]) -> Decision {
        // If the environment is invalid, there are no secrets to hide. A call that starts reports the environment's
        // error.
        let environment = try? environment()
        let record = CallRecord(route, environment, clientCredentials: credentials, in: nil)
        let deadline = Deadline(after: .zero, since: .now, on: nil, by: deadlines)
        return (.nobody(error), CallContext(record: record, scope: nil, deadline: deadline))
    }

    // MARK: Scope

    /// The scope of the running task, or else the scope that the client was given, or else the scope in which the
    /// client was created. The last of these scopes applies only while it is open, and only if no other test has used
    /// the client.
    func currentScope() -> APIScope? {
        guard let current = APIScope.current else {
            return givenScope ?? origin.flatMap { $0.session.isOpen && !isShared.withLock { $0 } ? $0 : nil }
        }
        if let origin, !current.isInside(origin) { isShared.withLock { $0 = true } }
        return current
    }

    /// Rejects a call that cannot be attributed to a running test. Otherwise, the mocks of another test could answer
    /// the call.
    private func checkTest(_ scope: APIScope?, _ route: Route) throws(APIError) {
        let error: APIError
        if let scope {
            guard scope.chain.contains(where: \.session.isClosed) else { return }
            error = .late
        } else {
            guard !isStandalone, configuration.environment == nil, TestProcess.hasScopes else { return }
            error = .unscoped
        }
        TestProcess.report(error, for: route, in: scope?.environment ?? configuration.environment)
        throw error
    }

    private func warn(_ text: String, _ environment: Environment?) {
        StandardError.warn(CallSecrets(environment).hide(text))
    }

    // MARK: Environment

    /// The environment of a call that starts now: the scope's environment, or else the configuration's, or else the
    /// environment of the process. Returns nil only for clients with a base URL.
    func environment() throws(APIError) -> Environment? { try environment(in: currentScope()) }

    /// Returns true if the client's own credentials must not be sent, because an environment was chosen in the running
    /// app. A client that has its own environment or base URL ignores the chosen environment.
    func withholdsCredentials(in environment: Environment?) -> Bool {
        guard environment?.isChosen == true else { return false }
        return configuration.environment == nil && !hasBaseURL
    }

    private func environment(in scope: APIScope?) throws(APIError) -> Environment? {
        if let environment = scope?.environment ?? configuration.environment { return environment }
        if let failure = scope?.settings.failure { throw APIError(failure) }
        if isStandalone { return nil }
        if let environment = PinnedEnvironment.environment { return environment }
        do {
            // A client with its own base URL ignores the choice of another environment.
            return try hasBaseURL ? process.usual() : process.get()
        } catch {
            if error.absence == .noFolder, hasBaseURL { return nil }
            throw APIError(error)
        }
    }

    /// Returns the environment whose network setting applies: the call's environment. A client with a base URL may have
    /// no environment. For a client without an environment, the environment of the process applies if that environment
    /// is sealed. In a test process, the environment of the process does not apply, because tests call servers with
    /// clients that have a base URL. `LoopbackGuard` keeps the calls of tests on this machine.
    private func sealingEnvironment(_ environment: Environment?) throws(APIError) -> Environment? {
        if environment != nil || isTestProcess { return environment }
        do { return try process.sealing() } catch { throw APIError(error) }
    }

    /// True if only mocks may answer a call that starts now. False if the environment cannot be read: the call fails in
    /// this case.
    var isSealed: Bool {
        let scope = currentScope()
        return (try? Environment.Network.strictest(sealingEnvironment(environment(in: scope)), scope)) == .sealed
    }

    /// Returns the deadline of a call that starts now, on the system's clock.
    func deadline(of route: Route) -> Deadline {
        // An invalid environment is ignored when the timeout is determined; the call reports the error later.
        Deadline(after: timeout(of: route, in: try? environment()), since: .now, on: nil, by: deadlines)
    }

    /// The timeout of a call: the route's timeout, or else the environment's, or else the client's.
    func timeout(of route: Route, in environment: Environment?) -> Duration {
        (route.timeout ?? environment?.contents.timeout ?? configuration.timeout).limited
    }
}

extension APIError {
    /// The error for a call in a live scope whose environment is sealed.
    static let sealedInLiveScope = APIError(
        .mock, "the scope's network is live, but its environment is sealed; nothing was sent",
        fix: "use an environment that is not sealed, such as .environment(\"Staging\") on the test")

    /// Adds to the error why the call is sealed, if the sealing environment was selected only because there is no
    /// other. If a program has only an environment for tests, the program's calls are sealed too, because they would
    /// otherwise reach servers.
    package func explained(by sealing: Environment?) -> APIError {
        guard let sealing, sealing.isSealed, sealing.isOnlyOne else { return self }
        if sealing.name != sealing.description, sealing.isTesting {
            return APIError(
                .mock,
                "the environment \(sealing.name) answers from mocks, because its description is "
                    + "\(sealing.description.quoted): \(message)",
                fix: "write the description \(sealing.name.quoted) to call its server"
                    + (fix.map { "; to answer from mocks, \($0)" } ?? ""))
        }
        return APIError(
            .mock,
            "the environment \(sealing.name) answers from mocks, and was selected because it is the only one there: "
                + message,
            fix: "add the environment that this program is for, such as Production-Env.json, and select it with "
                + "APP_ENVIRONMENT=Production" + (fix.map { "; to answer from mocks, \($0)" } ?? ""))
    }
}

/// Who answers a call. ``ResponderSelection`` decides once per call.
enum Responder: Sendable {
    /// Mocks answer.
    case mocks(any CallMocks)
    /// The client's transport answers.
    case network
    /// Nobody answers, so the call fails with this error.
    case nobody(APIError)

    var isNetwork: Bool { if case .network = self { true } else { false } }

    /// True if a server or the app's code answers, either of which may never return.
    var mayNeverReturn: Bool {
        switch self {
        case .mocks(let mocks): mocks.runsCode
        case .network: true
        case .nobody: false
        }
    }
}
