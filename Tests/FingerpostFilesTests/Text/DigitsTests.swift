@testable import FingerpostFiles

@Suite(.inTurn) struct DigitsTests {
    @Test func `Digits and nothing else form a number, if it fits`() {
        let texts: [(String, Int64?)] = [
            ("0", 0), ("007", 7), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_648),
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("", nil), ("+1", nil), ("-1", nil),
            (" 1", nil), ("1_0", nil), ("1a", nil), ("٣", nil), ("1\u{301}", nil),
        ]
        for (text, number) in texts {
            #expect(
                (Int64(digits: text[...]), Int32(digits: text[...])) == (number, number.flatMap { Int32(exactly: $0) }))
        }
    }
}
