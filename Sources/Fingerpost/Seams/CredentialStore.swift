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
}
