import FingerpostFiles
import TestSupport

@testable import FingerpostDocuments

@Suite(.inTurn) struct JSONReaderTests {
    /// Those of ``BrokenEnvironment`` are not repeated here.
    private static let malformed: [(String, Int, Int, String)] = [
        ("[1 2]", 1, 4, ", or ]"),
        ("{\"a\" 1}", 1, 6, ": is expected"),
        ("{a: 1}", 1, 2, "unexpected a"),
        ("\"abc", 1, 1, "not closed"),
        ("\"\\x\"", 1, 3, "unknown escape"),
        ("\"\\u12\"", 1, 6, "four hexadecimal digits"),
        ("-", 1, 2, "digit"),
        ("1.", 1, 3, "digit"),
        ("1e", 1, 3, "digit"),
        ("+1", 1, 1, "unexpected +"),
        (".5", 1, 1, "unexpected ."),
        ("NaN", 1, 1, "unexpected N"),
        ("nul", 1, 1, "unexpected n"),
    ]

    @Test func `Malformed text is rejected with its line and column`() {
        for (text, line, column, message) in Self.malformed {
            let problem = #expect(throws: FileProblem.self) { try Document(json: Data(text.utf8), path: "x.json") }
            let found = (problem?.line, problem?.column, problem?.message.contains(message))
            #expect(found == (line, column, true), "\(text): \(String(describing: problem))")
        }
    }
}
