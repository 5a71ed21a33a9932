import FingerpostFiles
import Foundation

/// Finds the human-readable message in a JSON error body.
enum ServerMessage {
    /// The keys under which services usually put the message; RFC 9457 defines `detail` and `title`.
    private static let keys = ["message", "error_description", "detail", "error", "title", "errors"]

    static func find(in body: Data) -> String? {
        guard body.count <= Redaction.largestBody else { return nil }
        // A body that is not JSON has no message. The `APIError` keeps the body, and its description shows the body's
        // size.
        guard let root = try? JSONReader.read(body, keepsEveryDigit: false) else { return nil }
        return find(in: root, depth: 0)
    }

    private static func find(in node: Node, depth: Int) -> String? {
        for key in keys {
            guard let value = node[key] else { continue }
            if let text = value.string, !text.isEmpty { return text }
            guard depth < 2 else { continue }
            if case .array(let elements) = value.value, let first = elements.first {
                if let text = first.string ?? find(in: first, depth: depth + 1) { return text }
            } else if let text = find(in: value, depth: depth + 1) {
                return text
            }
        }
        return nil
    }
}
