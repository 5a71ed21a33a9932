/// A value that is never shown by accident: interpolation, descriptions, dumps and encoders show only the key, as in
/// `<secret analytics.key>`, and mirrors are empty.
///
/// ```swift
/// let key = try environment.value("analytics.key", as: Secret<String>.self)
/// print(key)                                   // <secret analytics.key>
/// request.setValue(key.reveal(), forHTTPHeaderField: "X-Api-Key")
/// ```
///
/// List the key under `"$secrets"` in an environment file. A committed file that contains the key's value is then an
/// error, and the client redacts the value in every error, even in text that a server sends back. A value shipped
/// inside an app is not secret, even if its type is ``Secret``: anyone who has the app can read it.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value
    private let key: String

    /// - Parameters:
    ///   - value: the value to hide.
    ///   - key: the key shown instead of the value.
    public init(_ value: Value, key: String) {
        self.value = value
        self.key = key
    }

    /// Returns the value itself. Search the code for `reveal()` to find every use of a secret.
    public func reveal() -> Value { value }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// The key, as in `<secret analytics.key>`.
    public var description: String { "<secret \(key)>" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable where Value: Equatable {
    /// Compares the values and ignores the keys.
    public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
}

extension Secret: Encodable {
    /// Encodes the description, never the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Secret: Decodable where Value: Decodable {
    /// Decodes the value. If the key is listed in `$secrets`, descriptions of the secret show this key. Otherwise,
    /// descriptions show the coding path.
    public init(from decoder: any Decoder) throws {
        if let secret = try SecretVault.value(Value.self, from: decoder) {
            (value, key) = secret
        } else {
            // A decoder applies its own formats of URLs, dates and data only to values in containers.
            value = try decoder.singleValueContainer().decode(Value.self)
            key = CodingPath.text(decoder.codingPath)
        }
    }
}

/// A ``Secret`` with any type of value.
protocol SecretValue {
    func named(_ key: String) -> Self
}

extension Secret: SecretValue {
    func named(_ key: String) -> Self { Secret(value, key: key) }
}
