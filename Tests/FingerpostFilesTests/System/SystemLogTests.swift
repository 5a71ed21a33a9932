@testable import FingerpostFiles

@Suite(.inTurn) struct SystemLogTests {
    @Test func `Each line is a message, and a long one several, without cutting a character`() {
        let most = SystemLog.maximumSize
        let texts: [(String, [Int])] = [
            ("GET user 200", [12]), ("", []), ("a\nbc\n\n  d", [1, 2, 3]),
            (String(repeating: "a", count: most), [most]),
            (String(repeating: "a", count: 2 * most + 1), [most, most, 1]),
            ("x\n" + String(repeating: "a", count: most + 1), [1, most, 1]),
            // Characters of 2, 8 and many bytes.
            ("x" + String(repeating: "é", count: most / 2), [most - 1, 2]),
            (String(repeating: "🇨🇭", count: most / 8 + 1), [most / 8 * 8, 8]),
            ("ab" + "c" + String(repeating: "\u{301}", count: most), [2, 2 * most + 1]),
        ]
        for (text, sizes) in texts {
            let messages = SystemLog.messages(of: text)
            #expect(
                (messages.map(\.utf8.count), messages.joined()) == (sizes, text.filter { $0 != "\n" }),
                "\(text.prefix(20))")
        }
    }
}
