/// Texts are compared byte for byte: two encodings of a letter differ, and a letter with an accent may begin with one
/// without.
@Suite(.inTurn) struct StringBytesTests {
    private static let texts = [
        "", "a", "ab", "ba", "a\u{0}", "\u{0}", "é", "e", "e\u{301}", "\u{301}", "🙂", "a long text that ends in ab",
        "ab begins a long text", "a long text that ends in e\u{301}",
    ]

    /// A part of a text that is longer on both sides.
    private static func part(_ text: String) -> Substring { Substring("<\(text)>".utf8.dropFirst().dropLast()) }

    @Test func `Texts are compared by their bytes`() {
        for text in Self.texts {
            let substring = Self.part(text)
            #expect(substring.utf8.elementsEqual(text.utf8))
            for other in Self.texts {
                let (bytes, others) = (Array(text.utf8), Array(other.utf8))
                let isSame = bytes == others
                let begins = bytes.starts(with: others)
                let ends = bytes.reversed().starts(with: others.reversed())
                let found = [
                    text.isSame(as: other), substring.isSame(as: other), other.isSame(as: substring),
                    ByteName(text) == ByteName(other), text.begins(with: other), substring.begins(with: other),
                    text.ends(with: other), substring.ends(with: other),
                ]
                #expect(found == [isSame, isSame, isSame, isSame, begins, begins, ends, ends], "\(text) and \(other)")
            }
        }
    }

    @Test func `A text is found by its bytes`() {
        for part in Self.texts {
            for text in Self.texts {
                let (bytes, sought) = (Array(text.utf8), Array(part.utf8))
                let place = bytes.indices.first { !sought.isEmpty && bytes[$0...].starts(with: sought) }
                let range = text.firstRange(ofBytes: part)
                // In a part of a longer text too.
                let substring = Self.part(text)
                let found = [
                    range.map { Array(text.utf8[$0]) },
                    substring.firstRange(ofBytes: part).map { Array(substring.utf8[$0]) },
                ]
                let offset = range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
                let expected = place == nil ? nil : sought
                #expect((offset, found) == (place, [expected, expected]), "\(part) in \(text)")
            }
        }
    }
}
