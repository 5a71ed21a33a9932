import FingerpostFiles
import TestSupport

@testable import FingerpostDocuments

@Suite(.inTurn) struct JSONReaderTests {
    private static let malformed: [(String, Int, Int, String)] = [
        ("", 1, 1, "empty"),
        ("  \n ", 2, 2, "empty"),
        ("{", 1, 2, "key in double quotes"),
        ("{\n  \"a\": tru\n}", 2, 8, "unexpected t"),
        ("{\"a\": 1,}", 1, 9, "key in double quotes"),
        ("[1, 2,]", 1, 7, "unexpected ]"),
        ("[1 2]", 1, 4, ", or ]"),
        ("{\"a\" 1}", 1, 6, ": is expected"),
        ("{a: 1}", 1, 2, "unexpected a"),
        ("{} {}", 1, 4, "after the end"),
        ("\"abc", 1, 1, "not closed"),
        ("\"a\nb\"", 1, 3, "control character"),
        ("\"\\x\"", 1, 3, "unknown escape"),
        ("\"\\u12\"", 1, 6, "four hexadecimal digits"),
        ("\"\\uD800\"", 1, 2, "surrogate"),
        ("01", 1, 1, "starts with 0"),
        ("-", 1, 2, "digit"),
        ("1.", 1, 3, "digit"),
        ("1e", 1, 3, "digit"),
        ("+1", 1, 1, "unexpected +"),
        (".5", 1, 1, "unexpected ."),
        ("NaN", 1, 1, "unexpected N"),
        ("99999999999999999999", 1, 1, "64 bits"),
        ("1e999", 1, 1, "too large"),
        ("// c\n{}", 1, 1, "unexpected /"),
        ("nul", 1, 1, "unexpected n"),
        ("'a'", 1, 1, "unexpected '"),
    ]

    @Test(arguments: malformed)
    func `Malformed text is rejected with its line and column`(text: String, line: Int, column: Int, message: String) {
        let problem = #expect(throws: FileProblem.self) { try Document(json: Data(text.utf8), path: "x.json") }
        #expect(problem?.line == line)
        #expect(problem?.column == column)
        #expect(problem?.message.contains(message) == true, "\(String(describing: problem))")
    }
}
