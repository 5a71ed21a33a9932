extension SecretRedactor {
    /// Creates a redactor for credentials and for an environment's secrets. Environment secrets are replaced by
    /// their keys.
    package init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }
}
