/// Texts are compared byte for byte: two encodings of a letter differ, and a letter with an accent may begin with one
/// without.
@Suite(.inTurn) struct StringBytesTests {
    private static let texts = [
        "", "a", "ab", "ba", "a\u{0}", "\u{0}", "é", "e", "e\u{301}", "\u{301}", "🙂", "a long text that ends in ab",
        "ab begins a long text", "a long text that ends in e\u{301}",
    ]

    @Test(arguments: texts) func `Texts are compared by their bytes`(text: String) {
        // A part of a text that is longer on both sides.
        let substring = Substring("<\(text)>".utf8.dropFirst().dropLast())
        #expect(substring.utf8.elementsEqual(text.utf8))
        for other in Self.texts {
            let (bytes, others) = (Array(text.utf8), Array(other.utf8))
            for isSame in [text.isSame(as: other), substring.isSame(as: other), other.isSame(as: substring)] {
                #expect(isSame == (bytes == others))
            }
            for begins in [text.begins(with: other), substring.begins(with: other)] {
                #expect(begins == bytes.starts(with: others))
            }
            for ends in [text.ends(with: other), substring.ends(with: other)] {
                #expect(ends == bytes.reversed().starts(with: others.reversed()))
            }
            #expect((ByteName(text) == ByteName(other)) == (bytes == others))
        }
    }

    @Test(arguments: texts) func `A text is found by its bytes`(part: String) {
        for text in Self.texts {
            let (bytes, sought) = (Array(text.utf8), Array(part.utf8))
            let place = bytes.indices.first { !sought.isEmpty && bytes[$0...].starts(with: sought) }
            let range = text.firstRange(ofBytes: part)
            #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
            #expect(range.map { Array(text.utf8[$0]) } == (place == nil ? nil : sought))
            // In a part of a longer text too.
            let substring = Substring("<\(text)>".utf8.dropFirst().dropLast())
            #expect(substring.firstRange(ofBytes: part).map { Array(substring.utf8[$0]) } == range.map { _ in sought })
        }
    }
}
