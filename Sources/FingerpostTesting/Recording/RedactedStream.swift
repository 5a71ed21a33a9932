import Fingerpost
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
            let first = element.lines[0] - 1
            let end = lines[first].drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            for line in element.lines { lines[line - 1] = Data() }
            lines[first] = Data((stream.isEvents ? "data: " : "").utf8) + Self.inOneLine(recorded.data) + end
        }
        self.isRedacted = isRedacted
        self.data = isRedacted ? Data(lines.joined()) : data
    }

    /// JSON without line breaks and indentation. A string has no line breaks in JSON.
    private static func inOneLine(_ json: Data) -> Data {
        Data(json.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }.joined())
    }
}

extension Recording {
    /// True for the media type of a body that has one value per event or line.
    static func isStream(_ type: String?) -> Bool {
        guard let type = type.map({ MediaType(contentType: $0).rawValue }) else { return false }
        return type == "text/event-stream" || StreamedElements.lineTypes.contains(type)
    }
}
