import FingerpostChecks

@Suite(.inTurn) struct StringPrintableTests {
    @Test func `Characters that act on a terminal or a line are escaped, and line breaks can be kept`() {
        let texts = [
            "plain é 漢字 👩‍👩‍👧 שלום": "plain é 漢字 👩‍👩‍👧 שלום", "a\nb\r\tc": #"a\nb\r\tc"#,
            "\u{1B}[31mred": #"\u{1B}[31mred"#, "a\u{7F}b\u{9B}c": #"a\u{7F}b\u{009B}c"#,
            "a\u{2028}b\u{2029}c": #"a\u{2028}b\u{2029}c"#, "a\u{202E}b\u{2066}c": #"a\u{202E}b\u{2066}c"#, "": "",
        ]
        for (text, printable) in texts {
            #expect((text.printable, text.quoted, printable.printable) == (printable, "\"\(printable)\"", printable))
        }
        #expect("a\n\u{1B}b\r\nc".printableLines == "a\n\\u{1B}b\\r\nc")
    }

    @Test func `Problems and tables stay on their lines, and a very long cell does not widen the others`() {
        let problem = FileProblem(path: "a.json", line: 1, message: "one\ntwo", fix: "three\u{1B}")
        let long = String(repeating: "x", count: 100_000)
        let lines =
            [problem.description] + [["a\nb", "c"], ["d", "e"]].tableLines
            + [[long, "a"], ["ab", "b"], ["c", "c"]].tableLines
        #expect(
            lines == [
                #"a.json:1: error: one\ntwo. Fix: three\u{1B}"#, #"  a\nb   c"#, "  d      e", "  \(long)   a",
                "  ab   b", "  c    c",
            ])
    }
}
