import FingerpostFiles
import Foundation

/// Replaces the token of a store when a server rejects it, or shortly before it ends, once for all calls that used it.
final class TokenRefresher: CredentialSource {
    /// A token that a call sends.
    struct Use: Sendable {
        let refresher: TokenRefresher
        /// Empty if the client has to fetch its first token.
        var token: String
        /// Whose token it is; nil if the store does not know.
        var account: String?
        /// How many refreshes had failed when the call took the token.
        let failures: Int
        /// How often the store had changed then, if it counts.
        let changes: Int?
        /// The environment that the token belongs to; nil if the process does not switch.
        var environment: Environment?
        /// When the token is renewed before it ends; nil if its end is not known.
        var renewal: Date?

        /// True if the token must be replaced before it is sent.
        func isDue(at date: Date) -> Bool { token.isEmpty || renewal.map { $0 <= date } ?? false }
    }

    /// How a rejected token is replaced.
    enum Renewal: Equatable, Sendable {
        /// The refresh has returned another token.
        case refreshed
        /// The store has another token: the call was sent with an older one.
        case alreadyReplaced(by: String)
        /// During the refresh, the app has stored another token, which may be another user's. It is nil if it is equal
        /// to the rejected one, which does not call for a refresh as the user who has signed in.
        case signedIn(with: String?)
        /// There is no token any more.
        case signedOut
    }

    /// The time since a fixed point, on the clock of a call.
    typealias Time = @Sendable () -> Duration

    /// One refresh.
    private final class Run: Sendable {
        /// A use of the token that is replaced.
        let use: Use
        /// How often the store had changed before the refresh, if it counts.
        let changes: Int?
        let date: Date
        let time: Time
        private let start: Duration

        init(replacing use: Use, at date: Date, by time: @escaping Time) {
            (self.use, self.date, self.time) = (use, date, time)
            (changes, start) = (use.refresher.changes, time())
        }

        var age: Duration { time() - start }
    }

    private struct State {
        /// The calls that wait for the refresh in progress, or for the one that has taken its place.
        var waiters: [FirstResult<Renewal>] = []
        /// The refresh in progress.
        var refresh: (run: Run, task: Task<Void, Never>)?
        var failures = 0
        /// Why the last refresh that failed did so: the token that it should have replaced, how often the store had
        /// changed before, and the error, which quotes no token.
        var lastFailure: (token: String, changes: Int?, error: APIError)?
        /// The last token whose end is known, and when it is renewed.
        var known: (token: String, renewal: Date?)?
    }

    /// How long a refresh may take before a later call gives it up: twice as long as the calls that it usually makes.
    static let maximumDuration = Duration.seconds(120)

    private let store: any CredentialStore
    private let scheme: String
    /// True for the token of the client itself, which needs no user to sign in.
    private let isOfClient: Bool
    /// True for a response that says that the token has expired; nil for a 401.
    let rule: (@Sendable (Response<Data>) -> Bool)?
    private let refresh: @Sendable (_ expired: String) async throws -> ExpiringToken
    private let state = Locked(State())

    init(
        _ store: any CredentialStore, scheme: String = "Bearer", isOfClient: Bool = false,
        when rule: (@Sendable (Response<Data>) -> Bool)? = nil,
        _ refresh: @escaping @Sendable (String) async throws -> ExpiringToken
    ) {
        self.store = store
        self.scheme = scheme
        self.isOfClient = isOfClient
        self.rule = rule
        self.refresh = refresh
    }

    /// True in the closure that refreshes the token. Calls made there have no credential.
    private var isActive: Bool { RunningClosure.belongs(to: self) }

    private var changes: Int? { (store as? any CountingStore)?.changes }

    /// Whose token a call would send; nil if no user is signed in, or if the store does not know.
    func account(in environment: Environment?) async throws -> String? {
        isActive ? nil : try await store.accountToken()?.account
    }

    /// The token for a call. It has none while no user is signed in.
    func credentials(in environment: Environment?, areWithheld: Bool) async throws -> Authorization.Credentials {
        if isActive { return .init(headers: nil) }
        if areWithheld { return .init(isIncomplete: true) }
        guard let use = try await use() else { return .init() }
        return .init(headers: [.init(name: .authorization, value: "\(scheme) \(use.token)", renewable: use)])
    }

    private func use() async throws -> Use? {
        let failures = state.withLock { $0.failures }
        guard let (token, account) = try await store.accountToken() ?? (isOfClient ? ("", nil) : nil) else {
            return nil
        }
        let known = state.withLock { $0.known }
        return Use(
            refresher: self, token: token, account: account, failures: failures, changes: changes,
            environment: PinnedEnvironment.environment, renewal: known?.token == token ? known?.renewal : nil)
    }

    /// Replaces a token that a server rejected, or waits for the refresh in progress. If that refresh takes too long,
    /// it is given up, and another one takes its place.
    ///
    /// - Throws: ``APIError`` if the refresh fails, or if it has failed for this token before: of the kind
    ///   `authorization`, or of that of a connection if a later refresh may succeed; `CancellationError` when the task
    ///   is cancelled, which does not end the refresh. A task that was cancelled before starts none.
    func renew(
        _ use: Use, at date: @autoclosure () -> Date = Date(), by time: @escaping Time
    ) async throws -> Renewal {
        while true {
            try Task.checkCancellation()
            let renewal: Renewal
            do { renewal = try await join(Run(replacing: use, at: date(), by: time)) } catch let error as APIError {
                // A call that waits for the refresh of another token, such as the one of a user who has signed out,
                // does not fail with it.
                guard state.withLock({ $0.lastFailure?.token != use.token }) else { throw error }
                continue
            }
            // The other token may be that of this call, which a server has rejected too.
            if renewal != .alreadyReplaced(by: use.token), renewal != .signedIn(with: use.token) { return renewal }
        }
    }

