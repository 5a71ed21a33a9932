import FingerpostFiles
import Foundation

/// Writes `name=value&name=value` into a buffer of bytes.
struct QueryWriter {
    /// The output, which begins with the bytes before the query in the URL.
    private(set) var bytes: [UInt8] = []
    let dialect: QueryDialect
    /// True if a space is written as `+`, as in form bodies, instead of as `%20`.
    private(set) var plusForSpace = false
    /// The byte to write before the next query item: `?` or `&`; nil for no byte.
    private(set) var separator: UInt8?

    /// - Throws: `EncodingError` if a query cannot represent a value.
    mutating func append(_ parameters: Parameters) throws {
        for case (let name, let value?) in parameters.elements {
            do {
                try append(name, value)
            } catch {
                // An error thrown while encoding `Fields` already contains the name of the field that failed.
                if value is Parameters.Fields { throw error }
                throw EncodingError(error, of: value, below: AnyCodingKey(stringValue: name))
            }
        }
    }

    /// - Parameter name: the name of the value; nil for a value whose fields are top-level names.
    mutating func append(_ name: String?, _ value: some Encodable, codingPath: [any CodingKey] = []) throws {
        // Write common types directly, without an encoder.
        if let text = exactly(value, String.self) {
            try appendScalar(name, text, codingPath)
        } else if let number = exactly(value, Int.self) {
            try appendScalar(name, number.description, codingPath)
        } else if let flag = exactly(value, Bool.self) {
            try appendScalar(name, dialect.text(of: flag), codingPath)
        } else if let fields = exactly(value, Parameters.Fields.self) {
            try encode(fields.value, name: nil, codingPath: codingPath)
        } else {
            try encode(value, name: name, codingPath: codingPath)
        }
    }

    /// Encodes a value with the value's own `encode(to:)`, unless its type has a special format in queries.
    private mutating func encode(_ value: some Encodable, name: String?, codingPath: [any CodingKey]) throws {
        switch value {
        case let date as Date: try appendScalar(name, dialect.text(of: date, codingPath), codingPath)
        case let data as Data: try appendScalar(name, data.base64EncodedString(), codingPath)
        case let url as URL: try appendScalar(name, url.absoluteString, codingPath)
        case let decimal as Decimal: try appendScalar(name, decimal.description, codingPath)
        case let value as JSONValue where value == .null: try appendScalar(name, "", codingPath)
        default:
            let (count, separator) = (bytes.count, separator)
            do {
                switch (value as? any Unordered)?.members {
                case .pairs(let pairs)?:
                    for (key, value) in pairs {
                        try append(nested(name, key), value, codingPath: codingPath + [AnyCodingKey(stringValue: key)])
                    }
                case .elements(let elements)?:
                    let sorted = try sorted(elements, name: name, codingPath: codingPath)
                    for (index, element) in sorted.enumerated() {
                        try append(
                            self.element(name, index), element, codingPath: codingPath + [AnyCodingKey(intValue: index)]
                        )
                    }
                case nil:
                    try encodeItself(value, name: name, codingPath: codingPath)
                }
            } catch {
                // The caller may catch the error and continue, so discard the partial output.
                bytes.removeSubrange(count...)
                self.separator = separator
                throw EncodingError(error, of: value, at: codingPath)
            }
        }
    }

    /// Sorts the elements of a set by their text in the query.
    private func sorted(
        _ elements: [any Encodable], name: String?, codingPath: [any CodingKey]
    ) throws -> [any Encodable] {
        try elements.map { element in
            var writer = QueryWriter(dialect: dialect)
            try writer.append(self.element(name, 0), element, codingPath: codingPath)
            return (element, writer.bytes)
        }
        .ordered { $0.1.lexicographicallyPrecedes($1.1) }
        .map(\.0)
    }

    private mutating func encodeItself(_ value: some Encodable, name: String?, codingPath: [any CodingKey]) throws {
        let encoder = QueryEncoder(name: name, target: QueryEncoder.Target(self), codingPath: codingPath)
        // Move the buffer so that it has a single owner. If the buffer had two owners, writing each value in a list
        // would copy the whole buffer.
        bytes = []
        defer { self = encoder.target.writer }
        try value.encode(to: encoder)
    }

    // MARK: Names

    /// Returns the name of a field in a nested value.
    func nested(_ name: String?, _ key: String) -> String {
        guard let name else { return key }
        return switch dialect.nesting {
        case .brackets: "\(name)[\(key)]"
        case .dots: "\(name).\(key)"
        }
    }

    /// Returns the name of an array element; nil if the array itself has no name.
    func element(_ name: String?, _ index: Int) -> String? {
        guard let name else { return nil }
        return switch dialect.arrays {
        case .repeated: name
        case .brackets: "\(name)[]"
        case .indexed: "\(name)[\(index)]"
        }
    }

    // MARK: Scalars

    func text(of number: some BinaryFloatingPoint & CustomStringConvertible, _ path: [any CodingKey]) throws -> String {
        guard number.isFinite else {
            // The number is nan, inf or -inf, so the message reveals no secret.
            throw EncodingError(number, at: path, because: "a query cannot represent \(number)")
        }
        return number.description
    }

