import FingerpostDocuments
import TestSupport

@testable import FingerpostChecks
@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct JSONPointerTests {
    private static let document = #"{"list": [1, [2]], "map": {"0": 1, "+1": 2, "": 3}}"#

    @Test(arguments: ["~1\u{301}", "a~0\u{301}~1", "~01", "~0~1~0", "é~1", ""])
    func `Escapes are undone before a combining mark too`(part: String) throws {
        let pointer = try JSONPointer("/" + part)
        #expect(pointer.description.isSame(as: "/" + part))
        // Each escape of two bytes becomes one byte.
        let escapes = part.utf8.filter { $0 == UInt8(ascii: "~") }
        #expect(pointer.parts[0].utf8.count == part.utf8.count - escapes.count)
    }

    @Test(
        arguments: [
            ("", true), ("/list", true), ("/list/0", true), ("/list/1/0", true), ("/list/*", true), ("/map/0", true),
            ("/map/+1", true), ("/map/", true), ("/list/2", false), ("/list/+1", false), ("/list/-0", false),
            ("/list/-1", false), ("/list/01", false), ("/list/00", false), ("/list/ 1", false), ("/list/1.0", false),
            ("/list/１", false), ("/list/99999999999999999999", false), ("/list/", false), ("/map/1", false),
        ])
    func `An index has neither a sign nor leading zeros`(text: String, leads: Bool) throws {
        let node = try JSONReader.read(Data(Self.document.utf8))
        #expect(try JSONPointer(text).leadsSomewhere(in: node) == leads)
    }
}
