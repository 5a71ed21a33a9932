import FingerpostFiles
import Foundation

extension Environment {
    /// The value of a key.
    ///
    /// - Parameters:
    ///   - key: a key of the file; a nested one by dotted path, `analytics.host`.
    ///   - type: any `Decodable`. An integer is accepted for `Double`, and text with a scheme for `URL`. A key that `$secrets`
    ///     lists is a ``Secret``.
    /// - Throws: ``EnvironmentError``: `missingKey` with the nearest key, or `wrongType` with the line of the value.
    public func value<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value {
        guard let setting = settings[key] else {
            throw EnvironmentError(
                .missingKey, "the key \"\(key)\" is missing" + NearestName.hint(key, in: settings.keys), file: path,
                fix: "add it, or correct the name in the code")
        }
        if layers.rules.secrets.contains(key) { return try secret(setting, key: key, as: type) }
        switch (setting.value, type) {
        case (.string(let text), is String.Type): if let value = text as? Value { return value }
        case (.integer(let number), is Int.Type): if let value = number as? Value { return value }
        case (.boolean(let flag), is Bool.Type): if let value = flag as? Value { return value }
        case (.string(let text), is URL.Type):
            guard let url = URL(string: text), url.scheme != nil else {
                throw wrongType(
                    setting, key, "\"\(Redaction.url(text))\" is no URL with a scheme", fix: "write https://…")
            }
            if let value = url as? Value { return value }
        default: break
        }
        return try decode(setting.node, of: setting, key: key, as: type)
    }

    /// The value of a key that the environment may leave out.
    ///
    /// - Returns: nil when the key is missing or null.
    /// - Throws: ``EnvironmentError`` of the kind `wrongType`.
    public func optionalValue<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value? {
        guard let setting = settings[key] else { return nil }
        if case .null = setting.value { return nil }
        return try value(key, as: type)
    }

    /// Every value at once, as a type of your own. Declare what `$secrets` lists as ``Secret``, to keep it out of descriptions.
    ///
    /// - Throws: ``EnvironmentError`` with the key and the line of the first value that does not fit.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(EnvironmentError) -> Value {
        try decode(layers.root.node, of: layers.root, key: nil, as: type)
    }

    /// The base URL of the calls.
    func baseURL(_ key: String) throws(EnvironmentError) -> BaseURL {
        let text: String = try value(key)
        do throws(BaseURL.Unusable) { return try BaseURL(text) } catch {
            guard let setting = settings[key] else { throw EnvironmentError(.missingKey, error.reason, fix: error.fix) }
            throw wrongType(setting, key, error.reason, fix: error.fix)
        }
    }

    /// How the servers of this environment want queries written; nil leaves it to the client.
    var dialect: QueryDialect? {
        get throws(EnvironmentError) {
            let key = EnvironmentRules.Key.dialect.rawValue
            guard let setting = layers[key], let text = setting.node.string else { return nil }
            let dialects: [String: QueryDialect] = ["standard": .standard, "rails": .rails, "java": .java]
            if let dialect = dialects[text] { return dialect }
            throw EnvironmentError(
                .wrongType,
                setting.source.problem(
                    "\"\(text)\" is no value of \"\(key)\"" + NearestName.hint(text, in: dialects.keys),
                    fix: "use \(dialects.keys.sorted().joined(separator: ", "))"))
        }
    }

    // MARK: Decoding

    private func secret<Value: Decodable>(
        _ setting: Setting, key: String, as type: Value.Type
    ) throws(EnvironmentError) -> Value {
        guard type is any SecretValue.Type else {
            throw wrongType(
                setting, key, "it is a secret", fix: "ask for Secret<\(type)>, and call reveal() where it is used")
        }
        var node = setting.node
        // Mocks need no credentials, so a sealed environment may come without them.
        if isSealed, case .null = node.value { node = Node(.string("<secret \(key)>"), offset: node.offset) }
        let value = try decode(node, of: setting, key: key, as: type)
        return (value as? any SecretValue)?.named(key) as? Value ?? value
    }

    private func decode<Value: Decodable>(
        _ node: Node, of setting: Setting, key: String?, as type: Value.Type
    ) throws(EnvironmentError) -> Value {
        do {
            return try JSONDecoder.standard.decode(type, from: try NodeJSON.data(node))
        } catch let error as DecodingError {
            let place = CodingPath.text(error.path)
            let path = ([key].compactMap { $0 } + [place].filter { !$0.isEmpty }).joined(separator: ".")
            let found = settings[path] ?? setting
            let isMissingKey = if case .keyNotFound = error { true } else { false }
            throw EnvironmentError(
                isMissingKey ? .missingKey : .wrongType,
                found.source.problem(
                    (path.isEmpty ? "" : "the key \"\(path)\" is \(found.value.kind): ") + error.reason,
                    fix: "correct the value, or ask for another type than \(type)"))
        } catch {
            throw EnvironmentError(.wrongType, "\(error)", file: path)
        }
    }

    private func wrongType(_ setting: Setting, _ key: String, _ message: String, fix: String) -> EnvironmentError {
        EnvironmentError(.wrongType, setting.source.problem("the key \"\(key)\": \(message)", fix: fix))
    }
}
