@testable import FingerpostFiles

@Suite(.inTurn) struct SecretScannerTests {
    /// Texts, the secrets that are hidden in them, and what is shown.
    private static let texts: [(text: String, secrets: [String], shown: String)] = [
        ("abcd", ["abcd"], "<4>"), ("xabcdy", ["bc"], "xa<2>dy"), ("ababab", ["ab"], "<2><2><2>"),
        ("aaaaa", ["aaa", "aa"], "<3>"),
        // What overlaps is one place, and has the name of the first.
        ("my secret key value.", ["secret", "my secret key", "key value"], "<13>."),
        ("abcdefgh", ["cdefgh", "bc"], "a<2>"), ("long patter", ["long pattern"], "long patter"), ("", ["a"], ""),
        ("abc", [], "abc"),
        // The case of letters counts, but for the digits of escapes.
        ("ABCDEF12 abcdef12", ["abcdef12"], "ABCDEF12 <8>"), ("%2FABCD %2fabcd", ["/abcd"], "%2FABCD <5>"),
        (#"\u00E9FACE \u00e9face"#, ["éface"], #"\u00E9FACE <6>"#),
    ]

    @Test func `Values are found wherever they begin, overlap and end, and the case of letters counts`() {
        for (text, secrets, shown) in Self.texts {
            let scanner = SecretScanner(secrets.map { ($0, "<\($0.utf8.count)>", isWord: false) })
            #expect(scanner.hide(text) == shown, "\(text)")
        }
    }

    /// The ways in which common software writes `ab"cd/Zq+é &x=`.
    static let spellings = [
        #"ab"cd/Zq+é &x="#, #"ab\"cd/Zq+é &x="#, #"ab\"cd\/Zq+é &x="#, #"ab\"cd\/Zq+\u00e9 &x="#,
        #"ab\u0022cd/Zq\u002B\u00E9 \u0026x="#, #"ab\"cd/Zq+é \u0026x="#,
        "ab%22cd%2FZq%2B%C3%A9%20%26x%3D", "ab%22cd%2fZq%2b%c3%a9+%26x%3d", "ab%22cd/Zq+%C3%A9%20&x=",
        "ab%22cd/Zq%2B%C3%A9%20%26x%3D", "ab%22cd%2FZq%2B%C3%A9+%26x%3D", "ab%22cd/Zq%2Bé%20%26x%3D",
    ]

    @Test func `A value is found as encoders write it, whatever is before it`() {
        for spelling in Self.spellings {
            let scanner = SecretScanner([(#"ab"cd/Zq+é &x="#, "<secret>", isWord: false)])
            for before in [
                "", "x", "%", "100%", "100%ab", "%AB", "%a", "\\", "\\\\", "\\u00", "\\u00AB", "é", "%E2%28",
            ] {
                for after in ["", "%", "%2", "\\", "x"] {
                    #expect(scanner.hide(before + spelling + after) == "\(before)<secret>\(after)")
                }
            }
        }
    }

    @Test func `A word is found as a whole`() {
        let scanner = SecretScanner([("test", "<>", isWord: true)])
        #expect(
            scanner.hide("test latest a-test test2 'test' \\ntest %20test \\u0020test é test.")
                == "<> latest a-<> test2 '<>' \\n<> %20<> \\u0020<> é <>.")
    }
}
