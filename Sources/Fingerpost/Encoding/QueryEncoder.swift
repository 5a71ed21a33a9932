import FingerpostFiles
import Foundation

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

    /// False for a form, which is a body.
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
            name: target.writer.element(name, index), target: target, codingPath: codingPath + [AnyCodingKey(index)])
    }

    // Not inlined: there would be a copy of everything that it calls for each type of number.
    @inline(never)
    fileprivate func append(_ value: any Encodable) throws {
        try target.writer.append(name, value, codingPath: codingPath)
    }

    private func append(text: String) throws { try target.writer.appendScalar(name, text, codingPath) }
}

extension QueryEncoder: SingleValueEncodingContainer {
    // Nil values are left out of the query.
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
        func superEncoder() -> any Encoder { encoder.nested(AnyCodingKey("super")) }
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
