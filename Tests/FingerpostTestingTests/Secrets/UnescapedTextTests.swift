import FingerpostFiles
import FingerpostShared
import Foundation
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

@Suite(.inTurn) struct UnescapedTextTests {
    @Test(
        arguments: [
            ("plain", []),
            (#"a\/b\n\"c\\d"#, ["a/b\n\"c\\d", "a/b\n\"cd"]),
            (#"\u00e9\u00C9 \ud83d\ude00"#, ["éÉ 😀"]),
            (#"\u{e9}\u{1F600}\0"#, ["é😀\0"]),
            // Text that is not an escape is kept.
            (#"\u00g1 \/ \ud83d \u{} \u{110000} \u12"#, [#"\u00g1 / \ud83d \u{} \u{110000} \u12"#]),
            (#"end\"#, ["end\\"]),
            ("%2Fa%c3%A9 100% %2 %zz", ["/aé 100% %2 %zz"]),
            ("a+b%2Bc", ["a+b+c", "a b+c"]), ("a+b", ["a b"]),
            (#"%5C\u0025\/"#, ["%5C%/", "\\%/"]),
        ])
    func `Each level of escaping is undone in turn`(text: String, expected: [String]) {
        let readings = UnescapedText.readings(of: Array(text.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(readings.first == text)
        #expect(expected.allSatisfy(readings.contains), "\(readings)")
    }

    @Test func `Every position in a reading maps to one in the original text`() throws {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "\\", "u", "00e9", "{", "}", "%", "2f", "+", "é", "\\ud83d", "\\ude00", "x", "\\u{41}", "n", "\"",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }.joined()
            let bytes = Array(text.utf8)
            for reading in UnescapedText.readings(of: bytes) {
                let whole = reading.original(0..<reading.bytes.count)
                #expect(whole == 0..<bytes.count, "\(text)")
                var last = 0
                for index in reading.bytes.indices {
                    let place = reading.original(index..<index + 1)
                    #expect(place.lowerBound >= last && place.upperBound <= bytes.count, "\(text)")
                    last = place.lowerBound
                }
            }
        }
    }
}
