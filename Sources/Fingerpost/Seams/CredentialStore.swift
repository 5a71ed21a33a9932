import FingerpostFiles

/// The place where an app keeps the token of ``Authorization/refreshing(_:scheme:when:_:)``, such as the Keychain. The
/// client reads the token and replaces it after a refresh. Write your own methods to sign a user in and out; these
/// methods must take the same lock as ``save(_:replacing:)``.
///
/// ```swift
/// struct LockedKeychain: CredentialStore {
///     func token() throws -> String? { try Keychain.read("token") }
///
///     func save(_ token: String, replacing old: String?) throws -> Bool {
///         try Keychain.lock.withLock {
///             guard try Keychain.read("token") == old else { return false }
///             try Keychain.write(token, "token")
///             return true
///         }
///     }
/// }
/// ```
///
/// A store that wraps another store must forward all three members. If the outer store does not forward
/// ``accountToken()``, a call that began with one account can be sent with another account's token.
/// ``InMemoryCredentialStore`` counts its changes, so it notices a later login even if the new token is equal to the
/// old one, as in recorded responses. A store that wraps an ``InMemoryCredentialStore`` does not notice such a login.
///
/// ```swift
/// struct ObservedStore: CredentialStore {
///     let inner: any CredentialStore
///     let refreshed: @Sendable () -> Void
///
///     func token() async throws -> String? { try await inner.token() }
///
///     func accountToken() async throws -> (token: String, account: String?)? {
///         try await inner.accountToken()
///     }
///
///     func save(_ token: String, replacing old: String?) async throws -> Bool {
///         let isSaved = try await inner.save(token, replacing: old)
///         if isSaved { refreshed() }
///         return isSaved
///     }
/// }
/// ```
public protocol CredentialStore: Sendable {
    /// The token; nil while no user is signed in. The client reads the token for every call that sends credentials.
    func token() async throws -> String?

    /// Saves a refreshed token in place of the expired token. If the store no longer contains the expired token, do not
    /// change the store, because the user has signed out or another user has signed in.
    ///
    /// Compare and save atomically, for example under a lock that every change of the token takes. Otherwise, a user
    /// who signs in between the two steps would send calls with the previous user's token. A user who signs out between
    /// the two steps would stay signed in. A lock in memory gives no protection against other processes.
    ///
    /// - Parameters:
    ///   - token: the new token.
    ///   - old: the token to replace; nil if the store must contain no token.
    /// - Returns: false if the store did not save the new token.
    func save(_ token: String, replacing old: String?) async throws -> Bool

    /// The token and the account that it belongs to, such as the identifier of the user; nil while no user is signed
    /// in. By default, the account is nil, which means that the store does not know the account.
    ///
    /// Implement this method if several people sign in one after another. With this method, a call that began with one
    /// account is never sent with another account's token, and a download continues only a file that the same account
    /// has started. Read the token and the account together, because another user may sign in between two reads.
    /// Declare the method `async`, even if it waits for nothing: if the method is synchronous, asynchronous code that
    /// calls it on your own type gets the default implementation instead.
    func accountToken() async throws -> (token: String, account: String?)?
}

extension CredentialStore {
    public func accountToken() async throws -> (token: String, account: String?)? {
        try await token().map { ($0, nil) }
    }
}

/// A store that keeps its token in memory, for tests and for tokens that are needed only as long as the process runs.
public final class InMemoryCredentialStore: CredentialStore, CountingStore {
    private typealias State = (token: String?, account: String?, changes: Int)

    private let state: Locked<State>

    /// - Parameters:
    ///   - token: the first token; nil while no user is signed in.
    ///   - account: the account that the token belongs to; nil if the app does not distinguish accounts.
    public init(_ token: String? = nil, account: String? = nil) { state = Locked((token, account, 0)) }

    /// The token; nil while no user is signed in.
    public func token() -> String? { state.withLock { $0.token } }

    /// The token and the account that it belongs to; nil while no user is signed in.
    public func accountToken() async -> (token: String, account: String?)? {
        state.withLock { state in state.token.map { ($0, state.account) } }
    }

    /// Replaces the token, and keeps the account. If the app does not distinguish accounts, call this method when the
    /// user signs in.
    public func save(_ token: String) { _ = save(token) { _ in true } }

    /// Replaces a token with another token of the same account, atomically: a change that the app makes at the same
    /// time is not lost.
    ///
    /// If the app saves a token during a refresh (``Authorization/refreshing(_:scheme:when:_:)``), the store keeps that
    /// token, even if it is equal to the old token.
    ///
    /// - Parameters:
    ///   - token: the new token.
    ///   - old: the token to replace; nil if the store must contain no token.
    /// - Returns: false if the store's token is not `old`, and the store therefore keeps its token.
    public func save(_ token: String, replacing old: String?) async -> Bool { save(token) { $0.token == old } }

    /// Replaces the token and its account. Call this method when a user signs in.
    public func save(_ token: String, account: String) { state.withLock { $0 = (token, account, $0.changes + 1) } }

    /// Removes the token and its account. Call this method when the user signs out.
    public func clear() { state.withLock { $0 = (nil, nil, $0.changes + 1) } }

    var changes: Int { state.withLock { $0.changes } }

    func save(_ token: String, after changes: Int) -> Bool { save(token) { $0.changes == changes } }

    private func save(_ token: String, if mayReplace: (State) -> Bool) -> Bool {
        state.withLock { state in
            guard mayReplace(state) else { return false }
            state = (token, state.account, state.changes + 1)
            return true
        }
    }
}

extension InMemoryCredentialStore: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the token.
    public var description: String { "InMemoryCredentialStore(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A store that distinguishes a new token from an equal earlier token. Recorded responses contain the same token after
/// each login.
protocol CountingStore: CredentialStore {
    /// The number of times that the token was saved or removed.
    var changes: Int { get }

    /// Saves a refreshed token.
    ///
    /// - Parameter changes: the value of ``changes`` before the refresh.
    /// - Returns: false if the store has changed since ``changes`` was read, and the store therefore keeps its token.
    func save(_ token: String, after changes: Int) -> Bool
}
