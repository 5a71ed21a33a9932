import FingerpostShared
import TestSupport

@testable import FingerpostDocuments
@testable import FingerpostFiles

/// Compares the two readers of environment files with generated documents and folders. What the strict reader accepts,
/// an app without it reads as the same values: `FUZZ_INPUTS` says how many are tried, by default 25.
@Suite(.inTurn) struct TwoReadersTests {
    @Test(arguments: ["json", "plist"]) func `A file that checks accept is the same in an app`(format: String) throws {
        var accepted = 0
        for number in 0..<FuzzTests.count {
            var writer = FileWriter(
                seed: SeededGenerator.seed(of: "\(format) \(FuzzTests.run) \(number)"), hasTwins: false)
            let text = format == "json" ? writer.json() : writer.propertyList()
            let data = writer.encoded(text)
            guard let strict = try? Self.read(data, "X-Env.\(format)", strictParser) else { continue }
            accepted += 1
            let core = try? Self.read(data, "X-Env.\(format)", nil)
            #expect(
                core?.root.normal == strict.root.normal,
                "file \(number) of run \(FuzzTests.run): \(text.debugDescription)")
        }
        #expect(accepted > FuzzTests.count / 10, "\(accepted) are accepted")
        if FuzzTests.variables["FUZZ_INPUTS"] != nil {
            print("\(format): \(FuzzTests.count) files, \(accepted) accepted")
        }
    }

    private static func read(_ data: Data, _ path: String, _ parser: (any StrictParsing.Type)?) throws -> Document {
        try EnvironmentFile.document(data, path: path, parser: parser)
    }

    @Test func `A folder that checks accept is the same in an app`() throws {
        var accepted = 0
        for number in 0..<FuzzTests.count {
            var writer = FileWriter(seed: SeededGenerator.seed(of: "folder \(FuzzTests.run) \(number)"), hasTwins: true)
            let folder = try TemporaryFolder([:])
            var texts: [String] = []
            for name in ["Base-Env", "Y-Env", "X-Env", "X-Secrets"] where name == "X-Env" || writer.isLikely {
                let format = writer.isLikely ? "json" : "plist"
                let text = format == "json" ? writer.json() : writer.propertyList()
                texts.append("\(name).\(format): \(text.debugDescription)")
                try folder.write(writer.encoded(text), to: "\(name).\(format)")
            }
            let files = try EnvironmentFolder(url: folder.url)
            let strict = files.load("X", parser: strictParser)
            guard strict.problems.isEmpty else { continue }
            accepted += 1
            let core = files.load("X", parser: nil)
            #expect(Self.text(core) == Self.text(strict), "folder \(number) of run \(FuzzTests.run): \(texts)")
        }
        #expect(accepted > 0, "\(accepted) are accepted")
        if FuzzTests.variables["FUZZ_INPUTS"] != nil { print("folders: \(FuzzTests.count), \(accepted) accepted") }
    }

    /// What decides where calls go, what is secret, all values, and the problems.
    private static func text(_ layers: LayeredEnvironment) -> String {
        "\(layers.problems) \(layers.network) \(layers.description) \(layers.isTesting) \(layers.root.node.normal) "
            + "\(layers.secretTexts.map { "\($0.key)=\($0.text)" }.sorted())"
    }
}

/// Writes environment files at random: keys that matter and others, characters that nothing shows, and every escape.
private struct FileWriter {
    private var random: SeededGenerator
    private var isPropertyList = false
    /// True to write a key twice, rarely.
    private let hasTwins: Bool

    init(seed: UInt64, hasTwins: Bool) {
        random = SeededGenerator(seed: seed)
        self.hasTwins = hasTwins
    }

    var isLikely: Bool { mutating get { Int.random(in: 0..<3, using: &random) > 0 } }

    private mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    // MARK: Files

    mutating func json() -> String {
        isPropertyList = false
        let root = dictionary(isRoot: true)
        return (isOne(in: 20) ? "\u{FEFF}" : "") + root + (isOne(in: 40) ? "\u{FEFF}" : "\n")
    }

