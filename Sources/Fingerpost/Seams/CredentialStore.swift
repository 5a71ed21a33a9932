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
