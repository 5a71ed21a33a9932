import FingerpostFiles
import TestSupport

@testable import FingerpostDocuments

@Suite(.inTurn) struct PropertyListTests {
    @Test(
        arguments: [
            ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "run git lfs pull"),
            ("<plist><dict>\n<<<<<<< HEAD\n<key>a</key>\n>>>>>>> b\n</dict></plist>", "resolve the merge"),
            ("<!DOCTYPE html>\n<html><body></body></html>", "save what the server sends as data"),
            ("{\"a\": 1}", "rename it to .json"),
            ("<plist><dict><key>a</key><null/></dict></plist>", "leave the key out"),
        ])
    func `The fix names what the file is instead`(text: String, fix: String) {
        let problem = #expect(throws: FileProblem.self) { try Document(propertyList: Data(text.utf8), path: "a.plist") }
        #expect(problem?.fix?.hasPrefix(fix) == true, "\(problem as Any)")
    }

    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>text</key>
            <string>a &amp; b</string>
            <!-- <key>no</key> -->
            <key>flag</key>
            <true/>
            <key>whole</key>
            <integer>1</integer>
            <key>real</key>
            <real>1</real>
            <key>empty</key>
            <dict/>
            <key>date</key>
            <date>2026-01-31T12:00:00Z</date>
            <key>data</key>
            <data>AQID</data>
            <key>a&lt;b</key>
            <array>
                <string>x</string>
                <dict>
                    <key>k</key>
                    <integer>2</integer>
                </dict>
            </array>
        </dict>
        </plist>
        """

    @Test func `An XML property list has values, kinds, order and lines`() throws {
        let document = try Document(propertyList: Data(Self.xml.utf8), path: "x.plist")
        let entries = try #require(document.root.entries)
        #expect(entries.map(\.key) == ["text", "flag", "whole", "real", "empty", "date", "data", "a<b"])
        #expect(
            entries.map(\.node.value.kind)
                == ["a string", "a boolean", "an integer", "a real number", "a dictionary", "a date", "data", "a list"])
        #expect(entries.map { document.line(of: $0.keyOffset) } == [5, 8, 10, 12, 14, 16, 18, 20])
        #expect(entries.map { document.line(of: $0.node.offset) } == [6, 9, 11, 13, 15, 17, 19, 21])
        #expect(document.root["text"]?.string == "a & b")
        guard case .array(let elements)? = document.root["a<b"]?.value else {
            Issue.record("a<b is not a list")
            return
        }
        #expect(document.line(of: elements.last?["k"]?.offset) == 25)
    }

    @Test func `A binary property list has the same values on Apple platforms, and is refused elsewhere`() throws {
        let object = try PropertyListSerialization.propertyList(from: Data(Self.xml.utf8), options: [], format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        #if canImport(Darwin)
            let document = try Document(propertyList: binary, path: "x.plist")
            #expect(document.root["whole"]?.value.kind == "an integer")
            #expect(document.root["flag"]?.value.kind == "a boolean")
            #expect(document.root["text"]?.string == "a & b")
            #expect(document.line(of: document.root["text"]?.offset) == nil)
        #else
            let problem = #expect(throws: FileProblem.self) { try Document(propertyList: binary, path: "x.plist") }
            #expect(problem?.message == "a binary property list is read on Apple platforms alone")
            #expect(problem?.fix == "save it as an XML property list, or as JSON")
        #endif
    }
}
