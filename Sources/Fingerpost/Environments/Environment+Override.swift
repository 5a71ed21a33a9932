import FingerpostFiles

extension Environment {
    /// Returns the same environment with another value for one key, for an ``APIScope`` in a test that changes one
    /// setting.
    ///
    /// ```swift
    /// let scope = APIScope(environment: try Environment.current.setting("limits.retries", to: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - key: an existing key; nested keys as a dotted path.
    ///   - value: a value of the key's type. Dictionaries merge. For a secret pass the plain value, not a ``Secret``.
    /// - Throws: ``EnvironmentError`` with the nearest key for an unknown key, or with the file and line of the present
    ///   value for a value of another type.
    public func setting(_ key: String, to value: some Encodable & Sendable) throws(EnvironmentError) -> Environment {
        guard !(value is any SecretValue) else {
            throw EnvironmentError(.wrongType, "the value for \"\(key)\" is a Secret", fix: "call its reveal()")
        }
        let document: Document
        do {
            document = try Document(json: JSONObjectWriter.data(["value": value], encoder: .standard), path: "code")
        } catch {
            throw EnvironmentError(.invalidFile, "the value for \"\(key)\" cannot be encoded: \(error)")
        }
        let node = document.root["value"] ?? Node(.null)
        return try Environment(file: file, layers: layers.setting(key, to: node))
    }
}
