import FingerpostFiles
import Foundation

extension Environment {
    /// Returns the value of a key. Use ``optionalValue(_:as:)`` for a key that may be missing.
    ///
    /// - Parameters:
    ///   - key: a key in the environment's files. A nested key is written as a dotted path: `analytics.host`.
    ///   - type: any `Decodable` type. An integer can be read as `Double`, and text with a scheme can be read as `URL`.
    ///     Optionals, lists and dictionaries of these types work too. A value whose key is listed in `$secrets` must be
    ///     read as a ``Secret``.
    /// - Throws: ``EnvironmentError``. If the key is missing, the error's kind is `missingKey`, and the error suggests
    ///   the nearest key. If the value has a different type, the error's kind is `wrongType`, and the error contains
    ///   the value's line.
    public func value<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value {
        guard let setting = layers.root[path: key] else { throw missing(key) }
        let isSecret = layers.rules.secrets.contains(key)
        if !isSecret, let plain = setting.value.plain(as: type), let value = plain as? Value { return value }
        if !isSecret, type is any HoldsURLs.Type, let text = setting.node.textThatIsNoURL {
            let problem = BaseURLKey.problem(ofPlainText: text)
            let fix = text.isEmpty ? "leave the key out, or \(problem.fix ?? "")" : problem.fix
            throw wrongType(setting, key, "\"\(Redaction.url(text))\" \(problem.message)", fix: fix)
        }
        let value = try decode(setting, key: key, as: type)
        // If the value is a `Secret` although its key is not listed in `$secrets`, descriptions of the secret still
        // show the key.
        guard !isSecret, let secret = value as? any SecretValue, let named = secret.named(key) as? Value else {
            return value
        }
        return named
    }

    /// Returns the value of a key that may be missing.
    ///
    /// - Returns: nil if the key is missing or null.
    /// - Throws: ``EnvironmentError`` of the kind `wrongType` if the value has a different type.
    public func optionalValue<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value? {
        guard let setting = layers.root[path: key], !setting.value.isNull else { return nil }
        return try value(key, as: type)
    }

