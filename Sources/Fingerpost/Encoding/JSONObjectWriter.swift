import Foundation

/// Writes parameters as one JSON object, in their order.
///
/// `JSONEncoder` writes the values. It cannot keep the order of names that are known only at run time, so the object
/// around them is written here, and with it the strings, integers and booleans that most parameters are.
struct JSONObjectWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var names: [String] = []
    private let encoder: JSONEncoder

    /// - Throws: `EncodingError` where a value has no form in JSON, or a name stands twice.
    static func data(_ parameters: Parameters, encoder: JSONEncoder) throws -> Data {
        var writer = JSONObjectWriter(encoder: encoder)
        for element in parameters.elements { try writer.append(element) }
        writer.bytes.append(UInt8(ascii: "}"))
        return Data(writer.bytes)
    }

    private init(encoder: JSONEncoder) {
        self.encoder = encoder
    }

    private mutating func append(_ element: Parameters.Element) throws {
        switch element {
        case .value(let name, let value):
            guard !names.contains(name) else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "the parameter \"\(name)\" stands twice"))
            }
            names.append(name)
            separate()
            append(name)
            bytes.append(UInt8(ascii: ":"))
            try append(value, name: name)
        case .fields(let fields):
            try append(fields: encoder.encode(fields), of: fields)
        }
    }

    private mutating func append(_ value: some Encodable, name: String) throws {
        switch value {
        case let text as String: append(text)
        case let number as Int: bytes.append(number.description)
        case let flag as Bool: bytes.append(flag ? "true" : "false")
        default:
            do {
                bytes.append(contentsOf: try encoder.encode(value))
            } catch {
                throw EncodingError(error, of: value, below: QueryKey(name))
            }
        }
    }

    /// The fields of an object that is already JSON: what stands between its braces.
    private mutating func append(fields object: Data, of value: any Encodable) throws {
        let inside = object.drop { $0.isJSONSpace }.dropLast { $0.isJSONSpace }
        guard inside.first == UInt8(ascii: "{") else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "parameters need names: encode a struct or a dictionary"))
        }
        let fields = inside.dropFirst().dropLast().drop { $0.isJSONSpace }
        guard !fields.isEmpty else { return }
        separate()
        bytes.append(contentsOf: fields)
    }

    private mutating func separate() {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    }

    /// A string with the escapes of RFC 8259 section 7.
    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append("\\n")
            case UInt8(ascii: "\r"): bytes.append("\\r")
            case UInt8(ascii: "\t"): bytes.append("\\t")
            case 0x08: bytes.append("\\b")
            case 0x0C: bytes.append("\\f")
            case 0..<0x20: bytes.append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension Data {
    fileprivate func dropLast(while predicate: (UInt8) -> Bool) -> Data {
        var slice = self
        while let last = slice.last, predicate(last) { slice.removeLast() }
        return slice
    }
}