    mutating func propertyList() -> String {
        isPropertyList = true
        let usual = ["", "<!DOCTYPE plist>", #"<?xml version="1.0" encoding="UTF-8"?>"#]
        let unusual = ["\u{FEFF}", "<!DOCTYPE plist [ ]>", #"<?xml version="1.0" encoding="ISO-8859-1"?>"#]
        let head = one(of: isOne(in: 6) ? unusual : usual)
        return "\(head)<plist version=\"1.0\">\(dictionary(isRoot: true))</plist>\(isOne(in: 40) ? "\u{FEFF}" : "\n")"
    }

    /// The bytes of a text, mostly in UTF-8.
    mutating func encoded(_ text: String) -> Data {
        let others: [String.Encoding] = [.utf16, .utf16LittleEndian, .utf32BigEndian]
        return (isOne(in: 50) ? text.data(using: one(of: others)) : nil) ?? Data(text.utf8)
    }

    // MARK: Values

    private mutating func dictionary(isRoot: Bool = false, depth: Int = 0) -> String {
        var entries: [String] = []
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let (key, value) = isRoot && isLikely ? entryThatMatters() : (one(of: Self.keys), value(depth: depth))
            if !names.insert(key).inserted, !hasTwins || !isOne(in: 8) { continue }
            entries.append(isPropertyList ? "<key>\(written(key))</key>\(value)" : "\(written(key)): \(value)")
        }
        let space = one(of: ["", " ", "\n", "\r\n\t"] + (isPropertyList ? ["<!-- c -->", "<!-- \u{FEFF} -->"] : []))
        return isPropertyList
            ? "<dict>\(space)\(entries.joined(separator: space))</dict>"
            : "{\(space)\(entries.joined(separator: ",\(space)"))}"
    }

    private static let keys = ["a", "b", "text", "é", "key", "limits", "A b"]

    private mutating func entryThatMatters() -> (key: String, value: String) {
        let (key, texts) = one(of: [
            ("$network", ["sealed", "live"]), ("$extends", ["Y"]),
            ("description", ["Testing", "Live", "Équipe 👩\u{200D}💻"]),
            ("baseURL", ["https://a.example", "https://b.example/v1"]), ("authBaseURL", ["https://c.example"]),
            ("$log", ["off"]), ("token", ["t0ken-value"]),
        ])
        return (key, written(one(of: texts), isValue: true))
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &random) {
        case 0:
            let integer = Int64.random(in: .min ... .max, using: &random)
            let number = one(of: ["0", "-1", "9223372036854775807", "-9223372036854775808", "\(integer)"])
            return isPropertyList ? "<integer>\(number)</integer>" : number
        case 1:
            let real = Double.random(in: -1000...1000, using: &random)
            let number = one(of: ["1.5", "-0.25", "1e3", "2E-2", "0.1", "123456.78901", "\(real)"])
            return isPropertyList ? "<real>\(number)</real>" : number
        case 2: return isPropertyList ? one(of: ["<true/>", "<false />"]) : one(of: ["true", "false"])
        case 3 where isPropertyList:
            return one(of: ["<date>2026-01-31T12:00:00Z</date>", "<data> AQ ID</data>", "<string/>"])
        case 6: return dictionary(depth: depth + 1)
        case 7:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1) }
            return isPropertyList ? "<array>\(elements.joined())</array>" : "[\(elements.joined(separator: ", "))]"
        default:
            return written(
                one(of: ["", "x", "two words", "日本", "a\u{301}", "🦉", "%41", "\\", "<&>\"'"]), isValue: true)
        }
    }

    // MARK: Texts

    /// A text with characters that nothing shows, rarely, and with escapes.
    private mutating func written(_ text: String, isValue: Bool = false) -> String {
        var scalars = Array(text.unicodeScalars)
        while isOne(in: isValue ? 6 : 16) {
            let hidden: [Unicode.Scalar] = [
                "\u{FEFF}", "\u{FEFF}", "\u{200B}", "\u{200D}", "\u{AD}", "\u{E0041}", "\n", "\t", "\u{1}", "\u{2028}",
                " ",
            ]
            scalars.insert(one(of: hidden), at: one(of: [0, scalars.count, scalars.count / 2]))
        }
        let all = scalars.map { escaped($0) }.joined()
        guard isPropertyList else { return "\"\(all)\"" }
        let isSection = isOne(in: 12) && !text.contains("]")
        let content = isSection ? "<![CDATA[\(String(String.UnicodeScalarView(scalars)))]]>" : all
        return isValue ? "<string>\(content)</string>" : content
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) -> String {
        let isPlain = !isOne(in: 8)
        let hexadecimal = String(scalar.value, radix: 16)
        if isPropertyList {
            switch scalar {
            case "<": return "&lt;"
            case "&": return "&amp;"
            case _ where isPlain: return String(scalar)
            default:
                return one(of: [
                    "&#\(scalar.value);", "&#x\(hexadecimal);", "&#X\(hexadecimal);", "&#x0\(hexadecimal);",
                ])
            }
        }
        let short: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t"]
        if let escape = short[scalar], !isPlain || scalar != "/" { return escape }
        if isPlain, scalar.value >= 0x20 { return String(scalar) }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
