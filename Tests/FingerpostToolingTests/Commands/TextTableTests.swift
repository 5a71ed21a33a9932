import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct TextTableTests {
    @Test func `Rows stay on their lines, and a very long cell does not widen the others`() {
        let long = String(repeating: "x", count: 100_000)
        let lines = [["a\nb", "c"], ["d", "e"]].tableLines + [[long, "a"], ["ab", "b"], ["c", "c"]].tableLines
        #expect(lines == [#"  a\nb   c"#, "  d      e", "  \(long)   a", "  ab   b", "  c    c"])
    }
}
