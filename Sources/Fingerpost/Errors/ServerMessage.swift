import FingerpostFiles
import Foundation

/// Finds the human-readable message in an error body.
enum ServerMessage {
    /// The keys under which services put the message, the clearest first. RFC 9457 defines `detail` and `title`, Vapor
    /// has `reason`, FastAPI `msg`, and AWS `Message`.
    private static let keys = [
        "message", "Message", "error_description", "detail", "reason", "msg", "error", "title", "errors",
    ]

    /// - Parameter type: the value of `Content-Type`; nil if the response has none.
    /// - Returns: the message or, of a body that is neither JSON nor a message, the first line.
    static func find(in body: Data, type: String?) -> (message: String?, line: String?) {
        guard body.count <= Redaction.largestBody else { return (nil, nil) }
        if let root = Document.inspect(body) { return (find(in: root, depth: 0) ?? fieldMessage(in: root), nil) }
        let text = body.text
        // AWS answers with XML.
        let element = /<Message>\s*([^<\s][^<]*)<\/Message>/.matchingSemantics(.unicodeScalar)
        if let message = text.firstMatch(of: element) {
            return (unescaped(message.1).trimmingCharacters(in: .whitespacesAndNewlines), nil)
        }
        let line = firstLine(of: body)
        return type.map { MediaType(contentType: $0).rawValue } == "text/plain" ? (line, nil) : (nil, line)
    }

    /// The first line of a text that is not empty.
    static func firstLine(of body: Data) -> String? {
        guard let text = String(data: body.prefix(Redaction.largestBody), encoding: .utf8) else { return nil }
        // Unicode joins nothing with a line break.
        return text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
            .first { !$0.isEmpty }
    }

    private static func find(in node: Node, depth: Int) -> String? {
        for key in keys {
            if let value = node[key], let text = text(of: value, depth: depth) { return text }
        }
        return nil
    }

    private static func text(of value: Node, depth: Int) -> String? {
        switch value.value {
        case .string(let text): return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
        case .array(let elements):
            return elements.first.flatMap { $0.string ?? (depth < 2 ? find(in: $0, depth: depth + 1) : nil) }
        case .dictionary(let entries):
            if depth >= 2 { return nil }
            if let text = find(in: value, depth: depth + 1) { return text }
            // Rails and GitLab list the messages of each field: {"name": ["is too short"]}.
            return entries.lazy.compactMap(\.message).first
        default: return nil
        }
    }

    /// The first message of a body that has nothing but lists of messages by field, as the controllers that Rails
    /// generates send it: `{"name": ["is too short"]}`.
    private static func fieldMessage(in root: Node) -> String? {
        let entries = root.entries ?? []
        let isOfFields = entries.allSatisfy { $0.node.elements?.first?.string?.contains(bytesOf: " ") == true }
        return isOfFields ? entries.first?.message : nil
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing(bytesOf: $1.0, with: $1.1) }
    }
}

extension Node.Entry {
    /// The first message of a field that has a list of them.
    fileprivate var message: String? { node.texts.first.map { "\(key) \($0.text)" } }
}
