import Foundation

/// A JSON value of any kind. Use this type for JSON that is written in code, and for properties whose kind differs
/// between responses.
///
/// ```swift
/// let search = Route.post("search").json(["text": "swift", "labels": [], "owner": .null] as JSONValue)
/// Mocks.set("search", .json(["total_count": 0, "items": []]))
/// ```
///
/// Read a value by its keys and indices. If the value is of another kind, the result is nil:
///
/// ```swift
/// let body = try JSONDecoder().decode(JSONValue.self, from: data)
/// let name = body["items"]?[0]?["name"]?.string
/// ```
///
/// For values with a fixed structure, use a type of your own.
public enum JSONValue: Sendable, Equatable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction. The type is `Int64`, because an `Int` on a watch is too small for many identifiers
    /// and times.
    case integer(Int64)
    /// Any other number. Infinity and NaN cannot be encoded.
    case number(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Names and values.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The value of a key; nil if this JSON value is not an object or has no such key.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The element at a zero-based index; nil if this JSON value is not a list or has no such index.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return Optional.none }
        return array[index]
    }

    /// The string; nil for a value of another kind.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// `true` or `false`; nil for a value of another kind.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number if it has no fraction; nil for any other value.
    public var int: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The number, with a fraction or without; nil for a value of another kind.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The values of the list; nil for a value of another kind.
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The names and values of the object; nil for a value of another kind.
    public var object: [String: JSONValue]? { if case .object(let values) = self { values } else { nil } }
}

extension JSONValue: Encodable {
    /// Encodes the value itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: Decodable {
    /// Decodes a value of any kind. A number that `Int64` can represent, such as `1` or `1.0`, becomes `integer`. Any
    /// other number becomes `number`.
    public init(from decoder: any Decoder) throws {
        // Each failed attempt only means that the value is of another kind.
        if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try [JSONValue](from: decoder))
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self), Self.isExact(value, in: container) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Returns false for an integer that a decoder has created from a number with a fraction. `JSONDecoder` drops the
    /// fraction of a large number, because a `Double` cannot represent the fraction.
    private static func isExact(_ value: Int64, in container: any SingleValueDecodingContainer) -> Bool {
        // A decoder of another format may not support `Decimal`.
        guard value.magnitude >= 1 << 50, let decimal = try? container.decode(Decimal.self) else { return true }
        return decimal == Decimal(value)
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number without a fraction.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Names and values. If a name occurs twice, its last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
}

extension Optional where Wrapped == any Encodable & Sendable {
    /// A parameter that is sent as `null` in JSON and with an empty value in a query or form. A parameter that is nil
    /// is left out instead.
    public static var null: Self { JSONValue.null }
}
