import Foundation

/// A text without the escapes of JSON strings (RFC 8259 section 7) and of percent-encoding (RFC 3986 section 2.1). For
/// each byte, the position in the original text is known.
struct UnescapedText {
    private(set) var bytes: [UInt8] = []
    /// The end of each escape, as an offset in `bytes` and as an offset in the original text.
    private var ends: [(offset: Int, source: Int)] = []

    private static let (short, meanings) = (Array("\"\\/bfnrt".utf8), Array("\"\\/\u{8}\u{C}\n\r\t".utf8))

    /// - Parameters:
    ///   - isForm: true to read `+` as a space.
    ///   - isUndone: returns true for the bytes whose escapes are undone. Other escapes stay, because the end of such
    ///     an escape can be the start of a searched text.
    init(_ text: UnsafeRawBufferPointer, isForm: Bool, _ isUndone: (UInt8) -> Bool) {
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isForm, byte == UInt8(ascii: "+") {
                bytes.append(0x20)
                index += 1
            } else if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\"),
                let (meaning, length) = Self.escape(in: text, at: index), meaning.allSatisfy(isUndone)
            {
                bytes += isForm && meaning == [UInt8(ascii: "+")] ? [0x20] : meaning
                index += length
                ends.append((bytes.count, index))
            } else {
                // The second of two backslashes does not start an escape.
                let length = byte == UInt8(ascii: "\\") && text[index...].begins(with: "\\\\") ? 2 : 1
                bytes += text[index..<index + length]
                index += length
            }
        }
    }

    /// Returns the bytes that an escape represents, and the length of the escape. Returns nil if there is no escape at
    /// the index.
    private static func escape(in text: UnsafeRawBufferPointer, at index: Int) -> (meaning: [UInt8], length: Int)? {
        func number(_ start: Int, _ count: Int) -> UInt32? {
            let digits = text[min(start, text.count)...].prefix(count)
            let isNumber = digits.count == count && digits.allSatisfy(\.isHexadecimalDigit)
            return isNumber ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
        }
        if text[index] == UInt8(ascii: "%") { return number(index + 1, 2).map { ([UInt8($0)], 3) } }
        guard let letter = text[(index + 1)...].first else { return nil }
        guard letter == UInt8(ascii: "u") else { return short.firstIndex(of: letter).map { ([meanings[$0]], 2) } }
        guard let unit = number(index + 2, 4) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
        // Two surrogates form one character.
        guard unit < 0xDC00, text[(index + 6)...].begins(with: "\\u"), let low = number(index + 8, 4),
            0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
        else { return nil }
        return (Array(String(scalar).utf8), 12)
    }

    /// Returns the range in the original text for a range in ``bytes``.
    func source(of place: Range<Int>) -> Range<Int> { source(of: place.lowerBound)..<source(of: place.upperBound) }

    private func source(of offset: Int) -> Int {
        var (before, end) = (0, ends.count)
        while before < end {
            let middle = (before + end) / 2
            if ends[middle].offset <= offset { before = middle + 1 } else { end = middle }
        }
        return before == 0 ? offset : ends[before - 1].source + offset - ends[before - 1].offset
    }
}

extension String {
    /// The text without escapes; nil if the text contains no escapes, or if the escaped bytes are not valid UTF-8.
    package var unescaped: String? {
        guard hasAny(of: "%\\") else { return nil }
        return Data(withBytes { UnescapedText(.init($0), isForm: false) { _ in true }.bytes }).text
    }
}
