/// Finds known secrets in texts, regardless of the text before a secret. The scanner searches the text once as it is,
/// and once without the escapes of JSON, URLs and forms.
package struct SecretScanner: Sendable {
    /// A value to find, and the text that is shown instead. A value that may be an ordinary word, such as the password
    /// `test`, is only found as a whole word.
    package typealias Value = (text: String, shown: String, isWord: Bool)
    package typealias Match = (range: Range<Int>, value: Value)

    private let values: [Value]
    /// The index of the value for each pattern. A pattern is one encoded variant of a value.
    private var owners: [Int] = []
    private let patterns: PatternTree
    /// The length in bytes of the longest pattern.
    private var longest = 0
    /// True for each byte that a value contains.
    private var isUsed = [Bool](repeating: false, count: 256)

    /// - Parameters:
    ///   - values: the values to find. If values are equal, the first applies.
    ///   - more: returns the encoded variants of a value, which are searched for too. No variant may be empty.
    package init(_ values: [Value], more: (String) -> [[UInt8]] = { _ in [] }) {
        self.values = values
        var all: [[UInt8]] = []
        for (index, value) in values.enumerated() where !value.text.isEmpty {
            let bytes = Array(value.text.utf8)
            // A form-encoded text contains a plus sign for a space, so both count as equal.
            let spaced = bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
            for byte in bytes + spaced { isUsed[Int(byte)] = true }
            let forms = (bytes == spaced ? [bytes] : [bytes, spaced]) + more(value.text)
            all += forms
            owners += forms.map { _ in index }
            longest = max(longest, bytes.count)
        }
        patterns = PatternTree(all)
    }

    /// Returns the ranges of values, in the order of the text. Overlapping ranges are joined, and the joined range gets
    /// the value of the first range.
    package func places(in text: UnsafeRawBufferPointer) -> [Match] {
        let found = matches(in: text)
        guard text.contains(where: { $0.isOne(of: "%\\") || $0 == UInt8(ascii: "+") && isUsed[0x20] }) else {
            return found
        }
        let unescaped = UnescapedText(text, isForm: isUsed[0x20]) { isUsed[Int($0)] }
        var (all, rest) = ([Match](), found[...])
        for (range, value) in unescaped.bytes.withUnsafeBytes(matches) {
            let place = unescaped.source(of: range)
            while let next = rest.first, next.range.lowerBound <= place.lowerBound {
                Self.add(rest.removeFirst(), to: &all)
            }
            Self.add((place, value), to: &all)
        }
        for match in rest { Self.add(match, to: &all) }
        return all
    }

    private func matches(in text: UnsafeRawBufferPointer) -> [Match] {
        var found: [Match] = []
        patterns.forEachMatch(in: text) { pattern, place in
            let value = values[owners[pattern]]
            if value.isWord, !Self.isWord(place, in: text) { return false }
            Self.add((place, value), to: &found)
            return true
        }
        return found
    }

    /// Adds a match. A match that overlaps earlier matches is merged with them.
    private static func add(_ match: Match, to found: inout [Match]) {
        var match = match
        while let last = found.last, last.range.upperBound > match.range.lowerBound {
            let (start, end) = (last.range.lowerBound, last.range.upperBound)
            if start < match.range.lowerBound || end >= match.range.upperBound { match.value = last.value }
            match.range = min(start, match.range.lowerBound)..<max(end, match.range.upperBound)
            found.removeLast()
        }
        found.append(match)
    }

    /// Returns the text with each value replaced by its `shown` text.
    ///
    /// - Parameter length: the length in bytes at which the text is truncated. A value at this position is replaced as
    ///   a whole.
    package func hide(_ text: String, upTo length: Int = .max) -> String {
        if text.utf8.count <= length {
            if owners.isEmpty { return text }
            return text.replacing(text.withBytes { places(in: .init($0)) }.map { ($0.range, $0.value.shown) })
        }
        return text.withBytes { bytes in
            // A JSON escape can have six bytes for one byte, so the search goes beyond the cut by six times the longest
            // pattern.
            let seen = bytes.prefix(length + min(6 * longest, bytes.count))
            let found = places(in: .init(UnsafeBufferPointer(rebasing: seen))).filter { $0.range.lowerBound < length }
            var end = max(length, found.last?.range.upperBound ?? 0)
            while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            let start = String(decoding: bytes[..<end], as: UTF8.self)
            return start.replacing(found.map { ($0.range, $0.value.shown) })
        }
    }

    /// Returns true if no ASCII letter or digit is next to the range in the text.
    private static func isWord(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
        !text[..<range.lowerBound].endsWithWord
            && !text[range.upperBound...].prefix(1).contains { $0.isASCIILetter || $0.isASCIIDigit }
    }
}

extension BidirectionalCollection<UInt8> {
    /// True if the last byte is an ASCII letter or digit. The last byte of an escape such as `%2F`, `\n` or `\u002f`
    /// does not count, because the escaped character is hardly ever a letter.
    package var endsWithWord: Bool {
        last.map { $0.isASCIILetter || $0.isASCIIDigit } == true && suffix(3).first != UInt8(ascii: "%")
            && suffix(2).first != UInt8(ascii: "\\") && !suffix(6).begins(with: "\\u")
    }
}
