import TestSupport

@testable import FingerpostChecks

@Suite(.inTurn) struct BytePatternsTests {
    private func found(_ patterns: [String], in text: String) -> [String] {
        let search = BytePatterns(patterns.map { Array($0.utf8) })
        var found: [String] = []
        Data(text.utf8).withUnsafeBytes { bytes in
            search.forEachMatch(in: bytes) { found.append("\(patterns[$0])@\($1 - patterns[$0].utf8.count)") }
        }
        return found
    }

    @Test func `Patterns are found wherever they begin, overlap and end`() {
        #expect(found(["abc", "bc", "c", "bcd"], in: "abcd") == ["abc@0", "bc@1", "c@2", "bcd@1"])
        #expect(found(["aa"], in: "aaaa") == ["aa@0", "aa@1", "aa@2"])
        #expect(found(["abab", "ba"], in: "ababab") == ["ba@1", "abab@0", "ba@3", "abab@2"])
        #expect(found(["abc", "abc"], in: "xabc") == ["abc@1", "abc@1"])
        #expect(found(["long pattern"], in: "long patter").isEmpty)
        #expect(found(["a"], in: "").isEmpty)
        #expect(found([], in: "abc").isEmpty)
    }

    @Test func `Random patterns are found as by a simple search`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            func text(_ length: Int) -> String {
                String((0..<length).map { _ in "ab".randomElement(using: &generator) ?? "a" })
            }
            let patterns = Array(Set((0..<4).map { _ in text(Int.random(in: 1...4)) })).sorted()
            let sample = text(30)
            let expected = patterns.flatMap { pattern in
                (0...(30 - pattern.count)).filter { sample.dropFirst($0).hasPrefix(pattern) }.map { "\(pattern)@\($0)" }
            }
            #expect(found(patterns, in: sample).sorted() == expected.sorted(), "\(patterns) in \(sample)")
        }
    }
}
