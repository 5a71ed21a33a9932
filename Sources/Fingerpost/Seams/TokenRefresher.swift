import FingerpostFiles
import Foundation

/// Replaces the token of a store when a server rejects it, once for all calls that used it.
final class TokenRefresher: Sendable {
    /// A token that a call sends.
    struct Use: Sendable {
        let refresher: TokenRefresher
        let token: String
        /// How many refreshes had failed when the call took the token.
        let failures: Int
    }

    /// How a rejected token is replaced.
    enum Renewal: Sendable {
        /// The refresh has returned another token.
        case refreshed
        /// The store already had another token: the call was sent with an older one.
        case alreadyReplaced
        /// There is no token any more.
        case signedOut
    }

    private struct Failure {
        let token: String
        let error: APIError
        /// False for a failure that may pass, such as a lost connection.
        let isFinal: Bool
        let number: Int
    }

    private struct State {
        /// The calls that wait for the refresh in progress; nil if there is none.
        var waiters: [Int: CheckedContinuation<Renewal, any Error>]?
        var nextID = 0
        var failures = 0
        var lastFailure: Failure?
    }

    private let store: any CredentialStore
    private let refresh: @Sendable (_ expired: String) async throws -> String
    private let state = Locked(State())

    /// The refreshers whose closure the current task runs in.
    @TaskLocal private static var active: Set<ObjectIdentifier> = []

    init(_ store: any CredentialStore, _ refresh: @escaping @Sendable (String) async throws -> String) {
        self.store = store
        self.refresh = refresh
    }

    /// True in the closure that refreshes the token. Calls made there have no credential.
    var isActive: Bool { Self.active.contains(ObjectIdentifier(self)) }

    /// The token for a call; nil while nobody is signed in.
    func use() async throws -> Use? {
        let failures = state.withLock { $0.failures }
        return try await store.token().map { Use(refresher: self, token: $0, failures: failures) }
    }

    /// Replaces a token that a server rejected, or waits for the refresh in progress.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if the refresh fails, or if it has failed for this token
    ///   before; `CancellationError` when the task is cancelled, which does not end the refresh.
    func renew(_ use: Use) async throws -> Renewal {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(for: use, id, continuation)
                // A task that was cancelled before is not cancelled again.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func wait(for use: Use, _ id: Int, _ continuation: CheckedContinuation<Renewal, any Error>) {
        let (error, isFirst): (APIError?, Bool) = state.withLock { state in
            if let failure = state.lastFailure, failure.token == use.token,
                failure.isFinal || use.failures < failure.number
            {
                return (failure.error, false)
            }
            let isFirst = state.waiters == nil
            state.waiters = (state.waiters ?? [:]).merging([id: continuation]) { $1 }
            return (nil, isFirst)
        }
        if let error { return continuation.resume(throwing: error) }
        guard isFirst else { return }
        // The refresh is a task of its own because it must not end with the call that needs it first: the other calls
        // wait for it too, and the server may already have replaced the credential that the refresh needs.
        Task {
            let result: Result<Renewal, any Error>
            do { result = .success(try await replace(use.token)) } catch { result = .failure(error) }
            end(use.token, result)
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.waiters?.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }

    private func replace(_ expired: String) async throws -> Renewal {
        guard let current = try await store.token() else { return .signedOut }
        guard current == expired else { return .alreadyReplaced }
        let active = Self.active.union([ObjectIdentifier(self)])
        let token = try await Self.$active.withValue(active) { try await refresh(expired) }
        guard HTTPSyntax.isFieldValue(token), !token.isEmpty else {
            throw APIError(.authorization, "the new token is \(token.isEmpty ? "empty" : "not a valid header value")")
        }
        try await store.save(token)
        return .refreshed
    }

    private func end(_ token: String, _ result: Result<Renewal, any Error>) {
        let (waiters, result) = state.withLock { state in
            let result = result.mapError { cause -> any Error in
                let error = APIError(refreshing: cause)
                state.failures += 1
                state.lastFailure = Failure(
                    token: token, error: error, isFinal: !APIError(transport: cause).mayPass, number: state.failures)
                return error
            }
            defer { state.waiters = nil }
            return (state.waiters ?? [:], result)
        }
        for waiter in waiters.values { waiter.resume(with: result) }
    }
}

extension APIError {
    /// The error for calls whose token could not be refreshed.
    fileprivate init(refreshing cause: any Error) {
        let error = APIError(transport: cause)
        let reason = error.serverMessage.map { ": \($0)" } ?? ""
        self.init(
            .authorization, "the token could not be refreshed: \(error.message)\(reason)", fix: "sign in again",
            underlying: cause)
    }

    /// True for failures that say nothing about the credential.
    fileprivate var mayPass: Bool {
        switch kind {
        case .offline, .timedOut, .cancelled: true
        case .transport: underlying is URLError
        case .status(let status): status == 408 || status == 429 || status >= 500
        default: false
        }
    }
}
