import FingerpostFiles
import Foundation

/// A short rendering of a piece of JSON, for error messages.
enum JSONFragment {
    private static let maximumLength = 160

    /// - Parameter redact: takes credentials out of texts, which then are cut: of half a secret nothing could be recognised.
    static func text(of node: Node, redact: (String) -> String = { $0 }) -> String {
        let text = redact(render(node, redact))
        return text.count <= maximumLength ? text : text.prefix(maximumLength) + "…"
    }

    private static func render(_ node: Node, depth: Int = 0, _ redact: (String) -> String) -> String {
        switch node.value {
        case .null: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .string(let text):
            // What is not cut is redacted with the whole.
            if text.count <= 60 { return text.debugDescription }
            let text = redact(text)
            return (text.count > 60 ? text.prefix(60) + "…" : text).debugDescription
        case .date(let date): return "\(date)"
        case .data(let data): return "\(data)"
        case .array(let elements):
            if depth > 1, !elements.isEmpty { return "[…]" }
            return "[" + elements.prefix(8).map { render($0, depth: depth + 1, redact) }.joined(separator: ", ") + "]"
        case .dictionary(let entries):
            if depth > 1, !entries.isEmpty { return "{…}" }
            let shown = entries.prefix(16).map { entry in
                let value =
                    SensitiveName.isSensitive(entry.key)
                    ? SensitiveName.placeholder : render(entry.node, depth: depth + 1, redact)
                return "\(entry.key.debugDescription): \(value)"
            }
            return "{" + shown.joined(separator: ", ") + "}"
        }
    }
}
