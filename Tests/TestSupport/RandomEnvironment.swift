package import FingerpostFiles
import FingerpostShared

/// Random environments. The same seed gives the same values.
package struct RandomEnvironment {
    private var random: SeededGenerator

    /// - Parameter seed: the seed of the random generator.
    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Layers

    /// A layer with a few fixed keys, so that layers overlap. A key mostly has the same kind of value in every layer.
    /// Text that may overlap a date or data can be converted to it.
    package mutating func layer(depth: Int = 0) -> Node {
        let keys = ["flag", "number", "text", "date", "data", "list", "inner"].filter { _ in
            Int.random(in: 0..<3, using: &random) > 0
        }
        let entries = keys.map { key in Node.Entry(key: key, node: layerValue(key, depth: depth)) }
        return Node(.dictionary(entries.shuffled(using: &random)))
    }

    private mutating func layerValue(_ key: String, depth: Int) -> Node {
        if Int.random(in: 0..<8, using: &random) == 0 { return Node(.null) }
        if Int.random(in: 0..<60, using: &random) == 0 { return Node(.boolean(true)) }
        let number = Int64.random(in: 0..<100, using: &random)
        let isText = Bool.random(using: &random)
        let date = Date(timeIntervalSince1970: TimeInterval(number) * 86_400)
        let data = Data([UInt8(number)])
        switch key {
        case "flag": return Node(.boolean(isText))
        case "number": return Node(isText ? .integer(number) : .real(Double(number) + 0.5))
        case "text": return Node(.string("\(number)"))
        case "date": return Node(isText ? .string(ISO8601Text.text(of: date)) : .date(date))
        case "data": return Node(isText ? .string(data.base64EncodedString()) : .data(data))
        case "list": return Node(.array([Node(.integer(number))]))
        default: return depth < 3 ? layer(depth: depth + 1) : Node(.dictionary([]))
        }
    }

    // MARK: Trees

    /// A dictionary of values that both formats support; dates are whole seconds, as in property lists.
    package mutating func tree(depth: Int) -> Node {
        var keys: Set<String> = []
        var entries: [Node.Entry] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let key = text(1...6)
            guard keys.insert(key.lowercased()).inserted else { continue }
            entries.append(Node.Entry(key: key, node: value(depth: depth)))
        }
        return Node(.dictionary(entries))
    }

    private mutating func value(depth: Int) -> Node {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
        case 0: return Node(.boolean(Bool.random(using: &random)))
        case 1:
            return Node(
                .integer(
                    [0, 1, -1, .max, .min, Int64.random(in: -1000...1000, using: &random)].randomElement(using: &random)
                        ?? 0))
        case 2: return Node(.real(Double.random(in: -1000...1000, using: &random)))
        case 3:
            return Node(
                .date(Date(timeIntervalSince1970: TimeInterval(Int.random(in: 0..<4_000_000_000, using: &random)))))
        case 4: return Node(.data(Data((0..<Int.random(in: 0...9, using: &random)).map { UInt8($0 * 29) })))
        case 5: return Node(.string(text(0...12)))
        case 6: return Node(.array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1) }))
        default: return tree(depth: depth + 1)
        }
    }

    /// Text of characters that XML allows, without characters that have a meaning in keys.
    private mutating func text(_ lengths: ClosedRange<Int>) -> String {
        let alphabet: [Character] = [
            "a", "B", "z", "0", "9", " ", "-", "_", "&", "<", ">", "\"", "'", "é", "日", "🦉", "\\", "/", "%", ";",
        ]
        return String(
            (0..<Int.random(in: lengths, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "x" })
    }

    /// The object of a value for `PropertyListSerialization`; null becomes an empty string.
    package static func propertyList(_ node: Node) -> Any {
        switch node.value {
        case .null: ""
        case .boolean(let flag): flag
        case .integer(let number): number
        case .real(let number): number
        case .string(let text): text
        case .date(let date): date
        case .data(let data): data
        case .array(let elements): elements.map(propertyList)
        case .dictionary(let entries): Dictionary(uniqueKeysWithValues: entries.map { ($0.key, propertyList($0.node)) })
        }
    }

    /// A key with the escapes of XML.
    package static func escaped(_ key: String) -> String {
        key.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
