import Foundation

/// Text whose escapes have been undone, with the original position of each byte.
///
/// A value can be escaped in many ways (`a\/b`, `a\u002Fb`, `a%2fb`) but has only one unescaped form. A search in the
/// unescaped text therefore finds the value no matter how it was escaped.
struct UnescapedText {
    private(set) var bytes: [UInt8]
    /// The original offset of each byte, followed by the original text's end offset; nil if this is the original text.
    private var places: [Int]?

    private init(_ original: [UInt8]) {
        bytes = original
    }

    /// Returns several readings of a text: the text verbatim, and the text with its escapes undone in different ways.
    static func readings(of text: [UInt8]) -> [UnescapedText] {
        var readings = [UnescapedText(text)]
        var last = readings[0]
        // A JSON string can itself contain JSON, so a text can have several levels of backslashes.
        for _ in 0..<3 where last.bytes.contains(UInt8(ascii: "\\")) {
            last = last.withoutBackslashes
            readings.append(last)
        }
        let hasPlus = last.bytes.contains(UInt8(ascii: "+"))
        if last.bytes.contains(UInt8(ascii: "%")) { readings.append(last.withoutPercents(plusIsSpace: false)) }
        // `+` means a space in forms and a plus sign elsewhere.
        if hasPlus { readings.append(last.withoutPercents(plusIsSpace: true)) }
        return readings
    }

    /// Converts a range in this text to the range in the original text.
    func original(_ range: Range<Int>) -> Range<Int> {
        guard let places else { return range }
        return places[range.lowerBound]..<places[range.upperBound]
    }

    // MARK: Escapes

    /// The text with the escapes of JSON strings and of Swift descriptions, such as `\u{7F}`, undone.
    private var withoutBackslashes: UnescapedText {
        rewritten("\\") { index, output in
            guard index + 1 < bytes.count else { return nil }
            switch bytes[index + 1] {
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "0"): output.append(0)
            case UInt8(ascii: "u"):
                guard let (scalar, length) = scalar(at: index) else { return nil }
                output.append(contentsOf: String(scalar).utf8)
                return length
            case let byte: output.append(byte)
            }
            return 2
        }
    }

    private func withoutPercents(plusIsSpace: Bool) -> UnescapedText {
        rewritten(plusIsSpace ? "%+" : "%") { index, output in
            if bytes[index] == UInt8(ascii: "+") {
                output.append(UInt8(ascii: " "))
                return 1
            }
            guard let byte = number(in: index + 1..<index + 3) else { return nil }
            output.append(UInt8(byte))
            return 3
        }
    }

    /// - Parameters:
    ///   - starts: the characters that escapes begin with.
    ///   - escape: appends the decoded bytes of the escape at the offset of such a character and returns the escape's
    ///     length; returns nil if there is no escape at the offset.
    private func rewritten(_ starts: String, _ escape: (Int, inout [UInt8]) -> Int?) -> UnescapedText {
        var output: [UInt8] = []
        var places: [Int] = []
        output.reserveCapacity(bytes.count)
        places.reserveCapacity(bytes.count + 1)
        var index = 0
        // The next place of each of the characters, which is looked for again once it has been passed.
        var nexts = starts.utf8.map { (byte: $0, place: -1) }
        while index < bytes.count {
            for number in nexts.indices where nexts[number].place < index {
                nexts[number].place = place(of: nexts[number].byte, from: index)
            }
            let next = nexts.reduce(bytes.count) { min($0, $1.place) }
            if next > index {
                // Text without escapes is copied in one piece, because most of a large body has none.
                output += bytes[index..<next]
                if let known = self.places { places += known[index..<next] } else { places += index..<next }
                index = next
                continue
            }
            let place = self.places?[index] ?? index
            if let length = escape(index, &output) {
                index += length
            } else {
                output.append(bytes[index])
                index += 1
            }
            while places.count < output.count { places.append(place) }
        }
        places.append(self.places?[index] ?? index)
        var text = UnescapedText(output)
        text.places = places
        return text
    }

    /// The first place of a byte from an offset on; the number of bytes if there is none.
    private func place(of byte: UInt8, from index: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start + index, Int32(byte), bytes.count - index)
            else {
                return bytes.count
            }
            return UnsafeRawPointer(found) - start
        }
    }

    /// The Unicode scalar that an escape stands for. The escape is `\u00e9`, `\u{e9}`, or a UTF-16 surrogate pair,
    /// which consists of two escapes such as `\ud83d\ude00`.
    private func scalar(at index: Int) -> (Unicode.Scalar, length: Int)? {
        if index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: "{") {
            guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: "}")),
                let scalar = number(in: index + 3..<end).flatMap(Unicode.Scalar.init)
            else { return nil }
            return (scalar, end + 1 - index)
        }
        guard let unit = number(in: index + 2..<index + 6) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        guard unit < 0xDC00, index + 12 <= bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
            bytes[index + 7] == UInt8(ascii: "u"), let low = number(in: index + 8..<index + 12),
            (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (scalar, 12)
    }

    /// Parses a hexadecimal number.
    private func number(in range: Range<Int>) -> UInt32? {
        guard range.upperBound <= bytes.count, !range.isEmpty else { return nil }
        var number: UInt32 = 0
        for byte in bytes[range] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(byte - UInt8(ascii: "0"))
            // Upper-case and lower-case letters differ in one bit.
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | UInt32((byte | 0x20) - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
