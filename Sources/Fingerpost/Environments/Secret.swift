/// A value that nobody sees by accident: it prints as `<secret key>`, in interpolation, descriptions, dumps and mirrors, and encodes as
/// that.
///
/// ```swift
/// let key = try environment.value("analytics.key", as: Secret<String>.self)
/// print(key)                                   // <secret analytics.key>
/// request.setValue(key.reveal(), forHTTPHeaderField: "X-Api-Key")
/// ```
///
/// List the key in `"$secrets"` of an environment file: then no committed file may hold its value, and the client leaves it out of every
/// error, also when a server repeats it. What ships inside an app is not secret, whatever its type: whoever has the app can read it.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value
    private let key: String

    /// - Parameters:
    ///   - value: what nobody should see.
    ///   - key: what it prints as.
    public init(_ value: Value, key: String) {
        self.value = value
        self.key = key
    }

    /// The value itself. Search the code for `reveal()` to see everything that uses secrets.
    public func reveal() -> Value { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret \(key)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable where Value: Equatable {
    public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
}

extension Secret: Encodable {
    /// As its description, never as its value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Secret: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        if let secret = try SecretVault.value(Value.self, from: decoder) {
            (value, key) = secret
        } else {
            value = try Value(from: decoder)
            key = CodingPath.text(decoder.codingPath)
        }
    }
}

/// A ``Secret`` of any value.
protocol SecretValue {
    func named(_ key: String) -> Self
}

extension Secret: SecretValue {
    func named(_ key: String) -> Self { Secret(value, key: key) }
}
