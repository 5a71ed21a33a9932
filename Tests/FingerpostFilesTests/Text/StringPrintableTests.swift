import FingerpostChecks

@Suite(.inTurn) struct StringPrintableTests {
    @Test(
        arguments: [
            ("plain é 漢字 👩‍👩‍👧 שלום", "plain é 漢字 👩‍👩‍👧 שלום"), ("a\nb\r\tc", #"a\nb\r\tc"#),
            ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\u{7F}b\u{9B}c", #"a\u{7F}b\u{009B}c"#),
            ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#), ("a\u{202E}b\u{2066}c", #"a\u{202E}b\u{2066}c"#),
            ("", ""),
        ])
    func `Characters that act on a terminal or a line are escaped`(text: String, printable: String) {
        #expect((text.printable, text.quoted, printable.printable) == (printable, "\"\(printable)\"", printable))
    }

    @Test func `Line breaks can be kept`() {
        #expect("a\n\u{1B}b\r\nc".printableLines == "a\n\\u{1B}b\\r\nc")
    }

    @Test func `Problems and tables stay on their lines`() {
        let problem = FileProblem(path: "a.json", line: 1, message: "one\ntwo", fix: "three\u{1B}")
        #expect(problem.description == #"a.json:1: error: one\ntwo. Fix: three\u{1B}"#)
        #expect([["a\nb", "c"], ["d", "e"]].tableLines == [#"  a\nb   c"#, "  d      e"])
    }

    @Test func `A very long cell does not widen the other lines of a table`() {
        let long = String(repeating: "x", count: 100_000)
        #expect(
            [[long, "a"], ["ab", "b"], ["c", "c"]].tableLines == ["  \(long)   a", "  ab   b", "  c    c"])
    }
}
