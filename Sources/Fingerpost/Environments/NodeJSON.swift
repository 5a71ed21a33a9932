import FingerpostFiles
import Foundation

/// Values of an environment as JSON, so that `JSONDecoder` can decode them whichever format they came from.
enum NodeJSON {
    static func data(_ node: Node) throws -> Data {
        try JSONSerialization.data(withJSONObject: object(node), options: .fragmentsAllowed)
    }

    private static func object(_ node: Node) -> Any {
        switch node.value {
        case .null: NSNull()
        case .boolean(let flag): flag
        case .integer(let number): number
        case .real(let number): number
        case .string(let text): text
        case .date(let date): ISO8601Text.text(of: date)
        case .data(let data): data.base64EncodedString()
        case .array(let elements): elements.map(object)
        case .dictionary(let entries): Dictionary(entries.map { ($0.key, object($0.node)) }) { $1 }
        }
    }
}
