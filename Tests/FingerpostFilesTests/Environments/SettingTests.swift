import FingerpostDocuments

@testable import FingerpostFiles

/// Properties of layering, tested with random layers.
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

    /// An empty layer changes nothing in any position.
    @Test(arguments: seeds.prefix(20)) func `An empty layer changes nothing`(seed: UInt64) {
        var random = RandomEnvironment(seed: seed)
        let layer = Setting(random.layer(), .code)
        let empty = Setting(Node(.dictionary([])), .code)
        let laid = [Self.laying(layer, over: (empty, [])), Self.laying(empty, over: (layer, []))]
        #expect(laid.map { Self.text($0.setting) } == [Self.text(layer), Self.text(layer)])
    }
}
