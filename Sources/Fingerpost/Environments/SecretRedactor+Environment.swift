extension SecretRedactor {
    /// Creates a redactor for credentials and the secrets of an environment, which are shown as their keys.
    package init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }
}
