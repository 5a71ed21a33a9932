/// A store that tells a new token from an equal one before it. Recorded answers have the same token after each login.
protocol CountingStore: CredentialStore {
    /// How often the token was saved or removed.
    var changes: Int { get }
}
