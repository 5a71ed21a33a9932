import Fingerpost
import Foundation

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

/// A dictionary with string keys. `JSONDecoder` does not apply its key strategy to the keys of such a dictionary.
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
