import FingerpostFiles
import Foundation

/// JSON written for people to review: pretty, keys sorted, and every number and string just as the server wrote it.
struct RecordedJSON {
    private let bytes: [UInt8]
    /// Takes credentials out of text.
    private let redact: (String) -> String

    /// - Throws: `JSONReader.Failure` when the text is no JSON, or none any more without its credentials.
    static func text(of data: Data, redact: @escaping (String) -> String) throws(JSONReader.Failure) -> String {
        let root = try JSONReader.read(data, keepsEveryDigit: false)
        let text = redact(RecordedJSON(bytes: [UInt8](data), redact: redact).text(of: root, indent: "")) + "\n"
        _ = try JSONReader.read(Data(text.utf8), keepsEveryDigit: false)
        return text
    }

    private func text(of node: Node, indent: String) -> String {
        let inner = indent + "  "
        switch node.value {
        case .array(let elements):
            if elements.isEmpty { return "[]" }
            let lines = elements.map { inner + text(of: $0, indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .dictionary(let entries):
            if entries.isEmpty { return "{}" }
            let lines = entries.sorted { ($0.key, $0.keyOffset ?? 0) < ($1.key, $1.keyOffset ?? 0) }.map { entry in
                "\(inner)\(scalar(at: entry.keyOffset)): \(text(of: entry.node, indent: inner))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .integer, .real:
            let number = scalar(at: node.offset)
            // Without quotes nothing but a number can stand for a number.
            return redact(number) == number ? number : "0"
        default: return scalar(at: node.offset)
        }
    }

    /// The text of a scalar as it came.
    private func scalar(at offset: Int?) -> String {
        guard let offset else { return "null" }
        var end = offset
        if bytes[offset] == UInt8(ascii: "\"") {
            end += 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            end += 1
        } else {
            while end < bytes.count, !Self.ends.contains(bytes[end]) { end += 1 }
        }
        return String(decoding: bytes[offset..<min(end, bytes.count)], as: UTF8.self)
    }

    private static let ends = Set(" \t\r\n,]}".utf8)
}
