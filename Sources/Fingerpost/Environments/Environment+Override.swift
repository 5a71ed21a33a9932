import FingerpostFiles

extension Environment {
    /// Returns a copy of the environment with a different value for one key. Use the copy, for example, in the
    /// ``APIScope`` of a test that changes one setting.
    ///
    /// ```swift
    /// let scope = APIScope(environment: try APIEnvironment.current.setting("limits.retries", to: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - key: an existing key; a nested key is written as a dotted path.
    ///   - value: the new value, of the same type as the current value. A dictionary is merged into the current
    ///     dictionary. For a secret, pass the plain value, not a ``Secret``.
    /// - Throws: ``EnvironmentError``. If the key is unknown, the error suggests the nearest key. If the new value has
    ///   a different type from the current value, the error gives the file and line of the current value.
    public func setting(_ key: String, to value: some Encodable & Sendable) throws(EnvironmentError) -> Environment {
        guard !(value is any SecretValue) else {
            throw EnvironmentError(.wrongType, "the value for \"\(key)\" is a Secret", fix: "call its reveal()")
        }
        let document: Document
        do {
            document = try Document(json: JSONObjectWriter.data([key: value], encoder: .standard), path: "code")
        } catch {
            throw EnvironmentError(
                .invalidFile, "the value for \"\(key)\" cannot be encoded: \(EncodingError.text(of: error))")
        }
        let node = document.root[key] ?? Node(.null)
        return try Environment(
            file: file, layers: layers.setting(key, to: node), isGuess: contents.isGuess, isChosen: contents.isChosen)
    }
}
