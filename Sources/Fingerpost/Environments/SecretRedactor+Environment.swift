extension SecretRedactor {
    /// Takes out the secrets of an environment, each named by its key, and credentials.
    package init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }
}
