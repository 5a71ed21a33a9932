import FingerpostFiles

/// The values of an environment as generated code reads them, by their dotted paths.
///
/// ```swift
/// extension Environment {
///     var timeout: Double { declared["timeout"] }      // what the plugin and `fingerpost generate` write
/// }
/// ```
///
/// The environment files were checked when the code was generated, so reading cannot fail for an environment that was loaded from
/// them, and nothing is thrown. Where the name or the type of a key is not known for certain, use
/// ``Environment/value(_:as:)`` instead.
public struct DeclaredValues: Sendable {
    private let table: DeclaredTable

    init(_ layers: LayeredEnvironment, settings: [String: Setting], isSealed: Bool, environment: String) {
        table = DeclaredTable(layers, settings: settings, isSealed: isSealed, environment: environment)
    }

    /// The value of a key.
    ///
    /// Ends the process, with a message that names the key and the environment, when there is no such key or its value is of another
    /// type. That happens to environments that were made in code, or loaded from other files than the generated code was made from.
    @inlinable public subscript<Value: DeclaredValue>(key: StaticString) -> Value {
        // Only what knows the type is compiled where it is used, which saves the time that generic code takes.
        guard let value = Value(declared: entry(key)) else { fail(key, Value.self) }
        return value
    }

    /// True when the environment has the key.
    public func contains(_ key: StaticString) -> Bool {
        entry(key) != nil
    }

    @usableFromInline func entry(_ key: StaticString) -> DeclaredEntry? {
        table.entry(key)
    }

    @usableFromInline func fail(_ key: StaticString, _ type: Any.Type) -> Never {
        table.fail(key, type)
    }
}
