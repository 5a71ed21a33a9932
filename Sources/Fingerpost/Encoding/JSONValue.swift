/// A JSON value of any kind: one that is written in code, or a property whose kind differs from response to response.
///
/// ```swift
/// Route.post("search").json(["text": "swift", "labels": [], "owner": .null])
/// Mocks.set("search", .json(["total_count": 0, "items": []]))
/// ```
///
/// For values with a fixed structure, use a type of your own.
public enum JSONValue: Sendable, Hashable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// Any other number. One that is not finite cannot be encoded.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Names and values.
    case object([String: JSONValue])
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
    /// Decodes a value of any kind. A number is an integer if `Int` can hold it, `1.0` too, and otherwise a `Double`.
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
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
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
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Names and values. Of equal names, the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension Optional where Wrapped == any Encodable & Sendable {
    /// A parameter that is sent as `null` in JSON and with an empty value in a query or form. A parameter that is nil is
    /// left out instead.
    public static var null: Self { JSONValue.null }
}
