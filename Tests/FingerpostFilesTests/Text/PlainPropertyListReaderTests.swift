import FingerpostFiles
import Foundation
import TestSupport
import Testing

@Suite struct PlainPropertyListReaderTests {
    private static let plain = """
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
            <array><true/><false/></array>
            <key>numbers</key>
            <array>
                <integer>-17</integer>
                <integer>007</integer>
                <real>0.25</real>
                <real>-3</real>
                <real>123456.78901</real>
            </array>
            <key>inner</key>
            <dict><key>deep</key><dict/><key>list</key><array/></dict>
        </dict>
        </plist>
        """

    /// A value as text, dictionaries in the order of the alphabet.
    private static func text(_ value: Node.Value) -> String {
        switch value {
        case .array(let elements): "[" + elements.map { text($0.value) }.joined(separator: ", ") + "]"
        case .dictionary(let entries):
            "{" + entries.map { "\($0.key): \(text($0.node.value))" }.sorted().joined(separator: ", ") + "}"
        default: "\(value)"
        }
    }

    /// What Foundation reads, by way of a binary property list.
    private static func foundation(_ bytes: [UInt8]) throws -> String {
        let object = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        return text(try Document(propertyList: binary, path: "x.plist").root.value)
    }

    @Test func `A plain property list is read without Foundation, as Foundation reads it`() throws {
        let bytes = Array(Self.plain.utf8)
        let root = try #require(PlainPropertyListReader.read(bytes))
        #expect(Self.text(root.value) == (try Self.foundation(bytes)))
        let document = Document(path: "x.plist", root: root, text: bytes)
        #expect(document.line(of: root["text"]?.offset) == 7)
        #expect(document.line(of: root["inner"]?["deep"]?.offset) == 21)
    }

    @Test(arguments: [
        "<date>2026-01-31T12:00:00Z</date>", "<data>AQID</data>", "<string>a &amp; b</string>",
        "<string><![CDATA[x]]></string>",
        "<string/>", "<integer>+1</integer>", "<integer>0x1F</integer>", "<real>1e3</real>", "<real>nan</real>",
        "<real>.5</real>",
        "<integer>9999999999999999999</integer>", "<string a=\"b\">x</string>", "<integer> 1</integer>",
    ]) func `What is more than plain is left to Foundation`(value: String) {
        let text = "<plist version=\"1.0\"><dict><key>a</key>\(value)</dict></plist>"
        #expect(PlainPropertyListReader.read(Array(text.utf8)) == nil)
    }

    @Test(arguments: 1...1000) func `What is read without Foundation is never refused or read otherwise by it`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(Self.plain.utf8)
        let pieces = [
            "<", ">", "/", "&", " ", "-", ".", "e", "0", "9", "<key>a</key>", "</dict>", "<string>", "<!--", "-->",
            "\r", "\u{0}",
        ]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...8, using: &random))
            bytes.replaceSubrange(start..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
        }
        guard let root = PlainPropertyListReader.read(bytes) else { return }
        #expect(throws: Never.self) {
            let expected = try Self.foundation(bytes)
            #expect(Self.text(root.value) == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
