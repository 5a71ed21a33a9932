import FingerpostFiles

/// A store that keeps its token in memory, for tests and for tokens that need not survive the process.
public final class InMemoryCredentialStore: CredentialStore, CountingStore {
    private let state: Locked<(token: String?, changes: Int)>

    /// - Parameter token: the first token; nil while nobody is signed in.
    public init(_ token: String? = nil) {
        state = Locked((token, 0))
    }

    /// The token; nil while nobody is signed in.
    public func token() -> String? { state.withLock { $0.token } }

    /// Replaces the token.
    public func save(_ token: String) { state.withLock { $0 = (token, $0.changes + 1) } }

    /// Removes the token, when the user signs out.
    public func clear() { state.withLock { $0 = (nil, $0.changes + 1) } }

    var changes: Int { state.withLock { $0.changes } }
}

extension InMemoryCredentialStore: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the token.
    public var description: String { "InMemoryCredentialStore(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
