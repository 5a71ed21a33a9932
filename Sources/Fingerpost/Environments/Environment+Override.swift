import FingerpostFiles

extension Environment {
    /// The same environment with another value for one key: what an ``APIScope`` takes when a test needs one setting changed.
    ///
    /// ```swift
    /// let scope = APIScope(environment: try Environment.current.setting("limits.retries", to: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - key: a key that the environment has; a nested one by dotted path.
    ///   - value: of the type that the key has. Dictionaries merge. For a secret give the value itself, no ``Secret``.
    /// - Throws: ``EnvironmentError`` with the nearest key, or with where the value of another type stands.
    public func setting(_ key: String, to value: some Encodable & Sendable) throws(EnvironmentError) -> Environment {
        guard !(value is any SecretValue) else {
            throw EnvironmentError(.wrongType, "the value for \"\(key)\" is a Secret", fix: "call its reveal()")
        }
        let document: Document
        do {
            document = try Document(json: JSONObjectWriter.data(["value": value], encoder: .standard), path: "code")
        } catch {
            throw EnvironmentError(.invalidFile, "the value for \"\(key)\" cannot be written: \(error)")
        }
        let node = document.root["value"] ?? Node(.null)
        return try Environment(file: file, layers: layers.setting(key, to: node))
    }
}
