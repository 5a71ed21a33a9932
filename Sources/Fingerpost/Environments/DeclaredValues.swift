import FingerpostFiles
import Foundation

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
    let table: DeclaredTable

    init(_ layers: LayeredEnvironment, file: URL?) {
        table = DeclaredTable(layers, file: file)
    }

    /// The value of a key.
    ///
    /// Ends the process, with a message that names the key and the environment, when there is no such key or its value is of another
    /// type. That happens to environments that were made in code, or loaded from other files than the generated code was made from.
    @inlinable public subscript<Value: DeclaredValue>(key: StaticString) -> Value {
        // Only what knows the type is compiled where it is used, which saves the time that generic code takes.
        guard let value = place(of: key).map({ Value.declared(at: $0, in: self) }) ?? Value.undeclared else {
            fail(key, Value.self)
        }
        return value
    }

    /// True when the environment has the key.
    public func contains(_ key: StaticString) -> Bool {
        place(of: key) != nil
    }

    subscript(place: Int) -> DeclaredEntry { table.entries[place] }

    /// The key that a secret prints as; nil for what is none.
    @usableFromInline func secretKey(at place: Int) -> String? {
        table.entries[place].isSecret ? table.entries[place].path : nil
    }

    @usableFromInline func isNull(at place: Int) -> Bool {
        table.entries[place].value.isNull
    }

    @usableFromInline func place(of key: StaticString) -> Int? {
        table.place(of: key)
    }

    @usableFromInline func fail(_ key: StaticString, _ type: Any.Type) -> Never {
        table.fail(key, type)
    }
}
