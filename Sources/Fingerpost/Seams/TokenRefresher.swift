import FingerpostFiles
import Foundation

/// Replaces the token of a store when a server rejects the token, or shortly before the token expires. One refresh
/// serves all calls that used the token.
final class TokenRefresher: CredentialSource {
    /// A token that a call sends.
    struct Use: Sendable {
        let refresher: TokenRefresher
        /// The token; empty if the client must fetch its first token.
        var token: String
        /// The account that the token belongs to; nil if the store does not know the account.
        var account: String?
        /// The number of refreshes that had failed when the call read the token.
        let failures: Int
        /// The number of changes of the store when the call read the token; nil if the store does not count changes.
        let changes: Int?
        /// The environment that the token belongs to; nil if the process cannot switch environments.
        var environment: Environment?
        /// The date at which the token is renewed; nil if the token's expiry date is unknown.
        var renewal: Date?

        /// True if the token must be replaced before it is sent.
        func isDue(at date: Date) -> Bool { token.isEmpty || renewal.map { $0 <= date } ?? false }
    }

    /// The result of replacing a rejected token.
    enum Renewal: Equatable, Sendable {
        /// The refresh has returned another token.
        case refreshed
        /// The store already contains another token, because the call was sent with an older token.
        case alreadyReplaced(by: String)
        /// The app has stored another token during the refresh, perhaps the token of another user. The associated value
        /// is nil if the new token equals the rejected token. The client does not refresh this token, because it
        /// belongs to the user who has signed in.
        case signedIn(with: String?)
        /// The store contains no token any more.
        case signedOut
    }

    /// The time since a fixed point, on the clock of a call.
    typealias Time = @Sendable () -> Duration

    /// One refresh.
    private final class Run: Sendable {
        /// The token to replace, and the call that used the token.
        let use: Use
        /// The number of changes of the store before the refresh; nil if the store does not count changes.
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
        /// The calls that wait for a refresh. If a refresh is given up, its calls wait for the refresh that replaces
        /// it.
        var waiters: [FirstResult<Renewal>] = []
        /// The refresh in progress.
        var refresh: (run: Run, task: Task<Void, Never>)?
        var failures = 0
        /// The last failed refresh: the token that it should have replaced, the number of changes of the store before
        /// the refresh, and the error. The error contains no token.
        var lastFailure: (token: String, changes: Int?, error: APIError)?
        /// The last token with a known expiry date, and the date at which the token is renewed.
        var known: (token: String, renewal: Date?)?
    }

    /// The maximum duration of a refresh. If a refresh takes longer, the next call that needs a token gives up this
    /// refresh. The value is twice the timeout of the calls that a refresh usually makes.
    static let maximumDuration = Duration.seconds(120)

    private let store: any CredentialStore
    private let scheme: String
    /// True for a token of the client itself, which needs no user to sign in.
    private let isOfClient: Bool
    /// Returns true for a response that says that the token has expired. If this closure is nil, a 401 means that the
    /// token has expired.
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

    /// True in the closure that refreshes the token. Calls in this closure get no credentials.
    private var isActive: Bool { RunningClosure.belongs(to: self) }

    private var changes: Int? { (store as? any CountingStore)?.changes }

    /// Returns the account of the token that a call would send. Returns nil if no user is signed in, or if the store
    /// does not know the account.
    func account(in environment: Environment?) async throws -> String? {
        isActive ? nil : try await store.accountToken()?.account
    }

    /// Returns the token for a call. If no user is signed in, the credentials are empty.
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

