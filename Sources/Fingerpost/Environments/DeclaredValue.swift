import FingerpostFiles
public import Foundation

/// The types that the keys of environment files have in generated code: `Bool`, `Int`, `Double`, `String`, `URL`, `Date`, `Data`,
/// lists of one of these, ``Secret`` of any of them, and optionals. It is not meant for other types: decode those with
/// ``Environment/value(_:as:)``.
public protocol DeclaredValue: Sendable {
    /// - Parameter entry: nil when the environment does not have the key.
    /// - Returns: nil when the value is missing or of another type.
    init?(declared entry: DeclaredEntry?)
}

/// One value of an environment, ready to be read by generated code.
public final class DeclaredEntry: Sendable {
    @usableFromInline let path: String
    let value: Node.Value
    /// The path.
    let bytes: [UInt8]
    /// The value as a URL, if it is one. Making it is slow, so that it is done once.
    let url: URL?
    /// A list in the type of its elements.
    @usableFromInline let list: (any Sendable)?
    @usableFromInline let isSecret: Bool
    @usableFromInline let isNull: Bool

    init(path: String, value: Node.Value, isSecret: Bool) {
        self.path = path
        self.value = value
        bytes = Array(path.utf8)
        isNull = if case .null = value { true } else { false }
        self.isSecret = isSecret
        url = if case .string(let text) = value, URLText.isURL(text) { URL(string: text) } else { nil }
        list =
            if case .array(let elements) = value {
                Self.list(elements.map { DeclaredEntry(path: path, value: $0.value, isSecret: isSecret) })
            } else {
                nil
            }
    }

    func has(_ path: UnsafeRawBufferPointer) -> Bool {
        bytes.count == path.count
            && bytes.withUnsafeBytes { own in
                guard let a = own.baseAddress, let b = path.baseAddress else { return true }
                return memcmp(a, b, path.count) == 0
            }
    }

    /// The elements of a list that is asked for in another type than it is kept in.
    @usableFromInline func elements<Value: DeclaredValue>(_ type: Value.Type) -> [Value]? {
        guard case .array(let elements) = value else { return nil }
        return Self.all(type, elements.map { DeclaredEntry(path: path, value: $0.value, isSecret: isSecret) })
    }

    private static func list(_ elements: [DeclaredEntry]) -> (any Sendable)? {
        // A type that all have; whole numbers are real ones too, and URLs texts.
        if let urls = all(URL.self, elements), !urls.isEmpty { return urls }
        if let texts = all(String.self, elements) { return texts }
        if let numbers = all(Int.self, elements) { return numbers }
        if let numbers = all(Double.self, elements) { return numbers }
        if let flags = all(Bool.self, elements) { return flags }
        return all(Date.self, elements) ?? all(Data.self, elements)
    }

    static func all<Value: DeclaredValue>(_ type: Value.Type, _ elements: [DeclaredEntry]) -> [Value]? {
        let values = elements.compactMap { Value(declared: $0) }
        return values.count == elements.count ? values : nil
    }
}

extension Bool: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        guard case .boolean(let flag) = entry?.value else { return nil }
        self = flag
    }
}

extension Int: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        guard case .integer(let number) = entry?.value else { return nil }
        self = number
    }
}

extension Double: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        switch entry?.value {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        guard case .string(let text) = entry?.value else { return nil }
        self = text
    }
}

extension URL: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        guard let url = entry?.url else { return nil }
        self = url
    }
}

extension Date: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        switch entry?.value {
        case .date(let date): self = date
        case .string(let text):
            guard let date = ISO8601Text.date(text) else { return nil }
            self = date
        default: return nil
        }
    }
}

extension Data: DeclaredValue {
    public init?(declared entry: DeclaredEntry?) {
        switch entry?.value {
        case .data(let data): self = data
        case .string(let text):
            guard let data = Data(base64Encoded: text) else { return nil }
            self = data
        default: return nil
        }
    }
}

extension Array: DeclaredValue where Element: DeclaredValue {
    @inlinable public init?(declared entry: DeclaredEntry?) {
        guard let entry else { return nil }
        if let list = entry.list as? Self {
            self = list
            return
        }
        guard let list = entry.elements(Element.self) else { return nil }
        self = list
    }
}

extension Optional: DeclaredValue where Wrapped: DeclaredValue {
    @inlinable public init?(declared entry: DeclaredEntry?) {
        guard let entry else {
            self = .none
            return
        }
        if entry.isNull {
            self = .none
        } else {
            guard let value = Wrapped(declared: entry) else { return nil }
            self = .some(value)
        }
    }
}

extension Secret: DeclaredValue where Value: DeclaredValue {
    @inlinable public init?(declared entry: DeclaredEntry?) {
        guard let entry, entry.isSecret, let value = Value(declared: entry) else { return nil }
        self.init(value, key: entry.path)
    }
}
