import FingerpostFiles
public import Foundation

/// Methods that generated accessors call. The underscores keep the methods' names out of documentation and completion.
/// In code written by hand, use ``value(_:as:)``.
///
/// ```swift
/// extension Environment {
///     var timeout: Double { _declared("timeout") }      // written by the plugin or `fingerpost-cli generate`
/// }
/// ```
///
/// The environment files are checked when the code is generated. Therefore, reading a value cannot fail if the
/// environment was loaded from these files, and the accessors do not throw.
extension Environment {
    /// Returns the value of a key.
    ///
    /// Ends the process, with a message that names the key and the environment, if the key is missing or its value has
    /// a different type. This can happen only if the environment was created in code, or was not loaded from the files
    /// that the accessors were generated from.
    public func _declared<Value: _DeclaredValue>(_ key: String) -> Value {
        let setting = layers.root[path: key]
        if let value = Value._read(_DeclaredSetting(setting, at: key, in: layers)) { return value }
        guard let setting else {
            let hint = NearestName.hint(key, in: layers.settingPaths.sorted())
            fatalError(
                "the environment \(name) has no key \"\(key)\"\(hint), which generated code reads. "
                    + "Fix: add it, or load the environment from the files that the code was generated from")
        }
        var kind = "\(setting.value.kind)"
        if case .integer(let number) = setting.value, Int(exactly: number) == nil {
            kind += " with more than \(Int.bitWidth) bits"
        }
        fatalError(
            "the key \"\(key)\" of the environment \(name) is \(kind), which generated code reads as "
                + "\(Value.self). Fix: correct the value, or generate the code again")
    }

    /// True if the environment has the key.
    public func _declares(_ key: String) -> Bool { layers.root[path: key] != nil }
}

/// One value of an environment, in the form that generated code reads.
public struct _DeclaredSetting: Sendable {
    /// The value; null if the key is missing.
    fileprivate let value: Node.Value
    /// The key that is shown in place of the value if the value is secret; nil for other values.
    fileprivate let secret: String?
}

extension _DeclaredSetting {
    init(_ setting: Setting?, at key: String, in layers: LayeredEnvironment) {
        let standIn = setting?.isNull == true ? layers.standIn(for: key) : nil
        self.init(
            value: standIn.map(Node.Value.string) ?? setting?.value ?? .null,
            secret: layers.rules.secrets.contains(key) ? key : nil)
    }
}

extension _DeclaredSetting: CustomReflectable {
    /// Empty, because the value can be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The types that generated accessors can return: `Bool`, `Int`, `Int64`, `Double`, `String`, `URL`, `Date`, `Data`,
/// arrays of these, ``Secret`` values of these types, and optionals of all of these.
public protocol _DeclaredValue: Sendable {
    /// - Returns: nil if the value has a different type.
    static func _read(_ setting: _DeclaredSetting) -> Self?
}

extension _DeclaredValue {
    /// Reads the value for generated code; nil if the setting has another type.
    public static func _read(_ setting: _DeclaredSetting) -> Self? { setting.value.plain(as: Self.self) as? Self }
}

extension Bool: _DeclaredValue {}
extension Int: _DeclaredValue {}
extension Int64: _DeclaredValue {}
extension Double: _DeclaredValue {}
extension String: _DeclaredValue {}
extension URL: _DeclaredValue {}
extension Date: _DeclaredValue {}
extension Data: _DeclaredValue {}

extension Array: _DeclaredValue where Element: _DeclaredValue {
    /// Reads the value for generated code; nil if the setting has another type.
    public static func _read(_ setting: _DeclaredSetting) -> [Element]? {
        guard case .array(let elements) = setting.value else { return nil }
        let values = elements.compactMap { Element._read(_DeclaredSetting(value: $0.value, secret: nil)) }
        return values.count == elements.count ? values : nil
    }
}

extension Optional: _DeclaredValue where Wrapped: _DeclaredValue {
    /// Reads the value for generated code; nil if the setting has another type.
    public static func _read(_ setting: _DeclaredSetting) -> Wrapped?? {
        setting.value.isNull ? .some(nil) : Wrapped._read(setting).map(Optional.some)
    }
}

extension Secret: _DeclaredValue where Value: _DeclaredValue {
    /// Reads the value for generated code; nil if the setting has another type.
    public static func _read(_ setting: _DeclaredSetting) -> Secret? {
        guard let key = setting.secret else { return nil }
        return Value._read(setting).map { Secret($0, key: key) }
    }
}
