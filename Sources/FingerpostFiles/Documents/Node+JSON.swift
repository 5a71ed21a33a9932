package import Foundation

/// Encodes values as JSON text that ``JSONReader`` can read. Dates are encoded as ISO 8601 text and data as base64
/// text.
extension Node: Encodable {
    /// Encodes the value with any encoder. To get JSON text, use ``json()``.
    package func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .dictionary(let entries):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for entry in entries { try container.encode(entry.node, forKey: AnyCodingKey(entry.key)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let flag): try flag.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .real(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .date(let date): try ISO8601Text.text(of: date).encode(to: encoder)
        case .data(let data): try data.base64EncodedString().encode(to: encoder)
        }
    }

    /// The value as JSON text with sorted keys.
    package func json() throws -> Data { try Self.encoder.encode(self) }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Property lists can contain numbers that are not finite, but JSON cannot.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }()
}
