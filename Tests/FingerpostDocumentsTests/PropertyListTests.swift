import FingerpostFiles
import TestSupport

@testable import FingerpostDocuments

@Suite(.inTurn) struct PropertyListTests {
    @Test func `The fix names what the file is instead`() {
        let fixes = [
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\n": "run git lfs pull",
            "<plist><dict>\n<<<<<<< HEAD\n<key>a</key>\n>>>>>>> b\n</dict></plist>": "resolve the merge",
            "<!DOCTYPE html>\n<html><body></body></html>": "save what the server sends as data",
            "{\"a\": 1}": "rename it to .json", "<plist><dict><key>a</key><null/></dict></plist>": "leave the key out",
        ]
        for (text, fix) in fixes {
            let problem = #expect(throws: FileProblem.self) {
                try Document(propertyList: Data(text.utf8), path: "a.plist")
            }
            #expect(problem?.fix?.hasPrefix(fix) == true, "\(problem as Any)")
        }
    }

    @Test func `A binary property list has the same values on Apple platforms, and is refused elsewhere`() throws {
        let xml = Data(PropertyListXMLTests.whole.utf8)
        let object = try PropertyListSerialization.propertyList(from: xml, options: [], format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        #if canImport(Darwin)
            let document = try Document(propertyList: binary, path: "x.plist")
            let written = try Document(propertyList: xml, path: "x.plist")
            let found = (
                PropertyListXMLTests.text(document.root.value), document.line(of: document.root["text"]?.offset)
            )
            #expect(found == (PropertyListXMLTests.text(written.root.value), nil))
        #else
            let problem = #expect(throws: FileProblem.self) { try Document(propertyList: binary, path: "x.plist") }
            #expect(
                problem?.description == "x.plist: error: a binary property list is read on Apple platforms alone. "
                    + "Fix: save it as an XML property list, or as JSON")
        #endif
    }
}
