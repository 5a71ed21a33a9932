import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

/// What holds for all environments, tried with random ones.
@Suite struct EnvironmentPropertyTests {
    private static let seeds = Array(UInt64(1)...100)

    /// For layers a, b and c, laying c over (b over a) gives what laying (c over b) over a gives: the same values of the same types from
    /// the same places over the same places; and one is refused if the other is.
    @Test(arguments: seeds) func `Layers may be put together in any grouping`(seed: UInt64) {
        var random = RandomEnvironment(seed: seed)
        let layers = (0..<3).map { index in
            let document = Document(path: "\(index)", root: random.layer(), text: nil)
            return Setting(document.root, .file(document, offset: nil))
        }
        let left = Self.laying(layers[2], over: Self.laying(layers[1], over: (layers[0], [])))
        let upper = Self.laying(layers[2], over: (layers[1], []))
        let right = Self.laying(upper.setting, over: (layers[0], upper.problems))
        #expect(left.problems.isEmpty == right.problems.isEmpty, "\(left.problems)\n\(right.problems)")
        if left.problems.isEmpty { #expect(Self.text(left.setting) == Self.text(right.setting)) }
    }

    @Test func `The random layers are refused often enough, and often enough not`() {
        let refused = Self.seeds.count { seed in
            var random = RandomEnvironment(seed: seed)
            let layers = (0..<3).map { index in
                Setting(random.layer(), .file(Document(path: "\(index)", root: Node(.null), text: nil), offset: nil))
            }
            let lower = Self.laying(layers[1], over: (layers[0], []))
            return !Self.laying(layers[2], over: lower).problems.isEmpty
        }
        #expect((10...90).contains(refused), "\(refused)")
    }

    private static func laying(
        _ upper: Setting, over lower: (setting: Setting, problems: [FileProblem])
    ) -> (setting: Setting, problems: [FileProblem]) {
        var (setting, problems) = lower
        setting.lay(upper, &problems)
        return (setting, problems)
    }

    /// Everything that is known of a setting, in the order of the alphabet.
    private static func text(_ setting: Setting) -> String {
        var lines: [String] = []
        setting.forEachLeaf { path, leaf in
            let places = ([leaf.source] + leaf.replaced).map(\.description)
            lines.append("\(path()) \(leaf.value) \(places)")
        }
        return lines.sorted().joined(separator: "\n")
    }

    /// An empty layer changes nothing, wherever it lies.
    @Test(arguments: seeds.prefix(20)) func `An empty layer changes nothing`(seed: UInt64) {
        var random = RandomEnvironment(seed: seed)
        let layer = Setting(random.layer(), .code)
        let empty = Setting(Node(.dictionary([])), .code)
        #expect(Self.text(Self.laying(layer, over: (empty, [])).setting) == Self.text(layer))
        #expect(Self.text(Self.laying(empty, over: (layer, [])).setting) == Self.text(layer))
    }

    @Test(arguments: seeds) func `A property list and JSON of the same content load equal`(seed: UInt64) throws {
        var random = RandomEnvironment(seed: seed)
        let tree = random.tree(depth: 0)
        let folder = try TemporaryFolder()
        let object = RandomEnvironment.propertyList(tree)
        for (name, format) in [("Xml", PropertyListSerialization.PropertyListFormat.xml), ("Binary", .binary)] {
            let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
            try folder.write(data, to: "\(name)-Env.plist")
        }
        try folder.write(try NodeJSON().data(tree), to: "Json-Env.json")
        let loaded = try ["Xml", "Binary", "Json"].map { try Environment.load($0, from: folder.url) }
        #expect(loaded[0].keys == loaded[2].keys)
        #expect(loaded[1].keys == loaded[2].keys)
        let values = try loaded.map { environment in try environment.decode(AnyValue.self) }
        #expect(values[0] == values[2])
        #expect(values[1] == values[2])
    }

    @Test(arguments: seeds.prefix(30)) func `The same content in other files is explained by other files`(seed: UInt64)
        throws
    {
        var random = RandomEnvironment(seed: seed)
        let tree = random.tree(depth: 0)
        let folder = try TemporaryFolder()
        let data = try PropertyListSerialization.data(
            fromPropertyList: RandomEnvironment.propertyList(tree), format: .xml, options: 0)
        try folder.write(data, to: "X-Env.plist")
        let lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
        let environment = try Environment.load("X", from: folder.url)
        for key in environment.layers.settingPaths {
            guard case .file(let document, let offset)? = environment.layers[key]?.source else { continue }
            let line = try #require(document.line(of: offset), "\(key) has no line")
            let last = key.split(separator: ".").last.map(String.init) ?? key
            #expect(lines[line - 1].contains("<key>\(RandomEnvironment.escaped(last))</key>"), "\(key) at \(line)")
        }
    }
}

/// Any value, for comparisons: numbers as real ones, dates and data as the texts that stand for them.
private enum AnyValue: Decodable, Equatable {
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([AnyValue])
    case dictionary([String: AnyValue])

    init(from decoder: any Decoder) throws {
        if let list = try? [AnyValue](from: decoder) {
            self = .list(list)
        } else if let dictionary = try? [String: AnyValue](from: decoder) {
            self = .dictionary(dictionary)
        } else {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }
}
