import Fingerpost
import FingerpostChecks
import FingerpostFiles
import Foundation

/// Redacts secrets in text shown to people. Secrets are found in every form in which they are sent or echoed: verbatim,
/// escaped for URLs or JSON, and in Base64, both alone and after a user name.
///
/// The secrets of an environment are found even inside a longer word. Other credentials may be common words, such as
/// the password `test`, so a short credential matches only as a whole word.
struct SecretRedactor: Sendable {
    /// The minimum length of a secret in bytes. Shorter secrets are not redacted, because a secret such as `on` or `7`
    /// would match in many ordinary words.
    static let minimumLength = 4

    /// The minimum length in bytes of a match that is assumed not to be a coincidence.
    static let unlikelyLength = 8

    /// A secret found in text.
    struct Match: Sendable {
        /// The byte offsets of the match.
        fileprivate(set) var range: Range<Int>
        /// The key of an environment secret; nil for another credential.
        let key: String?
        /// False for a short match, which can be part of a word by coincidence.
        fileprivate(set) var isLong: Bool
    }

    /// One way in which a secret can be written.
    private struct Form {
        let bytes: [UInt8]
        let key: String?
        /// For a Base64 form, the number of characters directly before and after the form that can contain further bits
        /// of the secret. Nil for any other form.
        let base64Margins: (before: Int, after: Int)?
        let isLong: Bool
        /// For each place in the form, how many bytes from there on are equal to the form's start. Empty for a short
        /// form.
        let repeats: [Int32]

        init(bytes: [UInt8], key: String?, base64Margins: (before: Int, after: Int)?, isLong: Bool) {
            self.bytes = bytes
            self.key = key
            self.base64Margins = base64Margins
            self.isLong = isLong
            repeats = bytes.count > Self.shortLength ? Self.repeats(of: bytes) : []
        }

        /// The length in bytes up to which a form is compared at each place anew.
        private static let shortLength = 64

        /// The bytes that decide whether the form may be at a place in the text; all bytes of a short form.
        var start: ArraySlice<UInt8> { bytes.prefix(Self.shortLength) }

        /// The Z-array of the bytes, computed in linear time (Gusfield, Algorithms on Strings, section 1.3).
        private static func repeats(of bytes: [UInt8]) -> [Int32] {
            var repeats = [Int32](repeating: 0, count: bytes.count)
            var known = 0..<0
            for index in 1..<bytes.count {
                var count =
                    known.contains(index) ? min(Int(repeats[index - known.lowerBound]), known.upperBound - index) : 0
                while index + count < bytes.count, bytes[count] == bytes[index + count] { count += 1 }
                if index + count > known.upperBound { known = index..<(index + count) }
                repeats[index] = Int32(clamping: count)
            }
            return repeats
        }

        /// True if the form is at a place in the text. Called for increasing places.
        ///
        /// - Parameter known: the last part of the text that was found to be equal to a start of the form. Because of
        ///   it, each byte of the text is compared only once, even if the form repeats itself.
        func isFound(at index: Int, in text: UnsafeBufferPointer<UInt8>, _ known: inout Range<Int>) -> Bool {
            if repeats.isEmpty { return text[index...].starts(with: bytes) }
            var count = 0
            if known.contains(index) {
                let repeated = Int(repeats[index - known.lowerBound])
                if repeated < known.upperBound - index { return false }
                count = known.upperBound - index
            }
            while count < bytes.count, index + count < text.count, text[index + count] == bytes[count] { count += 1 }
            known = index..<(index + count)
            return count == bytes.count
        }

        /// True if the form matches only as a whole word: it is a short credential and not an environment secret.
        var isWholeWord: Bool { key == nil && !isLong }
    }

    /// Names of authentication schemes and literals that occur where credentials are expected but are not secret.
    private static let words = ["bearer", "basic", "digest", "token", "true", "false", "null"]

    /// All forms, keyed by their first four bytes, and sorted by their starts.
    private let forms: [UInt32: [Form]]
    /// A filter for a fast search, indexed by the hash of four bytes. If the element is false, no form starts with the
    /// four bytes. At most positions in a text, the element is false.
    private let mayBegin: [Bool]

    /// True if there are no secrets to find.
    var isEmpty: Bool { forms.isEmpty }

