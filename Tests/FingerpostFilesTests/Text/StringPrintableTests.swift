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

    @Test func `A problem stays on its line`() {
        let problem = FileProblem(path: "a.json", line: 1, message: "one\ntwo", fix: "three\u{1B}")
        #expect(problem.description == #"a.json:1: error: one\ntwo. Fix: three\u{1B}"#)
    }
}
