import FingerpostShared
import TestSupport

@Suite(.inTurn) struct ByteOrderTests {
    private static let texts = [
        "", "a", "A", "ab", "a\u{0}", "a/b", "a.b", "é", "e\u{301}", "z", "\u{FFFF}", "🙂",
        "a long text, which is not kept in place", "a long text, which is not kept elsewhere",
    ]

    @Test func `Texts come in the order of their bytes`() {
        for a in Self.texts {
            for b in Self.texts {
                #expect(a.precedes(b) == a.utf8.lexicographicallyPrecedes(b.utf8), "\(a) and \(b)")
            }
        }
    }
}