    /// Replaces a token that a server rejected, or waits for the refresh in progress. If the refresh in progress takes
    /// too long, it is given up, and another refresh replaces it.
    ///
    /// - Throws: ``APIError`` if the refresh fails, or if an earlier refresh of this token has failed. The kind is
    ///   `authorization`, or the kind of a connection error if a later refresh may succeed. When the task is cancelled,
    ///   this method throws `CancellationError`. A cancellation does not end the refresh, and a cancelled task does not
    ///   start one.
    func renew(
        _ use: Use, at date: @autoclosure () -> Date = Date(), by time: @escaping Time
    ) async throws -> Renewal {
        while true {
            try Task.checkCancellation()
            let renewal: Renewal
            do { renewal = try await join(Run(replacing: use, at: date(), by: time)) } catch let error as APIError {
                // If this call waited for the refresh of another token, such as a previous user's token, the error of
                // that refresh does not concern this call.
                guard state.withLock({ $0.lastFailure?.token != use.token }) else { throw error }
                continue
            }
            // If the store now contains the token that was rejected in this call, replace this token too.
            if renewal != .alreadyReplaced(by: use.token), renewal != .signedIn(with: use.token) { return renewal }
        }
    }

    /// Waits for the refresh in progress. If no refresh is in progress, or if that refresh takes too long, starts a new
    /// one.
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
            // The refresh has a separate task, because it must continue even if the call that started it is cancelled.
            // Other calls wait for the refresh too, and the server may already have replaced the credential that the
            // refresh needs.
            state.refresh = (run, Task(onExecutorOfCall: ()) { [self] in await perform(run) })
            return task
        }
        replaced?.cancel()
        return try await result.value { [state] in
            state.withLock { $0.waiters.removeAll { $0 === result } }
        }
    }

    /// Returns true for a permanent failure. For a client's own token, no failure is permanent: no user can sign in
    /// again, so the next call must fetch the token again.
    private func isFinal(_ error: APIError) -> Bool { !isOfClient && error.kind == .authorization }

    private func perform(_ run: Run) async {
        var new: String?
        let result: Result<Renewal, APIError>
        do { result = .success(try await replace(run, by: &new)) } catch {
            // The error of the closure may contain a token that the closure has saved.
            let tokens = [run.use.token, new, try? await store.token()].compactMap(\.self)
            let failure = APIError(refreshing: error, isOfClient: isOfClient)
            result = .failure(failure.redacted(by: CallSecrets(credentials: tokens)))
        }
        end(run, result)
    }

    /// - Parameter new: is set to the token that the closure returns, even if the token is not used.
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
        // If a refresh was given up, its token may be older than the token of the refresh that replaced it.
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
        // The app has signed out, or another user has signed in. The closure may also have saved the token itself.
        guard let current = try await store.token() else { return .signedOut }
        return current == token ? .refreshed : .signedIn(with: current == old ? nil : current)
    }

    /// Ends a refresh and resumes the waiting calls. A refresh that was given up resumes no calls.
    private func end(_ run: Run, _ result: Result<Renewal, APIError>) {
        let waiting = state.withLock { state in
            // If this refresh was given up, its calls now wait for the refresh that replaced it.
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
    /// - Parameter isOfClient: true for a token of the client itself, which needs no user to sign in.
    fileprivate init(refreshing cause: any Error, isOfClient: Bool) {
        let error = APIError(transport: cause)
        let reason = error.serverMessage.map { ": \($0)" } ?? ""
        let kind: Kind =
            switch error.kind {
            case .offline, .timedOut: error.kind
            // Only the closure was cancelled, and not the calls that wait for it, so the kind is not `cancelled`.
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
            // The message of an environment error already contains a fix.
            fix: error.kind == .environment ? nil : error.fix ?? fix, underlying: cause)
    }

    /// True if the server rejects the client rather than the credential of a user (RFC 6749 section 5.2).
    private var rejectsClient: Bool {
        let code = body.flatMap(Document.inspect)?["error"]?.string
        return code == "invalid_client" || code == "unauthorized_client"
    }

    /// True for temporary failures, which do not concern the credential.
    private var mayPass: Bool {
        switch kind {
        case .offline, .timedOut, .cancelled: true
        case .transport: underlying is URLError
        case .status(let status): status == 408 || status == 429 || status >= 500
        default: false
        }
    }
}
