import FingerpostShared
import TestSupport

@testable import FingerpostDocuments
@testable import FingerpostFiles

@Suite(.inTurn) struct PropertyListXMLTests {
    static let whole = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <!-- a comment -->
            <key>text</key>
            <string>grüße > 🦉</string>
            <key>none</key>
            <string></string>
            <key>flags</key>
            <array><true/><false/><true></true></array>
            <key>numbers</key>
            <array>
                <integer>-17</integer>
                <integer>007</integer>
                <real>0.25</real>
                <real>-3</real>
                <real>123456.78901</real>
                <real>1e3</real>
                <integer>0x1F</integer>
            </array>
            <key>inner</key>
            <dict><key>deep</key><dict/><key>list</key><array/></dict>
            <key>a&lt;b</key>
            <array>
                <string>x &amp; y</string>
                <string a="b"><![CDATA[<z>]]></string>
                <date>2026-01-31T12:00:00Z</date>
                <data>AQ ID</data>
                <?instruction?>
            </array>
        </dict>
        </plist>
        """

    /// A value as text, with the keys of dictionaries in alphabetical order.
    static func text(_ value: Node.Value) -> String {
        switch value {
        case .array(let elements): "[" + elements.map { text($0.value) }.joined(separator: ", ") + "]"
        case .dictionary(let entries):
            "{" + entries.map { "\($0.key): \(text($0.node.value))" }.sorted().joined(separator: ", ") + "}"
        case .data(let data): "data \(Array(data))"
        default: "\(value)"
        }
    }

    /// What the reader and Foundation read in a text.
    private static func readings(_ text: String) throws -> (ours: String?, foundation: String) {
        let root = try PropertyListXML.read(Array(text.utf8))
        let object = try PropertyListSerialization.propertyList(from: Data(text.utf8), options: [], format: nil)
        return (root.map { Self.text($0.value) }, Self.text(try FoundationReader.node(object).value))
    }

    @Test func `A property list is read in order, with positions and the same values as in Foundation`() throws {
        let readings = try Self.readings(Self.whole)
        #expect(readings.ours == readings.foundation)
        let bytes = Array(Self.whole.utf8)
        let root = try #require(try PropertyListXML.read(bytes))
        let document = Document(path: "x.plist", root: root, text: bytes)
        /// The name or the kind of a value, its line, and that of its key.
        func line(_ name: String, _ node: Node?, _ key: Int? = nil) -> String {
            [name, document.line(of: node?.offset).map(String.init), document.line(of: key).map(String.init)]
                .map { $0 ?? "-" }.joined(separator: " ")
        }
        var lines = (root.entries ?? []).map { line($0.key, $0.node, $0.keyOffset) }
        lines.append(line("deep", root["inner"]?["deep"]))
        if case .array(let elements)? = root["a<b"]?.value { lines += elements.map { line($0.value.kind, $0) } }
        #expect(
            lines == [
                "text 7 6", "none 9 8", "flags 11 10", "numbers 13 12", "inner 23 22", "a<b 25 24", "deep 23 -",
                "a string 26 -", "a string 27 -", "a date 28 -", "data 29 -",
            ])
    }

    @Test func `Data that is not in base64, and a day that does not exist, are errors`() throws {
        let problems = [
            "<data>_-8=</data>": "base64", "<data>a</data>": "base64", "<data>AQ!=</data>": "base64",
            "<date>2004-02-30T10:33:33Z</date>": "date", "<date>2004-02-28T24:00:00Z</date>": "date",
        ]
        for (value, message) in problems {
            let problem = #expect(throws: FileProblem.self) {
                try Document(propertyList: Data(Self.list(value).utf8), path: "x.plist")
            }
            let found = (problem?.message.contains(message), problem?.line, problem?.fix != nil)
            #expect(found == (true, 1, true), "\(value): \(problem as Any)")
        }
        let valid = [
            "<data>A=Q=</data>", "<data>\n AQ\tID </data>", "<data>AQ</data>", "<data></data>",
            "<date>2004-02-29T10:33:33Z</date>",
        ]
        for value in valid { _ = try Document(propertyList: Data(Self.list(value).utf8), path: "x.plist") }
    }

    private static func list(_ value: String) -> String {
        "<plist version=\"1.0\"><dict><key>a</key>\(value)</dict></plist>"
    }

    private static let values = [
        "<date>2026-01-31T12:00:00Z</date>", "<data>AQID</data>", "<string>a &amp; b</string>",
        "<string>&#x41;</string>", "<string><![CDATA[x]]></string>", "<string>a<![CDATA[</string>]]>b</string>",
        "<string>a\r\nb\u{1}</string>", "<string/>", "<integer>+1</integer>", "<integer>0x1F</integer>",
        "<real>1e3</real>", "<real>nan</real>", "<real>.5</real>", "<real>0.1234567890123456789</real>",
        "<integer>9223372036854775807</integer>", "<string a=\"b\">x</string>", "<integer> 1</integer>", "<key>b</key>",
        "<true></true >", "<false x/>", "<data></data>", "<string>\u{FEFF}x</string>",
    ]
    private static let unusual = [
        "<plist><dict/></plist> and more", "<dict/>", "\u{FEFF}<plist><dict/></plist>",
        "<!-- a --><plist><dict/></plist>",
        "<!DOCTYPE plist><plist><dict/></plist>", "<?xml encoding='utf-8'?><plist><dict/><!-- a --></plist >",
    ]

    @Test func `Content that is not plain, and an unusual property list, have the same values as in Foundation`() throws
    {
        for text in Self.values.map(Self.list) + Self.unusual {
            let readings = try Self.readings(text)
            #expect(readings.ours == readings.foundation, "\(text)")
        }
        let offsets = try Self.values.map { try PropertyListXML.read(Array(Self.list($0).utf8))?["a"]?.offset }
        #expect(Set(offsets) == [39])
    }

    @Test func `Uncertain files are refused, even if Foundation reads them`() throws {
        let texts: [String] = [
            "<plist><plist><dict/></plist></plist>",
            "<plist><dict><key>CF$UID</key><integer>1</integer></dict></plist>",
            "<!----><plist><dict/></plist>--><dict/>", "bplist00", "{ a = b; }", "<plist><dict></plist>",
            "<plist><string>a</string><string>b</string></plist>", "<!DOCTYPE plist [ ]><plist><dict/></plist>",
            "<plist><!x><dict/></plist>", "<plist/>", "<plist><dict/>", "", "<>",
            Self.list("<integer>1.5</integer>"), Self.list("<integer/>"), Self.list("<string>a<!-- b --></string>"),
            Self.list("<string>&x;</string>"),
            Self.list(""), Self.list("<strin>x</strin>"), Self.list("<true>x</true>"),
        ]
        for text in texts {
            #expect(try PropertyListXML.read(Array(text.utf8)) == nil, "\(text)")
            #expect(throws: FileProblem.self, "\(text)") {
                try Document(propertyList: Data(text.utf8), path: "x.plist")
            }
        }
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .isoLatin1])
    func `A file that is not UTF-8 is refused, because a key could be there twice`(encoding: String.Encoding) throws {
        let name = encoding == .isoLatin1 ? "ISO-8859-1" : "UTF-16"
        let text = #"<?xml version="1.0" encoding="\#(name)"?><plist><dict><key>é</key><true/></dict></plist>"#
        let data = text.data(using: encoding)!
        let problem = #expect(throws: FileProblem.self) { try Document(propertyList: data, path: "x.plist") }
        #expect(problem?.message == "the file is not UTF-8")
    }

    @Test(arguments: ["&#xFEFF;", "&#x0feff;", "&#65279;"], ["key", "string"])
    func `A byte order mark at the start of a text is refused, however it is written`(mark: String, name: String) throws
    {
        let text = "<plist><array>\n<\(name)>\(mark)a</\(name)></array></plist>"
        let problem = #expect(throws: FileProblem.self) { try Document(propertyList: Data(text.utf8), path: "x.plist") }
        #expect(problem?.location == "x.plist:2:1")
        // Elsewhere it is read.
        _ = try Document(propertyList: Data("<plist><\(name)>a\(mark)</\(name)></plist>".utf8), path: "x.plist")
    }
}
