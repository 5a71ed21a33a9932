/// Provides the secrets that the environments of an installed app declare, for example from the Keychain or from a
/// server's earlier response. Secrets files and environment variables exist only on the machines of developers.
///
/// ```swift
/// try APIEnvironment.bootstrap(secrets: KeychainSecrets(service: "org.example.app"))
/// ```
///
/// In an environment file, list the keys of these secrets under `$provided`. For a token that a later login returns,
/// use a ``CredentialStore``. For tests, use ``InMemorySecrets``.
public protocol SecretSource: Sendable {
    /// Returns the value of a secret. When an environment is loaded, this method is called for each secret that has no
    /// value in a file or in an environment variable. The method may take a long time, because only code that needs the
    /// environment waits. Do not use the current environment in this method, and do not send calls, because calls need
    /// an environment.
    ///
    /// - Parameters:
    ///   - key: the secret's dotted path.
    ///   - environment: the name of the environment.
    /// - Returns: the value, as text in the format of an environment variable; nil if the source has no value.
    /// - Throws: any error. If this method throws, the environment cannot be loaded, and the ``EnvironmentError`` shows
    ///   the description of the thrown error.
    func secret(_ key: String, in environment: String) throws -> String?
}

/// Secrets in memory, for tests and previews. Every environment gets the same secrets.
public struct InMemorySecrets: SecretSource, ExpressibleByDictionaryLiteral {
    private let secrets: [String: String]

    /// - Parameter secrets: the values, keyed by dotted path.
    public init(_ secrets: [String: String]) { self.secrets = secrets }

    /// Creates the source from a literal, as in `["maps.key": "abc"]`.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(Dictionary(elements) { $1 }) }

    /// The value of a secret; nil if there is none.
    public func secret(_ key: String, in environment: String) -> String? { secrets[key] }
}

extension InMemorySecrets: CustomReflectable {
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
