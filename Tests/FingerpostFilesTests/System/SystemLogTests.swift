@testable import FingerpostFiles

@Suite(.inTurn) struct SystemLogTests {
    private static let most = SystemLog.maximumSize

    @Test(arguments: [
        ("GET user 200", [12]), ("", []), ("a\nbc\n\n  d", [1, 2, 3]), (String(repeating: "a", count: most), [most]),
        (String(repeating: "a", count: 2 * most + 1), [most, most, 1]),
        ("x\n" + String(repeating: "a", count: most + 1), [1, most, 1]),
        // Characters of 2, 8 and many bytes.
        ("x" + String(repeating: "é", count: most / 2), [most - 1, 2]),
        (String(repeating: "🇨🇭", count: most / 8 + 1), [most / 8 * 8, 8]),
        ("ab" + "c" + String(repeating: "\u{301}", count: most), [2, 2 * most + 1]),
    ])
    func `Each line is a message, and a long one several, without cutting a character`(_ text: String, _ sizes: [Int]) {
        let messages = SystemLog.messages(of: text)
        #expect((messages.map(\.utf8.count), messages.joined()) == (sizes, text.filter { $0 != "\n" }))
    }
}
