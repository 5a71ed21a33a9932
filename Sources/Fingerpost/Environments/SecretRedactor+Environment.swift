extension SecretRedactor {
    /// Creates a redactor for credentials and for an environment's secrets, which are shown as their keys.
    package init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }
}
