/// Finds known secrets in texts of others, in every form that ``SecretForms`` has: all of them in one pass.
package struct SecretScanner: Sendable {
    /// A value to find, and what is shown in its place. A value that may be an ordinary word, such as the password
    /// `test`, is found as a whole word.
    package typealias Value = (text: String, shown: String, isWord: Bool)

    private let values: [Value]
    /// The index of the value that each pattern is a form of.
    private var owners: [Int] = []
    private let patterns: PatternTree

    /// - Parameters:
    ///   - values: of equal ones, the first counts.
    ///   - limit: the most bytes of escaped forms that are looked for.
    ///   - more: forms to look for beside those of ``SecretForms``, none of them empty.
    package init(_ values: [Value], limit: Int = 1 << 20, more: (String) -> [[UInt8]] = { _ in [] }) {
        var (all, known): ([[UInt8]], SecretForms) = ([], SecretForms(limit: limit))
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

    /// True if no ASCII letter or digit is beside a part of a text.
    private static func isWord(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
        !text[..<range.lowerBound].endsWithWord
            && !text[range.upperBound...].prefix(1).contains { $0.isASCIILetter || $0.isASCIIDigit }
    }
}

extension BidirectionalCollection<UInt8> {
    /// True if the last byte is an ASCII letter or digit, but not that of an escape such as `%2F`, `\n` or `\u002f`. An
    /// escape counts as the character that it represents, which is hardly ever a letter.
    package var endsWithWord: Bool {
        last.map { $0.isASCIILetter || $0.isASCIIDigit } == true && suffix(3).first != UInt8(ascii: "%")
            && suffix(2).first != UInt8(ascii: "\\") && !suffix(6).begins(with: "\\u")
    }
}