    mutating func appendScalar(_ name: String?, _ text: String, _ codingPath: [any CodingKey]) throws {
        guard let name else {
            throw EncodingError(
                text, at: codingPath,
                because: "a query needs names: use a struct or a dictionary, or name the value")
        }
        if codingPath.count > 1, dialect.arrays != .indexed, codingPath.dropLast().contains(where: \.isIndex) {
            throw EncodingError(
                text, at: codingPath,
                because: "this dialect does not tell the lists and objects in a list apart: "
                    + "use QueryDialect(arrays: .indexed), or send JSON")
        }
        if let separator { bytes.append(separator) }
        separator = UInt8(ascii: "&")
        escape(name)
        bytes.append(UInt8(ascii: "="))
        escape(text)
    }

    @inline(never)
    private mutating func escape(_ text: String) {
        let start = bytes.count
        bytes.append(text, escapingAllBut: plusForSpace ? PercentEncoding.unescapedInForms : PercentEncoding.unreserved)
        guard plusForSpace else { return }
        for index in start..<bytes.count where bytes[index] == UInt8(ascii: " ") { bytes[index] = UInt8(ascii: "+") }
    }
}

extension CodingKey {
    /// True if this key is an index of a list. A coding key of an enum can also be a number, but is not an index.
    fileprivate var isIndex: Bool { self is AnyCodingKey && intValue != nil }
}

/// A collection without an order. Queries sort the elements so that equal values give equal requests.
private protocol Unordered {
    var members: UnorderedMembers? { get }
}

private enum UnorderedMembers {
    /// Key-value pairs sorted by key.
    case pairs([(String, any Encodable)])
    case elements([any Encodable])
}

extension Set: Unordered where Element: Encodable {
    fileprivate var members: UnorderedMembers? { .elements(Array(self)) }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    /// The pairs, sorted by key; nil if a key cannot be converted to a name.
    fileprivate var members: UnorderedMembers? {
        if Key.self == Int.self, let numbered = self as? [Int: Value] {
            return .pairs(numbered.ordered { $0.key < $1.key }.map { (String($0.key), $0.value) })
        }
        var pairs: [(String, any Encodable)] = []
        for (key, value) in self {
            guard let name = Self.name(of: key) else { return nil }
            pairs.append((name, value))
        }
        return .pairs(pairs.ordered { $0.0 < $1.0 })
    }

    /// The name for a dictionary key. The key can be a string, an integer, an enum with a string or integer raw value,
    /// or a `CodingKeyRepresentable` value; for any other key the name is nil.
    private static func name(of key: Key) -> String? {
        switch key {
        case let key as any CodingKeyRepresentable: key.codingKey.stringValue
        case let key as any RawRepresentable:
            (key.rawValue as? String) ?? (key.rawValue as? any BinaryInteger).map { "\($0)" }
        case let number as any BinaryInteger: "\(number)"
        default: nil
        }
    }
}

/// Casts a value to a type if that type is exactly the value's static type; otherwise returns nil. This cast needs only
/// one comparison, while `as?` also checks bridging, wrapped values and subclasses.
@inline(__always)
func exactly<Value, Known>(_ value: Value, _ type: Known.Type) -> Known? {
    // `unsafeBitCast` is safe here because both types are the same.
    Value.self == type ? unsafeBitCast(value, to: type) : nil
}

/// Encodes a value as names and scalar values in a query.
struct QueryEncoder: Encoder {
    /// The writer shared by all containers of one value.
    final class Target {
        var writer: QueryWriter
        init(_ writer: QueryWriter) { self.writer = writer }
    }

    /// The name of the value in the query. At the top level, the name is nil, and the value's field names are used
    /// without a prefix.
    let name: String?
    let target: Target
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// True for a query in a URL; false for a form, which is a body.
    var isOfURL: Bool { !target.writer.plusForSpace }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    fileprivate func nested(_ key: some CodingKey) -> QueryEncoder {
        QueryEncoder(name: target.writer.nested(name, key.stringValue), target: target, codingPath: codingPath + [key])
    }

    @inline(never)
    fileprivate func element(_ index: Int) -> QueryEncoder {
        QueryEncoder(
            name: target.writer.element(name, index), target: target,
            codingPath: codingPath + [AnyCodingKey(intValue: index)])
    }

    // This function is not inlined, because each number type would otherwise get a copy of everything that it calls.
    @inline(never)
    fileprivate func append(_ value: any Encodable) throws {
        try target.writer.append(name, value, codingPath: codingPath)
    }

    private func append(text: String) throws { try target.writer.appendScalar(name, text, codingPath) }
}

extension QueryEncoder: SingleValueEncodingContainer {
    // A value that is nil is left out of the query.
    func encodeNil() {}
    func encode(_ value: some BinaryFloatingPoint & CustomStringConvertible & Encodable) throws {
        try append(text: target.writer.text(of: value, codingPath))
    }
    func encode(_ value: some BinaryInteger & Encodable) throws { try append(text: value.description) }
    func encode(_ value: some Encodable) throws { try append(value) }
}

extension QueryEncoder {
    fileprivate struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: QueryEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) {}
        func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.nested(key).append(value) }
        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.nested(key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.nested(key).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { encoder.nested(AnyCodingKey(stringValue: "super")) }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key) }
    }

    fileprivate struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: QueryEncoder
        var count = 0
        var codingPath: [any CodingKey] { encoder.codingPath }

        @inline(never)
        private mutating func next() -> QueryEncoder {
            defer { count += 1 }
            return encoder.element(count)
        }

        mutating func encodeNil() { _ = next() }
        mutating func encode(_ value: some Encodable) throws { try next().append(value) }
        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            next().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { next() }
    }
}
