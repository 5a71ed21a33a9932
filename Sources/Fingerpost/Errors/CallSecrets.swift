import FingerpostFiles

/// The secrets that a call knows. They are replaced in the texts of others that an error, a log or a description shows:
/// in the messages of servers and of the app's own code.
///
/// A secret is found verbatim, percent-encoded, and with the escapes of JSON strings. Other disguises, such as Base64,
/// are not seen through.
package struct CallSecrets: Sendable {
    private struct Secret {
        let text: [UInt8]
        /// The text in its place.
        let shown: String
        /// True for a credential that may be an ordinary word, such as the password `test`.
        let isWord: Bool
    }

    /// The length in bytes from which a text is hidden: `on` and `7` are parts of many words.
    private static let minimumLength = 4

    /// The length in bytes from which a credential is hardly the part of a word by coincidence.
    static let unlikelyLength = 8

    /// How many bytes of a secret are compared at each place of a text.
    private static let comparedLength = 256

    /// What can be in the place of a credential without being one.
    private static let ordinary: Set = ["bearer", "basic", "digest", "token", "true", "false", "null"]

    private let secrets: [Secret]

    /// - Parameters:
    ///   - secrets: the values that an environment declares as secret, and their keys, shown as `<secret key>`. They
    ///     are found inside longer words too.
    ///   - credentials: other values to hide, shown as `<redacted>`. Their escapes are undone.
    init(secrets: [(key: String, text: String)] = [], credentials: [String] = []) {
        let decoded = credentials.flatMap { text in
            [text.removingPercentEncoding, Reading(backslashes: Array(text.utf8))?.text].compactMap(\.self)
        }
        let values = Set(credentials + decoded).filter { !Self.ordinary.contains($0.lowercased()) }
        let all =
            secrets.map { ($0.text, "<secret \($0.key)>", false) }
            + values.map { ($0, SensitiveName.placeholder, $0.utf8.count < Self.unlikelyLength) }
        self.secrets = all.filter { $0.0.utf8.count >= Self.minimumLength }.flatMap { text, shown, isWord in
            // A form has a plus sign in place of each space.
            Set([text, text.replacing(bytesOf: " ", with: "+"), text.replacing(bytesOf: "+", with: " ")]).map {
                Secret(text: Array($0.utf8), shown: shown, isWord: isWord)
            }
        }
    }

    /// The text without the known secrets.
    func hide(_ text: String) -> String {
        if secrets.isEmpty { return text }
        let bytes = Array(text.utf8)
        var found: [(range: Range<Int>, shown: String)] = []
        for reading in [Reading(bytes), Reading(percents: bytes), Reading(backslashes: bytes)].compactMap(\.self) {
            for secret in secrets {
                found += places(of: secret, in: reading.bytes).map { (reading.original($0), secret.shown) }
            }
        }
        if found.isEmpty { return text }
        // Of secrets that overlap, the first and longest gives its name to the whole.
        found = found.ordered { a, b in
            (a.range.lowerBound, -a.range.upperBound) < (b.range.lowerBound, -b.range.upperBound)
        }
        var (shown, end) = ([UInt8](), 0)
        for (range, name) in found {
            if range.lowerBound >= end { shown += bytes[end..<range.lowerBound] + Array(name.utf8) }
            end = max(end, range.upperBound)
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    private func places(of secret: Secret, in text: [UInt8]) -> [Range<Int>] {
        var (found, index) = ([Range<Int>](), 0)
        // Compared as a whole at each place, a long secret that repeats itself would take quadratic time.
        let start = Array(secret.text.prefix(Self.comparedLength))
        text.withUnsafeBufferPointer { text in
            start.withUnsafeBufferPointer { start in
                while let place = text.firstIndex(of: start, from: index) {
                    let rest = zip(text[(place + start.count)...], secret.text[start.count...])
                    index = place + start.count + rest.prefix { $0 == $1 }.count
                    if secret.isWord, !isWord(place..<index, in: text) { continue }
                    found.append(place..<index)
                }
            }
        }
        return found
    }

    /// True if no ASCII letter or digit is beside a part of a text.
    private func isWord(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        ![range.lowerBound - 1, range.upperBound].contains {
            text.indices.contains($0) && (text[$0].isASCIILetter || text[$0].isASCIIDigit)
        }
    }

    /// The text as it may be shown: without the known secrets, without what has the name of one, and without characters
    /// that control a terminal or forge a line.
    func shown(_ text: String) -> String { withoutNamed(text).printable }

    /// The text without the known secrets, and without what has the name of one.
    func withoutNamed(_ text: String) -> String { NamedValues.hidden(in: hide(text)) }
}

/// A text whose escapes of one kind were undone once, and where its bytes were.
private struct Reading {
    let bytes: [UInt8]
    /// The place of each byte in the original, and the end; nil for the original.
    private let places: [Int]?

    init(_ original: [UInt8]) { (bytes, places) = (original, nil) }

    /// The number that at most four hexadecimal digits form.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
        UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// The text with escapes such as `%2F` undone; nil if it has none.
    init?(percents text: [UInt8]) {
        self.init(text, UInt8(ascii: "%")) { index, bytes in
            let digits = text[(index + 1)...].prefix(2)
            guard digits.count == 2, let byte = Self.number(digits) else { return nil }
            bytes.append(UInt8(byte))
            return 3
        }
    }

    /// The text with the escapes of JSON strings undone (RFC 8259 section 7); nil if it has none.
    init?(backslashes text: [UInt8]) {
        func unit(at index: Int) -> UInt16? {
            guard text[min(index, text.count)...].begins(with: "\\u") else { return nil }
            return Self.number(text[(index + 2)...].prefix(4))
        }
        self.init(text, UInt8(ascii: "\\")) { index, bytes in
            if let first = unit(at: index) {
                let units = [first] + (UTF16.isLeadSurrogate(first) ? unit(at: index + 6).map { [$0] } ?? [] : [])
                bytes += String(decoding: units, as: UTF16.self).utf8
                return 6 * units.count
            }
            guard index + 1 < text.count else { return nil }
            let controls: [UInt8: UInt8] = [0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x62: 0x08, 0x66: 0x0C]
            bytes.append(controls[text[index + 1]] ?? text[index + 1])
            return 2
        }
    }

    /// - Parameter undo: appends the bytes that the escape at an index stands for, and returns its length; nil if there
    ///   is no escape.
    private init?(_ text: [UInt8], _ escape: UInt8, _ undo: (Int, inout [UInt8]) -> Int?) {
        guard text.contains(escape) else { return nil }
        var (bytes, places, index) = ([UInt8](), [Int](), 0)
        while index < text.count {
            let place = index
            if text[index] == escape, let length = undo(index, &bytes) {
                index += length
            } else {
                bytes.append(text[index])
                index += 1
            }
            while places.count < bytes.count { places.append(place) }
        }
        (self.bytes, self.places) = (bytes, places + [text.count])
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func original(_ range: Range<Int>) -> Range<Int> {
        places.map { $0[range.lowerBound]..<$0[range.upperBound] } ?? range
    }
}
