import FingerpostFiles

extension Environment {
    /// Returns a copy of the environment with another value for one key, for example for the ``APIScope`` of a test
    /// that changes one setting.
    ///
    /// ```swift
    /// let scope = APIScope(environment: try Environment.current.setting("limits.retries", to: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - key: an existing key; a nested key is written as a dotted path.
    ///   - value: the new value, of the same type as the present value. A dictionary is merged into the present
    ///     dictionary. For a secret, pass the plain value, not a ``Secret``.
    /// - Throws: ``EnvironmentError`` that suggests the nearest key if the key is unknown, or that gives the file and
    ///   line of the present value if the new value has another type.
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
