import FingerpostFiles

/// Where an app keeps the token of ``Authorization/refreshing(_:_:)``, such as the Keychain. The methods of a type that
/// conforms may be synchronous.
///
/// ```swift
/// struct KeychainStore: CredentialStore {
///     func token() throws -> String? { try Keychain.read("token") }
///     func save(_ token: String) throws { try Keychain.write(token, "token") }
/// }
/// ```
public protocol CredentialStore: Sendable {
    /// The token; nil while nobody is signed in. The client reads it for every call that sends credentials.
    func token() async throws -> String?

    /// Replaces the token, after a refresh.
    func save(_ token: String) async throws

    /// The token and the account that it belongs to, such as the identifier of the user; nil while nobody is signed in.
    /// By default, the account is nil, which means that the store does not know it.
    ///
    /// Implement it if several people sign in one after another: a call that began as one account is then never sent as
    /// another, and a download goes on only with what the same account has received. Read both together, because
    /// somebody else may sign in between two reads.
    func accountToken() async throws -> (token: String, account: String?)?
}

extension CredentialStore {
    public func accountToken() async throws -> (token: String, account: String?)? {
        try await token().map { ($0, nil) }
    }
}

/// A store that keeps its token in memory, for tests and for tokens that need not survive the process.
public final class InMemoryCredentialStore: CredentialStore, CountingStore {
    private let state: Locked<(token: String?, account: String?, changes: Int)>

    /// - Parameters:
    ///   - token: the first token; nil while nobody is signed in.
    ///   - account: whose token it is; nil if the store need not know.
    public init(_ token: String? = nil, account: String? = nil) {
        state = Locked((token, account, 0))
    }

    /// The token; nil while nobody is signed in.
    public func token() -> String? { state.withLock { $0.token } }

    /// The token and the account that it belongs to; nil while nobody is signed in.
    public func accountToken() async -> (token: String, account: String?)? {
        state.withLock { state in state.token.map { ($0, state.account) } }
    }

    /// Replaces the token by another one of the same account.
    public func save(_ token: String) { state.withLock { $0 = (token, $0.account, $0.changes + 1) } }

    /// Replaces the token and its account, when a user signs in.
    public func save(_ token: String, account: String) { state.withLock { $0 = (token, account, $0.changes + 1) } }

    /// Removes the token and its account, when the user signs out.
    public func clear() { state.withLock { $0 = (nil, nil, $0.changes + 1) } }

    var changes: Int { state.withLock { $0.changes } }
}

extension InMemoryCredentialStore: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the token.
    public var description: String { "InMemoryCredentialStore(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A store that tells a new token from an equal one before it. Recorded answers have the same token after each login.
protocol CountingStore: CredentialStore {
    /// How often the token was saved or removed.
    var changes: Int { get }
}
