import FingerpostFiles
public import Foundation

/// Methods that generated accessors call. The underscores keep the methods' names out of documentation and completion.
/// In code written by hand, use ``value(_:as:)``.
///
/// ```
/// extension Environment {
///     var timeout: Double { _declared("timeout") }      // written by the plugin or `fingerpost-cli generate`
/// }
/// ```
///
/// The environment files are checked when the code is generated. Therefore, reading a value cannot fail if the
/// environment was loaded from these files, and the accessors do not throw.
extension Environment {
    /// Returns the value of a key; nil if the key is missing and the value's type is optional.
    ///
    /// If the key is missing or its value has a different type, this method ends the process with a message that names
    /// the key and the environment. These mistakes are possible only if the environment was created in code, or was not
    /// loaded from the files that the accessors were generated from.
    public func _declared<Value: _DeclaredValue>(_ key: String) -> Value {
        let isAbsent = layers.root[path: key]?.value.isNull ?? true
        if isAbsent, layers.standIn(for: key) == nil, let type = Value.self as? any ExpressibleByNilLiteral.Type,
            let none = type.init(nilLiteral: ()) as? Value
        {
            return none
        }
        do { return try value(key) } catch { fatalError(failure(of: key, as: Value.self, error)) }
    }

    private func failure(of key: String, as type: Any.Type, _ error: EnvironmentError) -> String {
        guard let setting = layers.root[path: key] else {
            let hint = NearestName.hint(key, in: layers.settingPaths.inOrder)
            return "the environment \(name) has no key \"\(key)\"\(hint), which generated code reads. "
                + "Fix: add it, or load the environment from the files that the code was generated from"
        }
        return "the key \"\(key)\" of the environment \(name) is \(setting.value.kind), which generated code reads as "
            + "\(type). Fix: correct the value, or generate the code again. \(error)"
    }

    /// True if the environment has the key.
    public func _declares(_ key: String) -> Bool { layers.root[path: key] != nil }
}

/// The types that generated accessors can return: `Bool`, `Int`, `Int64`, `Double`, `String`, `URL`, `Date`, `Data`,
/// arrays of these, ``Secret`` values of these types, and optionals of all of these.
public protocol _DeclaredValue: Decodable, Sendable {}

extension Bool: _DeclaredValue {}
extension Int: _DeclaredValue {}
extension Int64: _DeclaredValue {}
extension Double: _DeclaredValue {}
extension String: _DeclaredValue {}
extension URL: _DeclaredValue {}
extension Date: _DeclaredValue {}
extension Data: _DeclaredValue {}
extension Array: _DeclaredValue where Element: _DeclaredValue {}
extension Optional: _DeclaredValue where Wrapped: _DeclaredValue {}
extension Secret: _DeclaredValue where Value: _DeclaredValue {}
