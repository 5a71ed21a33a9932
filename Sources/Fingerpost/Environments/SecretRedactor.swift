import FingerpostFiles
import Foundation

/// Takes the secrets of an environment out of text that people read, in every form they are sent in: as they are, escaped for URLs and
/// JSON, and in base64, alone or after a user's name.
package struct SecretRedactor {
    /// Shorter secrets are left alone: `on` or `7` would be found in every other word. In bytes.
    static let minimumLength = 4

    /// One way to write a secret.
    private struct Form {
        let bytes: [UInt8]
        let key: String
        /// In base64, how many characters before and after the form can hold bits of the secret too; nil for other forms.
        let base64Margins: (before: Int, after: Int)?
    }

    private let forms: [Form]

    package init(_ environment: Environment) {
        forms = environment.layers.secretTexts.filter { $0.text.utf8.count >= Self.minimumLength }.flatMap {
            key, text in
            Self.plainForms(of: text).map { Form(bytes: $0, key: key, base64Margins: nil) }
                + Self.base64Forms(of: text, key: key)
        }
    }

    package func redact(_ text: String) -> String {
        if forms.isEmpty { return text }
        let bytes = Array(text.utf8)
        // All are found before any is replaced: what is put in must not be searched.
        let found = forms.flatMap { form in Self.ranges(of: form, in: bytes).map { (range: $0, key: form.key) } }
            .sorted { ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound) }
        if found.isEmpty { return text }
        var redacted: [UInt8] = []
        var end = 0
        for (range, key) in found where range.upperBound > end {
            if range.lowerBound >= end {
                redacted += bytes[end..<range.lowerBound]
                redacted += Array("<secret \(key)>".utf8)
            }
            end = range.upperBound
        }
        return String(decoding: redacted + bytes[end...], as: UTF8.self)
    }

    // MARK: Forms

    private static func plainForms(of text: String) -> Set<[UInt8]> {
        var forms = [text, HTTPSyntax.printable(text)]
        for quoted in [text.debugDescription, json(text)] { forms.append(String(quoted.dropFirst().dropLast())) }
        forms.append(json(text).dropFirst().dropLast().replacingOccurrences(of: "/", with: "\\/"))
        let allowed = [
            PercentEncoding.unreserved, PercentEncoding.path, PercentEncoding.query, PercentEncoding.authority,
        ]
        for allowed in allowed {
            var bytes: [UInt8] = []
            bytes.append(text, escapingAllBut: allowed)
            let escaped = String(decoding: bytes, as: UTF8.self)
            let lower = lowercasingEscapes(escaped)
            forms += [escaped, lower]
            forms += [escaped, lower].map { $0.replacingOccurrences(of: "%20", with: "+") }
        }
        return Set(forms.map { Array($0.utf8) })
    }

    private static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\(text)\""
    }

    private static func lowercasingEscapes(_ text: String) -> String {
        var bytes = Array(text.utf8)
        var index = 0
        while index + 2 < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            // Digits have that bit already.
            bytes[index + 1] |= 0x20
            bytes[index + 2] |= 0x20
            index += 3
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The characters that base64 has for the secret whatever stands before and after it: one row for each of the three places that its
    /// first byte can have in a group, in both alphabets.
    private static func base64Forms(of text: String, key: String) -> [Form] {
        let secret = Array(text.utf8)
        return (0..<3).flatMap { shift in
            let encoded = Array(Data([UInt8](repeating: 0, count: shift) + secret + [0, 0]).base64EncodedString().utf8)
            let start = (shift * 8 + 5) / 6
            let end = (shift + secret.count) * 8 / 6
            let margins = (before: start, after: (shift + secret.count) * 8 % 6 == 0 ? 0 : 1)
            let core = Array(encoded[start..<end])
            let slash = UInt8(ascii: "/")
            let coreForURLs = core.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == slash ? UInt8(ascii: "_") : $0
            }
            return Set([core, coreForURLs]).map { Form(bytes: $0, key: key, base64Margins: margins) }
        }
    }

    // MARK: Search

    private static func ranges(of form: Form, in text: [UInt8]) -> [Range<Int>] {
        guard let first = form.bytes.first, text.count >= form.bytes.count else { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index <= text.count - form.bytes.count {
            guard text[index] == first, text[index..<index + form.bytes.count].elementsEqual(form.bytes) else {
                index += 1
                continue
            }
            let range = index..<index + form.bytes.count
            ranges.append(form.base64Margins.map { word(around: range, $0, in: text) } ?? range)
            index = range.upperBound
        }
        return ranges
    }

    /// The whole word of base64. Beyond the margins `/`, `-` and `_` are taken for those of a URL around it.
    private static func word(
        around range: Range<Int>, _ margins: (before: Int, after: Int), in text: [UInt8]
    ) -> Range<Int> {
        let isPart = { (byte: UInt8, isMargin: Bool) in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "="):
                true
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
