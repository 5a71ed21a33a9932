import TestSupport

@testable import FingerpostDocuments
@testable import FingerpostFiles

/// An app without the strict readers reads the same values.
@Suite(.inTurn) struct FoundationReaderTests {
    private static func read(_ data: Data, _ path: String) throws -> (strict: String, foundation: String) {
        let strict = try StrictParser.read(data, path: path, .file).root
        return (strict.normal, try FoundationReader.read(data, path: path).root.normal)
    }

    @Test func `Every rule of JSON has the same value`() throws {
        for text in JSONTable.valid {
            // Of a key that a file has twice, each reader keeps another value: `check` reports it.
            if text.ranges(of: #""a""#).count > 1 { continue }
            // Foundation drops a byte order mark at the start of a string.
            if text.contains("\u{FEFF}") { continue }
            let (strict, foundation) = try Self.read(Data(text.utf8), "x.json")
            #expect(strict == foundation, "\(text)")
        }
    }

    // MARK: Refused files

    /// Files that are refused, and a part of the sentence that says why.
    private static let refused: [(String, String, String)] = [
        ("x.json", "", "the file is empty"), ("x.json", "{", "there is a syntax error"),
        ("x.json", "{\"a\": 1\n\"b\": 2}", "there is a syntax error"),
        ("x.json", String(repeating: "[", count: 514) + String(repeating: "]", count: 514), "nested deeper than 512"),
        ("x.plist", "", "the file is empty"), ("x.plist", "{ a = b; }", "neither an XML nor a binary property list"),
        ("x.plist", "<plist><dict><key>a</key></dict></plist>", "not a property list"),
        (
            "x.plist",
            "<plist>" + String(repeating: "<array>", count: 514) + String(repeating: "</array>", count: 514)
                + "</plist>", "nested deeper than 512"
        ),
    ]

    @Test func `A broken file is refused with its name and a reason`() {
        for (path, text, reason) in Self.refused {
            let problem = #expect(throws: FileProblem.self) { try FoundationReader.read(Data(text.utf8), path: path) }
            let found = (problem?.path, problem?.message.contains(reason))
            #expect(found == (path, true), "\(text.prefix(40)): \(problem?.description ?? "")")
        }
    }
}
