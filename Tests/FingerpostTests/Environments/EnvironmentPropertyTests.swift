import FingerpostFiles
import FingerpostMocks
import TestSupport

@testable import Fingerpost

/// Properties of all environments, tested with random ones.
@Suite(.inTurn) struct EnvironmentPropertyTests {
    private static let seeds = Array(UInt64(1)...20)

    @Test(arguments: seeds)
    func `A property list and JSON with the same content load as equal values`(seed: UInt64) throws {
        var random = RandomEnvironment(seed: seed)
        let tree = random.tree(depth: 0)
        let folder = try TemporaryFolder()
        let object = RandomEnvironment.propertyList(tree)
        let data = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
        try folder.write(data, to: "Xml-Env.plist")
        try folder.write(try tree.json(), to: "Json-Env.json")
        let loaded = try ["Xml", "Json"].map { try Environment.load($0, from: folder.url) }
        let values = try loaded.map { environment in try environment.decode(AnyValue.self) }
        #expect((loaded[0].keys, values[0]) == (loaded[1].keys, values[1]))
    }

    @Test(arguments: seeds) func `Explanations of equal values name the files they come from`(seed: UInt64) throws {
        var random = RandomEnvironment(seed: seed)
        let tree = random.tree(depth: 0)
        let folder = try TemporaryFolder()
        let data = try PropertyListSerialization.data(
            fromPropertyList: RandomEnvironment.propertyList(tree), format: .xml, options: 0)
        try folder.write(data, to: "X-Env.plist")
        let lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
        let environment = try Environment.load("X", from: folder.url)
        for key in environment.layers.settingPaths {
            guard let source = environment.layers[key]?.source else { continue }
            let line = try #require(source.document.line(of: source.offset), "\(key) has no line")
            let last = key.split(separator: ".").last.map(String.init) ?? key
            #expect(lines[line - 1].contains("<key>\(RandomEnvironment.escaped(last))</key>"), "\(key) at \(line)")
        }
    }
}

/// A value in a comparable form: numbers as doubles, dates and data as their text in JSON.
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