    /// - Parameters:
    ///   - secrets: the secrets of an environment, shown as their keys.
    ///   - credentials: other values to hide, shown as `<redacted>`.
    init(secrets: [(key: String, text: String)] = [], credentials: [String] = []) {
        let secrets: [(key: String?, text: String)] =
            secrets.map { ($0.key, $0.text) }
            + Set(credentials).filter { !Self.words.contains($0.lowercased()) }.map { (nil, $0) }
        let all = secrets.filter { $0.text.utf8.count >= Self.minimumLength }.flatMap(Self.forms)
        forms = Dictionary(grouping: all) { $0.bytes.prefix(Self.minimumLength).reduce(0, Self.appending) }
            .mapValues { $0.ordered { $0.start.lexicographicallyPrecedes($1.start) } }
        mayBegin = forms.keys.reduce(into: all.isEmpty ? [] : Array(repeating: false, count: 1 << 16)) {
            mayBegin, start in
            mayBegin[Self.hash(start)] = true
        }
    }

    /// - Parameters:
    ///   - environment: its secrets are shown as their keys.
    ///   - credentials: other values to hide, shown as `<redacted>`.
    init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }

    /// Returns the text with every secret replaced by `<secret key>` or `<redacted>`.
    func redact(_ text: String) -> String {
        if forms.isEmpty { return text }
        let bytes = Array(text.utf8)
        let matches = matches(in: bytes)
        if matches.isEmpty { return text }
        var redacted: [UInt8] = []
        var end = 0
        for match in matches {
            redacted += bytes[end..<match.range.lowerBound]
            redacted += (match.key.map { "<secret \($0)>" } ?? SensitiveName.placeholder).utf8
            end = match.range.upperBound
        }
        return String(decoding: redacted + bytes[end...], as: UTF8.self)
    }

    /// Returns the text as it may be shown to people: without secrets, without anything else that looks like a
    /// credential, and without characters that could control a terminal or forge a line.
    func shown(_ text: String) -> String { withoutCredentials(text).printable }

    /// Returns the text without secrets, and without anything else that looks like a credential. The texts of servers
    /// and of the app's code can contain credentials that the redactor does not know.
    func withoutCredentials(_ text: String) -> String { ForeignText.redacted(redact(text)) }

    /// Returns the secrets found in a text, in order. Overlapping matches are merged into one match. The merged match
    /// has the key of the first match.
    func matches(in text: [UInt8]) -> [Match] {
        if forms.isEmpty { return [] }
        let found = UnescapedText.readings(of: text).flatMap(matches)
            .ordered { a, b in
                let (a, b) = (
                    (a.range.lowerBound, -a.range.upperBound, a), (b.range.lowerBound, -b.range.upperBound, b)
                )
                // If several matches have the same range, a match with a key comes first.
                return (a.0, a.1, a.2.key ?? "\u{10FFFF}") < (b.0, b.1, b.2.key ?? "\u{10FFFF}")
            }
        return found.reduce(into: []) { matches, match in
            guard let last = matches.last, match.range.lowerBound < last.range.upperBound else {
                return matches.append(match)
            }
            let end = max(last.range.upperBound, match.range.upperBound)
            matches[matches.count - 1].range = last.range.lowerBound..<end
            matches[matches.count - 1].isLong = last.isLong || match.isLong
        }
    }

    // MARK: Forms

    private static func forms(_ key: String?, _ text: String) -> [Form] {
        let isLong = text.utf8.count >= unlikelyLength
        var texts: Set = [text, text.printable]
        if key != nil { texts.formUnion(grouped(text)) }
        let isWholeWord = key == nil && !isLong
        // The credential's Base64 form must match as a whole word too.
        if isWholeWord { texts.insert(String(Data(text.utf8).base64EncodedString().prefix(before: "="))) }
        return texts.map { Form(bytes: Array($0.utf8), key: key, base64Margins: nil, isLong: isLong) }
            + (isWholeWord ? [] : Base64Form.all(of: Array(text.utf8))).map {
                Form(bytes: $0.characters, key: key, base64Margins: $0.margins, isLong: isLong)
            }
    }

    /// The forms of a long number in which its digits are in groups, as in `1,234,567`; none for any other text.
    private static func grouped(_ text: String) -> [String] {
        let digits = Array(text.utf8)
        guard digits.count > minimumLength, digits.allSatisfy(\.isASCIIDigit) else { return [] }
        return [",", ".", "_", "'", "’", " ", "\u{A0}", "\u{202F}"].map { separator in
            digits.indices.map { index in
                let isStart = index > 0 && (digits.count - index).isMultiple(of: 3)
                return (isStart ? separator : "") + String(Unicode.Scalar(digits[index]))
            }.joined()
        }
    }

    // MARK: Search

    /// Appends a byte to a window of the last four bytes.
    private static func appending(_ start: UInt32, _ byte: UInt8) -> UInt32 { start << 8 | UInt32(byte) }

    private static func hash(_ start: UInt32) -> Int { Int((start &* 0x9E37_79B1) >> 16) }

    private func matches(in reading: UnescapedText) -> [Match] {
        let text = reading.bytes
        var matches: [Match] = []
        /// The end of the Base64 word around the last match. Further Base64 matches in this word are skipped, because
        /// the first match already covers the whole word.
        var wordEnd = 0
        for (index, form) in places(in: text) {
            var range = index..<index + form.bytes.count
            if let margins = form.base64Margins {
                if range.upperBound <= wordEnd { continue }
                range = Self.word(around: range, margins, in: text)
                wordEnd = range.upperBound
            }
            if form.isWholeWord, !Self.isWord(range, in: text) { continue }
            matches.append(Match(range: reading.original(range), key: form.key, isLong: form.isLong))
        }
        return matches
    }

    /// Finds the forms in one pass over the text.
    private func places(in text: [UInt8]) -> [(index: Int, form: Form)] {
        var places: [(index: Int, form: Form)] = []
        text.withUnsafeBufferPointer { bytes in
            mayBegin.withUnsafeBufferPointer { mayBegin in
                var start: UInt32 = 0
                /// What is known of the text, for each form that starts with the same four bytes.
                var known = [UInt32: [Range<Int>]]()
                for end in 0..<bytes.count {
                    start = Self.appending(start, bytes[end])
                    guard mayBegin[Self.hash(start)], end + 1 >= Self.minimumLength, let forms = forms[start] else {
                        continue
                    }
                    let index = end + 1 - Self.minimumLength
                    for number in Self.candidates(forms, at: index, in: bytes)
                    where forms[number].isFound(
                        at: index, in: bytes,
                        &known[start, default: Array(repeating: 0..<0, count: forms.count)][number])
                    { places.append((index, forms[number])) }
                }
            }
        }
        return places
    }

    /// Finds the forms whose starts are at a place in the text, without a comparison with each of them: secrets of one
    /// kind often start alike. Fewer than eight forms are left to be compared one by one.
    ///
    /// - Parameter forms: the forms that start with the four bytes at the place, sorted.
    /// - Returns: the indices of the forms.
    private static func candidates(_ forms: [Form], at index: Int, in text: UnsafeBufferPointer<UInt8>) -> [Int] {
        if forms.count < 8 { return Array(forms.indices) }
        var found: [Int] = []
        var rest = forms.indices
        for depth in minimumLength... {
            // A form that ends here precedes all forms that go on.
            while let first = rest.first, forms[first].start.count == depth {
                found.append(first)
                rest.removeFirst()
            }
            guard !rest.isEmpty, index + depth < text.count else { break }
            let byte = text[index + depth]
            let first = rest.lowerBound { forms[$0].bytes[depth] >= byte }
            rest = first..<rest.lowerBound { forms[$0].bytes[depth] > byte }
        }
        return found
    }

    /// True if there is no letter or digit directly before or after the range. Only ASCII letters and digits count,
    /// because scripts without spaces have no visible word boundaries.
    private static func isWord(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        let isLetterOrDigit = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit }
        return !(range.lowerBound > 0 && isLetterOrDigit(text[range.lowerBound - 1]))
            && !(range.upperBound < text.count && isLetterOrDigit(text[range.upperBound]))
    }

    /// The whole Base64 word around a match. The word ends at a `/`, `-` or `_` outside the margins, because such a
    /// character is assumed to belong to a surrounding URL.
    private static func word(
        around range: Range<Int>, _ margins: (before: Int, after: Int), in text: [UInt8]
    ) -> Range<Int> {
        let isPart = { (byte: UInt8, isMargin: Bool) in
            switch byte {
            case _ where byte.isASCIILetter || byte.isASCIIDigit, UInt8(ascii: "+"), UInt8(ascii: "="): true
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): isMargin
            default: false
            }
        }
        var lower = range.lowerBound
        while lower > 0, isPart(text[lower - 1], range.lowerBound - lower < margins.before) { lower -= 1 }
        var upper = range.upperBound
        while upper < text.count, isPart(text[upper], upper - range.upperBound < margins.after) { upper += 1 }
        return lower..<upper
    }
}

extension Range<Int> {
    /// The first index that fulfills a condition, which all indices after it fulfill too; the end if there is none.
    fileprivate func lowerBound(where condition: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if condition(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