    /// Decodes all values at once as a type of your own. In this type, the properties for keys that are listed in
    /// `$secrets` must be ``Secret`` values.
    ///
    /// - Throws: ``EnvironmentError`` with the key and the line of the first value that cannot be decoded.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(EnvironmentError) -> Value {
        try decode(layers.root, key: nil, as: type)
    }

    /// The base URL stored under a key.
    func baseURL(_ key: String) throws(EnvironmentError) -> BaseURL {
        if let baseURL = baseURLs[key] { return baseURL }
        let text: String = try value(key)
        do throws(FileProblem) { return try BaseURL(text) } catch {
            guard let setting = layers.root[path: key] else { throw EnvironmentError(.missingKey, [error]) }
            throw wrongType(setting, key, error.message, fix: error.fix)
        }
    }

    /// Returns true if the key's value is a secret, a part of a secret, or a dictionary that contains a secret.
    package func isSecret(_ key: String) -> Bool {
        layers.rules.secrets.contains { secret in
            secret == key || secret.begins(with: key + ".") || key.begins(with: secret + ".")
        }
    }

    // MARK: Decoding

    /// - Parameter key: the setting's key; nil for the root.
    private func decode<Value: Decodable>(
        _ setting: Setting, key: String?, as type: Value.Type
    ) throws(EnvironmentError) -> Value {
        let vault = SecretVault(self)
        do {
            let node = vault?.hidden(setting.node, at: key ?? "") ?? setting.node
            return try decoder(with: vault).decode(type, from: node.json())
        } catch {
            // The errors of a type's own `init(from:)` can contain values.
            throw failure(error, of: setting, key: key, as: type, vault).redacted(by: CallSecrets(self))
        }
    }

    // These functions are not generic, so that the code exists once for all types.

    private func missing(_ key: String) -> EnvironmentError {
        let other = key == BaseURLKey.standard ? BaseURLKey.other(in: layers.root) : nil
        let hint = NearestName.hint(key, in: layers.settingPaths)
        return EnvironmentError(
            .missingKey,
            "the key \"\(key)\" is missing"
                + (hint.isEmpty ? other.map { "; the environment's URL is under \"\($0)\"" } ?? "" : hint), file: path,
            fix: other.map { "rename that key, or set the configuration's baseURLKey to \"\($0)\"" }
                ?? "add it, or correct the name in the code")
    }

    /// The error for a value that cannot be decoded.
    private func failure(
        _ error: any Error, of setting: Setting, key: String?, as type: Any.Type, _ vault: SecretVault?
    ) -> EnvironmentError {
        if let error = error as? SecretVault.Unfit {
            return wrongType(
                layers.root[path: error.key] ?? setting, error.key, "the secret is not \(error.type)",
                fix: "correct the value, or read it as another type")
        }
        guard let error = error as? DecodingError else {
            return EnvironmentError(.wrongType, "\(error)", file: path)
        }
        let place = CodingPath.text(error.path)
        let separator = key == nil || place.isEmpty || place.hasPrefix("[") ? "" : "."
        let path = (key ?? "") + separator + place
        // A list as a whole is a setting, but its elements are not, so an error in an element is reported for the list.
        let found = layers.root[path: String(path.prefix { $0 != "[" })] ?? setting
        if let secret = vault?.key(at: path) {
            return wrongType(
                layers.root[path: secret] ?? setting, secret, "it is a secret",
                fix: "read it as Secret<…>, and call reveal() where it is used")
        }
        let isMissingKey = if case .keyNotFound = error { true } else { false }
        return EnvironmentError(
            isMissingKey ? .missingKey : .wrongType,
            [
                found.source.problem(
                    (path.isEmpty ? "" : "the key \"\(path)\" is \(found.value.kind): ")
                        + error.reason(inValidJSON: true),
                    fix: "correct the value, or read it as another type than \(type)")
            ])
    }

    private func decoder(with vault: SecretVault?) -> JSONDecoder {
        guard let vault, let key = SecretVault.userInfoKey else { return .standard }
        let decoder = JSONDecoder.makeStandard()
        decoder.userInfo = [key: vault]
        return decoder
    }

    private func wrongType(_ setting: Setting, _ key: String, _ message: String, fix: String?) -> EnvironmentError {
        EnvironmentError(.wrongType, [setting.source.problem("the key \"\(key)\": \(message)", fix: fix)])
    }
}

extension Node.Value {
    /// Returns the value as a type that needs no decoder, or as an optional of this type. Returns nil for any other
    /// type, and for a value that does not fit into the type.
    func plain(as type: Any.Type) -> Any? {
        switch (self, type) {
        case (.boolean(let flag), is Bool.Type): flag
        case (.integer(let number), is Int.Type): Int(exactly: number)
        case (.integer(let number), is Int64.Type): number
        case (.integer(let number), is Double.Type): Double(number)
        case (.real(let number), is Double.Type): number
        case (.string(let text), is String.Type): text
        case (.string(let text), is URL.Type): URLText.url(text)
        case (.string(let text), is Date.Type): ISO8601Text.date(text)
        case (.date(let date), is Date.Type): date
        case (.string(let text), is Data.Type): Data(base64Encoded: text)
        case (.data(let data), is Data.Type): data
        default: (type as? any AnyOptional.Type).flatMap { plain(as: $0.wrapped) }
        }
    }
}

/// The types that contain URLs: `URL`, and optionals, lists and dictionaries of `URL`. Texts that are decoded as these
/// types must be URLs.
///
/// `JSONDecoder` alone would accept `127.0.0.1:8080/api` and `two words` as URLs, because Foundation escapes them or
/// treats them as relative URLs.
protocol HoldsURLs {}

extension URL: HoldsURLs {}
extension Optional: HoldsURLs where Wrapped: HoldsURLs {}
extension Secret: HoldsURLs where Value: HoldsURLs {}
extension Array: HoldsURLs where Element: HoldsURLs {}
extension Set: HoldsURLs where Element: HoldsURLs {}
extension Dictionary: HoldsURLs where Value: HoldsURLs {}

extension Node {
    /// The first text in this value that is not a URL; nil if all texts are URLs.
    var textThatIsNoURL: String? {
        var found: String?
        visit { node in
            if found == nil, let text = node.string, URLText.absolute(text) == nil { found = text }
        }
        return found
    }
}
