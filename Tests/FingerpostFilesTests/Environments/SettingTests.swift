import FingerpostDocuments
import FingerpostShared

@testable import FingerpostFiles

/// A property of layering, tested with random layers.
@Suite(.inTurn) struct SettingTests {
    private static let seeds = Array(UInt64(1)...30)

    /// For layers a, b and c, (c over b) over a equals c over (b over a) in values, types and sources. If one is
    /// rejected, so is the other.
    @Test(arguments: seeds) func `Layering is associative`(seed: UInt64) {
        var random = RandomEnvironment(seed: seed)
        let layers = (0..<3).map { index in
            let document = Document(path: "\(index)", root: random.layer(), text: nil)
            return Setting(document.root, .file(document, offset: nil))
        }
        let left = Self.laying(layers[2], over: Self.laying(layers[1], over: (layers[0], [])))
        let upper = Self.laying(layers[2], over: (layers[1], []))
        let right = Self.laying(upper.setting, over: (layers[0], upper.problems))
        #expect(
            (left.problems.isEmpty ? Self.text(left.setting) : "rejected")
                == (right.problems.isEmpty ? Self.text(right.setting) : "rejected"))
    }

    private static func laying(
        _ upper: Setting, over lower: (setting: Setting, problems: [FileProblem])
    ) -> (setting: Setting, problems: [FileProblem]) {
        var problems = lower.problems
        return (upper.laid(over: lower.setting, &problems), problems)
    }

    /// All properties of a setting as text, with keys in alphabetical order.
    private static func text(_ setting: Setting) -> String {
        var lines: [String] = []
        setting.forEachPlace { place, leaf in
            lines.append("\(place.path) \(leaf.value) \(leaf.source)")
        }
        return lines.sorted().joined(separator: "\n")
    }
}

/// Random layers. The same seed gives the same values.
private struct RandomEnvironment {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A layer with a few fixed keys, so that layers overlap. A key mostly has the same kind of value in every layer.
    /// Text that may overlap a date or data can be converted to it.
    mutating func layer(depth: Int = 0) -> Node {
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
}
