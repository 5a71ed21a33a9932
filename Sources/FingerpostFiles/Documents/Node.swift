package import Foundation

/// A value read from a JSON file or a property list, with its position in the text.
package struct Node: Sendable {
    /// The maximum number of dictionaries and lists around a value, which is the same as in Foundation's readers.
    package static let maximumDepth = 512

    package var value: Value
    /// The byte offset of the value in the file's text; nil for values in binary property lists and for values created
    /// in code.
    package var offset: Int?

    /// - Parameter offset: the byte offset of the value in the file's text; nil for a value created in code.
    package init(_ value: Value, offset: Int? = nil) {
        self.value = value
        self.offset = offset
    }

    /// The values that JSON or property lists can contain. Dictionaries keep the order of their keys in the file.
    package enum Value: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case date(Date)
        case data(Data)
        case array([Node])
        case dictionary([Entry])

        /// True for null.
        package var isNull: Bool { if case .null = self { true } else { false } }

        /// A text, a number or a boolean as text; nil for any other kind of value.
        package var scalarText: String? {
            switch self {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .boolean(let flag): "\(flag)"
            case .null, .date, .data, .array, .dictionary: nil
            }
        }

        /// The name of the value's kind with its article, for messages.
        package var kind: String {
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .integer: "an integer"
            case .real: "a real number"
            case .string: "a string"
            case .date: "a date"
            case .data: "data"
            case .array: "a list"
            case .dictionary: "a dictionary"
            }
        }
    }

    /// One key of a dictionary and its value.
    package struct Entry: Sendable {
        package var key: String
        /// The byte offset of the key in the file's text; nil for keys in binary property lists and for keys created in
        /// code.
        package var keyOffset: Int?
        package var node: Node

        package init(key: String, keyOffset: Int? = nil, node: Node) {
            self.key = key
            self.keyOffset = keyOffset
            self.node = node
        }
    }

    /// The entries of a dictionary; nil for any other kind of value.
    package var entries: [Entry]? { if case .dictionary(let entries) = value { entries } else { nil } }

    /// The elements of a list; nil for any other kind of value.
    package var elements: [Node]? { if case .array(let elements) = value { elements } else { nil } }

    /// The value of a key in a dictionary. If the dictionary contains the key more than once, the first value is
    /// returned, which is the one that `JSONDecoder` reads.
    package subscript(key: String) -> Node? { entries?.first { $0.key == key }?.node }

    /// The number, with a fraction or without; nil for any other kind of value.
    package var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The text of a string; nil for any other kind of value.
    package var string: String? { if case .string(let text) = value { text } else { nil } }
}

/// Encodes values as JSON text that ``JSONReader`` can read. Dates are encoded as ISO 8601 text and data as base64
/// text.
extension Node: Encodable {
    /// Encodes the value with any encoder. To get JSON text, use ``json()``.
    package func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements): try elements.encode(to: encoder)
        case .dictionary(let entries):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for entry in entries { try container.encode(entry.node, forKey: AnyCodingKey(entry.key)) }
        case .null: try Bool?.none.encode(to: encoder)
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
