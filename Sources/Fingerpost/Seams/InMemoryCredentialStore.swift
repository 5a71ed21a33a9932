import FingerpostFiles

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
