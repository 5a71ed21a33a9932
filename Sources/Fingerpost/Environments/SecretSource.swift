/// Gives an installed app the secrets that its environments declare: from the Keychain, for example, or from a server
/// that was asked before. Secrets files and environment variables exist only on the machines of developers.
///
/// ```swift
/// try APIEnvironment.bootstrap(secrets: KeychainSecrets(service: "org.example.app"))
/// ```
///
/// List the secrets that it gives under `$provided` in an environment file. For a token that comes later, from a login,
/// use a ``CredentialStore``; for tests, ``InMemorySecrets``.
public protocol SecretSource: Sendable {
    /// The value of a secret. It is called when an environment is loaded, for each secret that no file and no process
    /// variable gave a value. It may take its time: nothing waits for it but what needs the environment. It must
    /// neither use the current environment nor send calls, which need one.
    ///
    /// - Parameters:
    ///   - key: the secret's dotted path.
    ///   - environment: the name of the environment.
    /// - Returns: the value as an environment variable would contain it; nil if there is none.
    /// - Throws: any error. The environment cannot be loaded then, and its ``EnvironmentError`` shows the error's
    ///   description.
    func secret(_ key: String, in environment: String) throws -> String?
}

/// Secrets in memory, the same for every environment, for tests and previews.
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
