import Foundation

/// Decodes a value just as its decoder would, and writes down every key that it asks for.
///
/// It stands around each value on the way down, so that the real decoder does the work and keeps its strategies. What `JSONDecoder`
/// reads in a way of its own it must get to see as it is: dates, data, URLs, decimal numbers, and dictionaries of strings.
struct Traced<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let trace = DecodingTrace.current, !Self.isReadWhole else {
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
    }
}

extension Traced: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { value = nil }
}

/// A dictionary of strings, whose keys no strategy of `JSONDecoder` changes.
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
