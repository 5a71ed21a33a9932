import FingerpostFiles

/// A parameter whose value is that of an environment key, in the environment of the call.
struct EnvironmentValue: Encodable, Sendable {
    /// Thrown when a request with such a parameter is built without a ``KeyLookup``, which few requests need.
    struct Unresolved: Error {
        /// True if an error of an encoder came from here.
        static func isCause(of error: any Error) -> Bool {
            if error is Unresolved { return true }
            guard case .invalidValue(_, let context)? = error as? EncodingError else { return false }
            return context.underlyingError is Unresolved
        }
    }

    let key: String

    func encode(to encoder: any Encoder) throws {
        guard let lookup = KeyLookup.current else { throw Unresolved() }
        try lookup.parameter(key).encode(to: encoder)
    }
}

extension Optional where Wrapped == any Encodable & Sendable {
    /// The value of an environment key, in the environment of the call: `["client_id": .environment("oauth.clientID")]`.
    /// It is looked up when the request is built, so that a scope or ``Environment/choose(_:)`` changes it.
    ///
    /// In JSON, the value keeps its kind. A secret can be sent in a body, not in a query.
    ///
    /// - Parameter key: the key's dotted path. A call whose environment does not have it fails with an ``APIError`` of the
    ///   kind `invalidRoute`.
    public static func environment(_ key: String) -> Self { EnvironmentValue(key: key) }
}
