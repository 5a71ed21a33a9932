import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The body of a stream without the secrets that only the names in its JSON values tell, or that are spread over
/// several lines of an event. An element that has none is not changed.
struct RedactedStream {
    let data: Data
    let isRedacted: Bool

    /// - Parameters:
    ///   - data: the body without the secrets that can be found in text.
    ///   - type: the value of `Content-Type`.
    /// - Throws: `SecretKey` if a key contains a secret.
    init(_ data: Data, type: String?, redactor: SecretRedactor) throws(SecretKey) {
        guard let stream = StreamedElements(data, contentType: type) else {
            (self.data, isRedacted) = (data, false)
            return
        }
        let ends = MockPace.Unit.line.ends(in: data)
        let starts = [0] + ends
        var lines = zip(starts, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        var isRedacted = false
        for element in stream.elements {
            guard let root = JSONReader.inspect(element.data) else { continue }
            let recorded = try RedactedJSON(root, in: element.data, redactor: redactor)
            if recorded.redacted.isEmpty { continue }
            isRedacted = true
            let parts = [element.data, recorded.data].map {
                $0.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            }
            for (line, (old, new)) in zip(element.lines, zip(parts[0], parts[1])) where old != new {
                let text = lines[line - 1].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                // Bytes that are not UTF-8 are others in the event.
                let name = text.suffix(old.count) == old ? text.dropLast(old.count) : Data("data: ".utf8)
                lines[line - 1] = name + new + lines[line - 1].dropFirst(text.count)
            }
        }
        self.isRedacted = isRedacted
        self.data = isRedacted ? Data(lines.joined()) : data
    }
}

extension Recording {
    /// True for the media type of a body that has one value per event or line.
    static func isStream(_ type: String?) -> Bool {
        guard let type = type.map({ MediaType(contentType: $0).rawValue }) else { return false }
        return type == "text/event-stream" || StreamedElements.lineTypes.contains(type)
    }
}
