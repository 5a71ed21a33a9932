/// Finds known secrets in texts of others, in every form that ``SecretForms`` has: all of them in one pass.
package struct SecretScanner: Sendable {
    /// A value to find.
    package struct Value: Sendable {
        /// What is shown in its place.
        package let shown: String
        package let text: String
        /// True for a value that may be an ordinary word, such as the password `test`: it is found as a whole word.
        package let isWord: Bool

        package init(_ text: String, shown: String, isWord: Bool = false) {
            (self.text, self.shown, self.isWord) = (text, shown, isWord)
        }
    }

    private let values: [Value]
    /// The index of the value that each pattern is a form of.
    private var owners: [Int] = []
    private let patterns: PatternTree

    /// - Parameters:
    ///   - values: of equal ones, the first counts.
    ///   - more: forms to look for beside those of ``SecretForms``, none of them empty.
    package init(_ values: [Value], more: (String) -> [[UInt8]] = { _ in [] }) {
        var (all, known): ([[UInt8]], SecretForms) = ([], SecretForms())
        for (index, value) in values.enumerated() where !value.text.isEmpty {
            let forms = known.all(of: value.text).map { Array($0.utf8) } + more(value.text)
            all += forms
            owners += forms.map { _ in index }
        }
        self.values = values
        patterns = PatternTree(all)
    }

    /// The places of values, in their order. Places that overlap are one, and have the value of the first.
    package func places(in text: UnsafeRawBufferPointer) -> [(range: Range<Int>, value: Value)] {
        var found: [(range: Range<Int>, value: Value)] = []
        patterns.forEachMatch(in: text) { pattern, place in
            let value = values[owners[pattern]]
            if value.isWord, !Self.isWord(place, in: text) { return false }
            var match = (range: place, value: value)
            while let last = found.last, last.range.upperBound > place.lowerBound {
                if last.range.lowerBound < match.range.lowerBound {
                    match = (last.range.lowerBound..<place.upperBound, last.value)
                }
                found.removeLast()
            }
            found.append(match)
            return true
        }
        return found
    }

    /// The text with what is shown of each value in its place.
    package func hide(_ text: String) -> String {
        if owners.isEmpty { return text }
        return text.replacing(text.withBytes { places(in: .init($0)) }.map { ($0.range, $0.value.shown) })
    }

    /// True if no ASCII letter or digit is beside a part of a text. An escape before it counts as the character that it
    /// stands for, which is hardly ever a letter.
    private static func isWord(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
        let before = text[..<range.lowerBound].suffix(6)
        let isEscaped =
            before.suffix(3).first == UInt8(ascii: "%") || before.suffix(2).first == UInt8(ascii: "\\")
            || before.begins(with: "\\u")
        let beside = [isEscaped ? -1 : range.lowerBound - 1, range.upperBound].filter(text.indices.contains)
        return !beside.contains { text[$0].isASCIILetter || text[$0].isASCIIDigit }
    }
}
