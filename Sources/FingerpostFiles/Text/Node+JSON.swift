package import Foundation

/// Encodes values as JSON, the counterpart of ``JSONReader``. Dates are encoded as ISO 8601 and data as base64.
extension Node: Encodable {
    /// Encodes the value to any encoder; ``json()`` returns JSON directly.
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

    /// The JSON text of the value, with sorted keys.
    package func json() throws -> Data { try Self.encoder.encode(self) }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Property lists can contain these numbers, but JSON cannot.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }()
}
