import FingerpostFiles
import Foundation

/// Values of an environment as JSON, so that `JSONDecoder` can decode them whichever format they came from.
struct NodeJSON {
    /// The values that are left out, for ``Secret`` alone to find.
    var secrets: SecretVault?

    /// - Parameter path: the dotted path of the node; empty for that of a whole environment.
    func data(_ node: Node, at path: String = "") throws -> Data {
        try JSONSerialization.data(withJSONObject: object(node, at: path), options: .fragmentsAllowed)
    }

    private func object(_ node: Node, at path: String) -> Any {
        if let secrets, secrets.holds(path) { return secrets.token(for: path) }
        return switch node.value {
        case .null: NSNull()
        case .boolean(let flag): flag
        case .integer(let number): number
        // What JSON has no number for would end the process on Apple platforms.
        case .real(let number): number.isFinite ? number : "\(number)"
        case .string(let text): text
        case .date(let date): ISO8601Text.text(of: date)
        case .data(let data): data.base64EncodedString()
        case .array(let elements): elements.map { NodeJSON().object($0, at: "") }
        case .dictionary(let entries):
            Dictionary(entries.map { ($0.key, object($0.node, at: path.isEmpty ? $0.key : "\(path).\($0.key)")) }) {
                $1
            }
        }
    }
}
