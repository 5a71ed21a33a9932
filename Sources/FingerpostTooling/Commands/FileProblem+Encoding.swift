package import FingerpostFiles
import Foundation

/// A problem in the JSON report of a command. The coding keys are the keys of the report; what is nil is left out.
extension FileProblem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case severity, kind, key
        case path = "file"
        case line, column, message, fix
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(severity.rawValue, forKey: .severity)
        try container.encodeIfPresent(kind?.rawValue, forKey: .kind)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(fix, forKey: .fix)
    }
}

extension Encodable {
    /// The JSON text of a report, which consists of texts and numbers only, so that encoding cannot fail.
    var reportJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
