import FingerpostFiles

/// A value read from a file, to be written again.
struct NodeValue: Encodable, Sendable {
    let node: Node

    init(_ node: Node) {
        self.node = node
    }

    func encode(to encoder: any Encoder) throws {
        switch node.value {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(NodeValue(element)) }
        case .dictionary(let entries):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for entry in entries { try container.encode(NodeValue(entry.node), forKey: AnyCodingKey(entry.key)) }
        default:
            var container = encoder.singleValueContainer()
            switch node.value {
            case .boolean(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .real(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .date(let date): try container.encode(date)
            case .data(let data): try container.encode(data)
            case .null, .array, .dictionary: try container.encodeNil()
            }
        }
    }
}