    /// Waits for the refresh in progress. Without one, or if it takes too long, a new one begins.
    private func join(_ run: Run) async throws -> Renewal {
        let use = run.use
        let stuck = state.withLock { $0.refresh?.run }.flatMap { $0.age < Self.maximumDuration ? nil : $0 }
        let result = FirstResult<Renewal>()
        let replaced = try state.withLock { state throws(APIError) -> Task<Void, Never>? in
            if let failure = state.lastFailure, failure.token == use.token,
                isFinal(failure.error) && failure.changes == use.changes || use.failures < state.failures
            {
                throw failure.error
            }
            state.waiters.append(result)
            guard state.refresh == nil || state.refresh?.run === stuck else { return nil }
            let task = state.refresh?.task
            // A task of its own, because it must not end with the call that needs it first: the other calls wait for it
            // too, and the server may already have replaced the credential that the refresh needs.
            state.refresh = (run, Task(onExecutorOfCall: ()) { [self] in await perform(run) })
            return task
        }
        replaced?.cancel()
        return try await result.value { [state] in
            state.withLock { $0.waiters.removeAll { $0 === result } }
        }
    }

    /// True for a failure that does not pass, unlike a lost connection. Nobody can sign in again as the client, so it
    /// tries again itself.
    private func isFinal(_ error: APIError) -> Bool { !isOfClient && error.kind == .authorization }

    private func perform(_ run: Run) async {
        var new: String?
        let result: Result<Renewal, APIError>
        do { result = .success(try await replace(run, by: &new)) } catch {
            // The closure may have saved the token that its error quotes.
            let tokens = [run.use.token, new, try? await store.token()].compactMap(\.self)
            let failure = APIError(refreshing: error, isOfClient: isOfClient)
            result = .failure(failure.redacted(by: CallSecrets(credentials: tokens)))
        }
        end(run, result)
    }

    /// - Parameter new: set to the token that the closure returns, also if it is not used.
    private func replace(_ run: Run, by new: inout String?) async throws -> Renewal {
        let before = try await store.token()
        let old = run.use.token
        guard let current = before ?? (old.isEmpty ? "" : nil) else { return .signedOut }
        guard current == old else { return .alreadyReplaced(by: current) }
        let expiring = try await RunningClosure.run(of: self) {
            try await PinnedEnvironment.run(in: run.use.environment) {
                try await Authorization.$isRunning.withValue(true) { try await refresh(old) }
            }
        }
        let token = expiring.text
        new = token
        guard HTTPSyntax.isFieldValue(token), !token.isEmpty else {
            throw APIError(.authorization, "the new token is \(token.isEmpty ? "empty" : "not a valid header value")")
        }
        // The token of a refresh that was given up may be older than that of its successor.
        let isCurrent = state.withLock { state in
            guard state.refresh?.run === run else { return false }
            state.known = (token, expiring.renewal(askedAt: run.date))
            return true
        }
        guard isCurrent else { throw CancellationError() }
        let isSaved =
            if let store = store as? any CountingStore, let changes = run.changes {
                store.save(token, after: changes)
            } else {
                try await store.save(token, replacing: before)
            }
        if isSaved { return .refreshed }
        // Meanwhile, the app has signed out, or another user in. The closure may also have saved the token.
        guard let current = try await store.token() else { return .signedOut }
        return current == token ? .refreshed : .signedIn(with: current == old ? nil : current)
    }

    /// Ends a refresh, unless it was given up, and resumes the calls that wait.
    private func end(_ run: Run, _ result: Result<Renewal, APIError>) {
        let waiting = state.withLock { state in
            // The calls that wait for a refresh that was given up wait for its successor.
            guard state.refresh?.run === run else { return [FirstResult<Renewal>]() }
            if case .failure(let error) = result {
                state.failures += 1
                state.lastFailure = (run.use.token, run.changes, error)
            }
            let waiting = state.waiters
            (state.refresh, state.waiters) = (nil, [])
            return waiting
        }
        for waiting in waiting { waiting.end(result.mapError { $0 as any Error }) }
    }
}

extension APIError {
    /// The error for calls whose token could not be refreshed.
    ///
    /// - Parameter isOfClient: true for a token that no user signs in for.
    fileprivate init(refreshing cause: any Error, isOfClient: Bool) {
        let error = APIError(transport: cause)
        let reason = error.serverMessage.map { ": \($0)" } ?? ""
        let kind: Kind =
            switch error.kind {
            case .offline, .timedOut: error.kind
            // Also `cancelled`: the closure was, and not the calls that wait for it.
            default: error.mayPass ? .transport : .authorization
            }
        let fix =
            if error.mayPass {
                "send the call again, which refreshes the token again"
            } else if isOfClient || error.rejectsClient {
                "check the client's identifier and secret, and whether the server reads them in a form or in a header"
            } else {
                "sign in again"
            }
        self.init(
            kind, "the token could not be \(isOfClient ? "fetched" : "refreshed"): \(error.message)\(reason)",
            // The text of an error of the environment contains its own fix.
            fix: error.kind == .environment ? nil : error.fix ?? fix, underlying: cause)
    }

    /// True if the server rejects the client, and not the credential of a user (RFC 6749 section 5.2).
    private var rejectsClient: Bool {
        let code = body.flatMap(Document.inspect)?["error"]?.string
        return code == "invalid_client" || code == "unauthorized_client"
    }

    /// True for failures that say nothing about the credential.
    private var mayPass: Bool {
        switch kind {
        case .offline, .timedOut, .cancelled: true
        case .transport: underlying is URLError
        case .status(let status): status == 408 || status == 429 || status >= 500
        default: false
        }
    }
}
