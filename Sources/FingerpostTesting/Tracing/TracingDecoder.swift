import Fingerpost
import FingerpostFiles
import Foundation

/// Forwards every call from a model to the real decoder and records the keys that the model requests.
struct TracingDecoder: Decoder {
    private let base: any Decoder
    private let source: Source

    /// The model that requests keys, and the trace that records these keys.
    struct Source {
        let trace: DecodingTrace
        let owner: DecodingTrace.Owner
    }

    init(_ base: any Decoder, reading type: Any.Type, for trace: DecodingTrace) {
        let owner = DecodingTrace.Owner(type, at: BodyPath(base.codingPath))
        self.init(base, Source(trace: trace, owner: owner))
    }

    fileprivate init(_ base: any Decoder, _ source: Source) {
        self.base = base
        self.source = source
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try base.container(keyedBy: type)
        return source.keyed(container, keys: try base.container(keyedBy: AnyCodingKey.self).allKeys)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Unkeyed(base: try base.unkeyedContainer(), source: source)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(base: try base.singleValueContainer(), source: source)
    }
}

extension TracingDecoder.Source {
    fileprivate func keyed<Key: CodingKey>(
        _ container: KeyedDecodingContainer<Key>, keys: [AnyCodingKey]
    ) -> KeyedDecodingContainer<Key> {
        trace.note(.object(BodyPath(container.codingPath), keys: keys.map(\.stringValue)))
        return KeyedDecodingContainer(Keyed(base: container, source: self))
    }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let source: TracingDecoder.Source

    private func note(_ key: some CodingKey) {
        source.trace.note(.key(key.stringValue, in: BodyPath(base.codingPath), by: source.owner))
    }

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        // A key type that accepts a control character accepts any key, so the object's keys are data.
        if Key(stringValue: "\u{1}") != nil { source.trace.note(.dictionary(BodyPath(base.codingPath))) }
        return base.allKeys
    }

    func contains(_ key: Key) -> Bool {
        note(key)
        return base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        note(key)
        return try base.decodeNil(forKey: key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        note(key)
        return try base.decode(Traced<Value>.self, forKey: key).value
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        note(key)
        return try base.decodeIfPresent(Traced<Value>.self, forKey: key)?.value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        note(key)
        let container = try base.nestedContainer(keyedBy: type, forKey: key)
        return source.keyed(container, keys: try base.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key).allKeys)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        note(key)
        return Unkeyed(base: try base.nestedUnkeyedContainer(forKey: key), source: source)
    }

    func superDecoder() throws -> any Decoder {
        note(AnyCodingKey(stringValue: "super"))
        return TracingDecoder(try base.superDecoder(), source)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        note(key)
        return TracingDecoder(try base.superDecoder(forKey: key), source)
    }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let source: TracingDecoder.Source

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try base.decode(Traced<Value>.self).value
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try base.decodeIfPresent(Traced<Value>.self)?.value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        // Opening the nested container advances `base` to the next element, so the keys are read through a copy of
        // `base`.
        var copy = base
        let container = try base.nestedContainer(keyedBy: type)
        return source.keyed(container, keys: try copy.nestedContainer(keyedBy: AnyCodingKey.self).allKeys)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Unkeyed(base: try base.nestedUnkeyedContainer(), source: source)
    }

    mutating func superDecoder() throws -> any Decoder { TracingDecoder(try base.superDecoder(), source) }
}

private struct Single: SingleValueDecodingContainer {
    let base: any SingleValueDecodingContainer
    let source: TracingDecoder.Source

    var codingPath: [any CodingKey] { base.codingPath }

    func decodeNil() -> Bool { base.decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // If a model requests its own type from a single-value container, wrapping the type in `Traced` would recurse
        // forever.
        if ObjectIdentifier(type) == source.owner.id { return try base.decode(type) }
        return try base.decode(Traced<Value>.self).value
    }
}

/// Decodes a value exactly as the decoder would without tracing, and records every key that the value's type requests.
///
/// Each nested value is wrapped in `Traced` too, so that the real decoder decodes the nested value and applies the
/// decoder's strategies. Dates, data, URLs and decimal numbers are not wrapped, because `JSONDecoder` treats these
/// types specially. Dictionaries with string keys stay dictionaries, and their values are traced.
struct Traced<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let trace = DecodingTrace.current
        if Value.self == JSONValue.self { trace?.note(.anything(BodyPath(decoder.codingPath))) }
        guard let trace, !Self.isReadWhole else {
            value = try decoder.singleValueContainer().decode(Value.self)
            return
        }
        value = try trace.attempt {
            if let dictionary = Value.self as? any StringDictionary.Type,
                let value = try dictionary.decode(from: decoder, trace) as? Value
            {
                return value
            }
            return try Value(from: TracingDecoder(decoder, reading: Value.self, for: trace))
        }
    }

    private static var isReadWhole: Bool {
        Value.self == Date.self || Value.self == Data.self || Value.self == URL.self || Value.self == Decimal.self
            || Value.self == JSONValue.self
    }
}

extension Traced: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { value = nil }
}

/// A dictionary with string keys. `JSONDecoder` does not apply its key strategy to these keys.
private protocol StringDictionary {
    static func decode(from decoder: any Decoder, _ trace: DecodingTrace) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
    fileprivate static func decode(from decoder: any Decoder, _ trace: DecodingTrace) throws -> Self {
        let values = try decoder.singleValueContainer().decode([String: Traced<Value>].self)
        trace.note(.dictionary(BodyPath(decoder.codingPath)))
        return values.mapValues(\.value)
    }
}

/// The keys that a model requests while the model is decoded. ``Traced`` records these keys.
final class DecodingTrace: Sendable {
    /// The trace of the current decoding. The property is task-local because `Decodable.init(from:)` has no parameter
    /// for a trace.
    @TaskLocal static var current: DecodingTrace?

    /// The type that an object is decoded into, and the path of that object.
    struct Owner: Sendable {
        let name: String
        /// Distinguishes types with the same name.
        let id: ObjectIdentifier
        let path: BodyPath

        init(_ type: Any.Type, at path: BodyPath) {
            name = String(describing: type)
            id = ObjectIdentifier(type)
            self.path = path
        }
    }

    enum Event: Sendable {
        /// A model began to decode the object at this path. `keys` lists all keys that the object contains.
        case object(BodyPath, keys: [String])
        /// The keys of the object at this path are data, because the model is a dictionary or a type that accepts any
        /// key.
        case dictionary(BodyPath)
        /// The model accepts any value at this path.
        case anything(BodyPath)
        /// A model requested a key.
        case key(String, in: BodyPath, by: Owner)
    }

    private let entries = Locked<[(event: Event, isTentative: Bool)]>([])

    func note(_ event: Event) { entries.withLock { $0.append((event, false)) } }

    /// Runs one attempt to decode a value. If the attempt fails, the model can try another type, as an enum with
    /// several payload types does. Keys that only a failed attempt requested are reported neither as absent nor as
    /// unread.
    func attempt<Value>(_ decode: () throws -> Value) throws -> Value {
        let start = entries.withLock { $0.count }
        do { return try decode() } catch {
            entries.withLock { entries in
                for index in entries.indices[start...] { entries[index].isTentative = true }
            }
            throw error
        }
    }

    func forEachEvent(_ body: (_ event: Event, _ isTentative: Bool) -> Void) {
        for entry in entries.withLock({ $0 }) { body(entry.event, entry.isTentative) }
    }
}
