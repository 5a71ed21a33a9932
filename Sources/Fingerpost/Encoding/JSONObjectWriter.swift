import FingerpostFiles
package import Foundation

extension Parameters {
    /// Encodes these parameters as one JSON object, in their order.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent a value, or if a name occurs twice.
    package func json() throws -> Data { try JSONObjectWriter.data(self, encoder: .standard) }
}

/// Writes parameters as one JSON object, in the order of the parameters.
///
/// `JSONEncoder` encodes the values, but `JSONEncoder` cannot keep the order of names that are known only at run time,
/// so this type writes the object itself. This type also writes strings, integers and booleans without the encoder,
/// because most parameters have one of these types.
struct JSONObjectWriter {
    private var bytes: [UInt8] = []
    /// The names so far, while there are at most ``few`` names.
    private var names: [String] = []
    /// The names so far, once there are more than ``few`` names.
    private var manyNames: Set<String> = []
    private let encoder: JSONEncoder

    /// - Throws: `EncodingError` if JSON cannot represent a value, or if a name occurs twice.
    static func data(_ parameters: Parameters, encoder: JSONEncoder) throws -> Data {
        var writer = JSONObjectWriter(encoder: encoder)
        writer.bytes.reserveCapacity(256)
        writer.bytes.append(UInt8(ascii: "{"))
        writer.names.reserveCapacity(min(parameters.elements.count, few))
        for case (let name, let value?) in parameters.elements { try writer.append(name, value) }
        writer.bytes.append(UInt8(ascii: "}"))
        return Data(writer.bytes)
    }

    private mutating func append(_ name: String, _ value: some Encodable) throws {
        if let fields = exactly(value, Parameters.Fields.self) {
            try append(fields: encoder.encode(fields), of: fields.value)
            return
        }
        if value.isAbsent { return }
        try claim(name, for: value)
        separate()
        try append(name)
        bytes.append(UInt8(ascii: ":"))
        if let text = exactly(value, String.self) {
            try append(text)
        } else if let nested = exactly(value, Parameters.self), nested.isMixed {
            // `nested` contains fields and other parameters. The encoder would change the names of the other
            // parameters.
            bytes.append(contentsOf: try Self.data(nested, encoder: encoder))
        } else if let number = exactly(value, Int.self) {
            bytes.append(contentsOf: number.description.utf8)
        } else if let flag = exactly(value, Bool.self) {
            bytes.append(flag ? "true" : "false")
        } else {
            do {
                bytes.append(contentsOf: try encoder.encode(value))
            } catch {
                throw EncodingError(error, of: value, below: AnyCodingKey(stringValue: name))
            }
        }
    }

    /// Appends the fields of an encoded JSON object without the object's braces.
    private mutating func append(fields object: Data, of value: any Encodable) throws {
        guard object.first == UInt8(ascii: "{") else {
            throw EncodingError(value, at: [], because: "parameters need names: use a struct or a dictionary")
        }
        let entries = try Document(reading: object, path: "", .body).root.entries ?? []
        if entries.isEmpty { return }
        for entry in entries { try claim(entry.key, for: value) }
        separate()
        bytes.append(contentsOf: object.dropFirst().dropLast().drop { $0 <= 0x20 })
    }

    /// Registers a name. Names must be unique in a JSON object.
    private mutating func claim(_ name: String, for value: any Encodable) throws {
        let isNew: Bool
        if names.count < Self.few {
            isNew = !names.contains(name)
            names.append(name)
        } else {
            if manyNames.isEmpty { manyNames = Set(names) }
            isNew = manyNames.insert(name).inserted
        }
        guard isNew else { throw EncodingError(value, at: [], because: "duplicate parameter \"\(name)\"") }
    }

    /// Up to this number of names, it is faster to compare the names one by one than to hash them.
    private static let few = 16

    private mutating func separate() {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ text: String) throws {
        // RFC 8259 section 7 requires escapes for these bytes.
        let needsEscape = text.withBytes {
            $0.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        }
        if needsEscape {
            bytes.append(contentsOf: try JSONEncoder.standard.encode(text))
            return
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(text)
        bytes.append(UInt8(ascii: "\""))
    }
}
