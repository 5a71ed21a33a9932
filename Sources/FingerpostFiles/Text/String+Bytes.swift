package import Foundation

/// Compares and splits texts byte for byte. Splitting by `Character` would miss a dot or a slash that is combined with
/// a following combining mark.
extension String {
    /// Calls the closure with the string's UTF-8 bytes in contiguous memory. A loop over these bytes is several times
    /// faster than a loop over `utf8`.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8(body)
    }

    /// Returns the text with another text in place of each part. The parts are in order. If a part begins inside an
    /// earlier part, the earlier part's text replaces both.
    package func replacing(_ parts: [(range: Range<Int>, text: String)]) -> String {
        if parts.isEmpty { return self }
        return withBytes { bytes in
            var (replaced, end) = ([UInt8](), 0)
            for (range, text) in parts where range.upperBound > end {
                if range.lowerBound >= end { replaced += bytes[end..<range.lowerBound] + Array(text.utf8) }
                end = range.upperBound
            }
            return String(decoding: replaced + bytes[end...], as: UTF8.self)
        }
    }

    /// Returns the text without `suffix`. The text must end with `suffix`.
    package func withoutEnd(_ suffix: String) -> String { String(Substring(utf8.dropLast(suffix.utf8.count))) }
}

extension StringProtocol {
    /// Calls the closure with the text's bytes in contiguous memory, so that C functions can compare them. A loop over
    /// `utf8` is slow generic code in a debug build.
    @inline(never)
    fileprivate func bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? String(self).withBytes(body)
    }
}

// Delimiters are found by their bytes. A delimiter and an accent form a `Character` that does not equal the delimiter,
// so a search for characters would miss the start of a password.
extension StringProtocol where SubSequence == Substring {
    /// True when two texts have the same UTF-8 bytes. Two texts that encode the same letters differently are equal
    /// according to `==`, but not according to this method.
    package func isSame(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && bytes { bytes in other.bytes { bytes.isSame(as: $0) } }
    }

    /// Returns true if the text begins with the bytes of another text.
    package func begins(with prefix: String) -> Bool {
        bytes { bytes in prefix.withBytes { UnsafeBufferPointer(rebasing: bytes.prefix($0.count)).isSame(as: $0) } }
    }

    /// Returns true if the text ends with the bytes of another text.
    package func ends(with suffix: String) -> Bool {
        bytes { bytes in suffix.withBytes { UnsafeBufferPointer(rebasing: bytes.suffix($0.count)).isSame(as: $0) } }
    }

    /// Returns true if the text contains the bytes of another text.
    package func contains(bytesOf part: String) -> Bool {
        part.isEmpty || String(self).withBytes { text in part.withBytes { text.firstIndex(of: $0) != nil } }
    }

    /// Returns the first range of the bytes of another text. Returns nil if the bytes do not occur, or if the other
    /// text is empty.
    ///
    /// `utf8.firstRange(of:)` of the standard library takes microseconds even for a short text.
    package func firstRange(ofBytes part: String) -> Range<String.Index>? {
        let start = part.withBytes { part in index { $0.firstIndex(of: part) } }
        return start.map { $0..<utf8.index($0, offsetBy: part.utf8.count) }
    }

    /// Returns the index of the byte at the offset that the closure finds in contiguous memory.
    private func index(_ find: (UnsafeBufferPointer<UInt8>) -> Int?) -> String.Index? {
        bytes(find).map { utf8.index(startIndex, offsetBy: $0) }
    }

    /// Returns the text with other text in place of each occurrence of some bytes.
    package func replacing(bytesOf old: String, with new: String) -> String {
        var (replaced, rest) = ("", self[...])
        while let range = rest.firstRange(ofBytes: old) {
            replaced += rest[..<range.lowerBound] + new
            rest = rest[range.upperBound...]
        }
        return replaced + rest
    }

    /// The parts of the text between the occurrences of an ASCII character, including empty parts.
    package func parts(between separator: Unicode.Scalar) -> [Substring] {
        self[...].split(keepsEmpty: true) { $0 == UInt8(ascii: separator) }
    }

    /// The text before the first of some ASCII characters; the whole text if it contains none of them.
    @inline(never)
    package func prefix(before ends: StaticString) -> Substring {
        self[..<(index { $0.firstIndex { $0.isOne(of: ends) } } ?? endIndex)]
    }

    /// The parts of the text between the occurrences of some ASCII characters, without empty parts.
    package func words(between separators: StaticString) -> [Substring] {
        self[...].split(keepsEmpty: false) { $0.isOne(of: separators) }
    }

    /// The text without these ASCII characters at its start.
    package func without(leading characters: StaticString) -> Substring {
        Substring(self[...].utf8.drop { $0.isOne(of: characters) })
    }

    /// The texts before and after the first occurrence of an ASCII character; nil if there is none.
    @inline(never)
    package func cut(at separator: Unicode.Scalar) -> (before: Substring, after: Substring)? {
        guard let index = index({ $0.firstIndex(of: UInt8(ascii: separator)) }) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }
}

extension Substring {
    // This function is not inlined, because each use would be a copy of the standard library's loop.
    @inline(never)
    func split(keepsEmpty: Bool, _ isSeparator: (UInt8) -> Bool) -> [Substring] {
        utf8.split(omittingEmptySubsequences: !keepsEmpty, whereSeparator: isSeparator).map { Substring($0) }
    }
}

extension Sequence<UInt8> {
    /// Returns true if the bytes begin with a literal. Unlike `starts(with: "…".utf8)`, this method compares with the
    /// literal directly, which takes a fraction of the code.
    @inlinable
    package func begins(with literal: StaticString) -> Bool {
        starts(with: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}

// These functions are not inlined, because `withBytes` would contain the code once for short and once for long strings,
// and again in a nested call.
extension UnsafeBufferPointer<UInt8> {
    /// Returns true if both buffers contain the same bytes.
    @inline(never)
    fileprivate func isSame(as other: Self) -> Bool {
        guard let bytes = baseAddress, let others = other.baseAddress else { return isEmpty && other.isEmpty }
        return count == other.count && memcmp(bytes, others, count) == 0
    }

    /// Returns the index at which other bytes first occur, at or after a given index. Returns nil if the other bytes do
    /// not occur or are empty.
    @inline(never)
    func firstIndex(of part: Self, from index: Int = 0) -> Int? {
        guard let start = baseAddress, let sought = part.baseAddress, !part.isEmpty else { return nil }
        var index = index
        let end = count - part.count + 1
        while index < end, let found = memchr(start + index, Int32(sought[0]), end - index) {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if memcmp(found, sought, part.count) == 0 { return place }
            index = place + 1
        }
        return nil
    }
}

extension String {
    /// The text with control characters escaped, so that it cannot control a terminal, forge a line in a log, or change
    /// the order in which a line is read.
    package var printable: String { escapingControls(except: nil) }

    /// The ``printable`` text, with its line breaks kept. Use this property for text of several lines that this library
    /// wrote.
    package var printableLines: String { escapingControls(except: "\n") }

    /// True if the text contains an invisible character: a control or format character (Unicode's categories Cc and
    /// Cf), such as a line break, a byte order mark or a joiner.
    var hasInvisible: Bool {
        // A fast exit, because most texts are visible ASCII.
        !withBytes { $0.allSatisfy { 0x20..<0x7F ~= $0 } } && unicodeScalars.contains(where: \.isInvisible)
    }

    /// The text with an escape in place of each invisible character, such as `\u{200D}`.
    var visible: String { replacingEach { $0.isInvisible ? $0.escaped(asASCII: true) : "\($0)" } }

    /// The ``printable`` text in quotes, for untrusted text in messages.
    package var quoted: String { "\"\(printable)\"" }

    /// The text with another text in place of each character.
    // This function is not inlined, because each use would be a copy of the standard library's loop.
    @inline(never)
    func replacingEach(with text: (Unicode.Scalar) -> String) -> String {
        var replaced = ""
        for scalar in unicodeScalars { replaced += text(scalar) }
        return replaced
    }

    private func escapingControls(except kept: Unicode.Scalar?) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && $0 != kept }) else { return self }
        return replacingEach { $0.isControl && $0 != kept ? $0.escaped(asASCII: true) : "\($0)" }
    }
}

extension Unicode.Scalar {
    /// True for control and format characters.
    var isInvisible: Bool { [.control, .format].contains(properties.generalCategory) }

    /// True for characters that control a terminal or a line: control characters, line and paragraph separators, and
    /// the marks that reverse the direction of text (Unicode Standard Annex 9).
    fileprivate var isControl: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }
}

/// A name that is compared byte for byte, unlike a `String`, which treats two encodings of "é" as equal.
package struct ByteName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: Self, b: Self) -> Bool { a.text.isSame(as: b.text) }

    package func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The kinds of ASCII characters. Digits and letters outside ASCII are not included, because they have no meaning in
/// URLs and headers.
extension UInt8 {
    /// True for 0 to 9.
    @inlinable package var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    @inlinable package var isASCIILetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Returns true if the byte is one of the given ASCII characters.
    @inline(never) @usableFromInline
    package func isOne(of characters: StaticString) -> Bool {
        memchr(characters.utf8Start, Int32(self), characters.utf8CodeUnitCount) != nil
    }

    /// True for the digits of hexadecimal numbers, in upper and lower case.
    @inlinable package var isHexadecimalDigit: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }
}

/// Loops over the bytes of a text. This function is not inlined, because each use would otherwise be a copy of the
/// loop.
extension String {
    /// Returns true if all bytes of the text fulfill a condition. Returns true for an empty text.
    @inline(never)
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }
}

extension FixedWidthInteger {
    /// Creates a number from ASCII digits. Returns nil for any other text, such as a number with a sign, and for a
    /// number that is too large for the type.
    package init?(digits: Substring) {
        // Only the standard library's reader for `Int64` is used, because each type would add a large reader.
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(String(digits)) else { return nil }
        self.init(exactly: number)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Returns true if the text contains one of the given ASCII characters.
    package func hasAny(of characters: StaticString) -> Bool {
        // A loop over `utf8` is several times slower.
        bytes { $0.contains { $0.isOne(of: characters) } }
    }
}

extension Data {
    /// These bytes as UTF-8 text; nil if the bytes are not valid UTF-8. The bytes are not repaired, because the
    /// standard library throws an error for each repair, and Swift Testing records a backtrace of each error.
    @inline(never)
    package var text: String? {
        guard let text = String(data: self, encoding: .utf8) else { return nil }
        // Foundation drops a byte order mark at the start.
        return text.utf8.count == count ? text : "\u{FEFF}" + text
    }

    /// The text in which names and credentials are searched for byte by byte. Names and credentials are ASCII, so in
    /// bytes that are not valid UTF-8, each byte outside ASCII becomes one character.
    @inline(never)
    package var searchedText: String {
        if let text { return text }
        return String(unsafeUninitializedCapacity: count) { copy in
            withUnsafeBytes { bytes in
                for index in 0..<bytes.count { copy[index] = bytes[index] < 0x80 ? bytes[index] : 0x7F }
            }
            return count
        }
    }

    /// Returns the first offset at which a text occurs, at or after the given offset. Returns nil if the text does not
    /// occur. This method takes a fraction of the time of `range(of:)`.
    func firstIndex(of text: StaticString, from offset: Int) -> Int? {
        let part = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { $0.firstIndex(of: part, from: offset) } }
    }

    /// True if all bytes are white space of JSON (RFC 8259 section 2).
    package var isBlank: Bool { withUnsafeBytes { $0.allSatisfy { $0.isOne(of: " \t\n\r") } } }
}

extension Collection<UInt8> {
    /// True for text in UTF-16 or UTF-32 that starts with a byte order mark or an ASCII character.
    package var isUTF16: Bool { prefix(2).contains(0) || [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: starts) }
}

extension String {
    /// The name of the mock for a file name or a name in code: the text without `.json`.
    package var mockName: String { ends(with: ".json") ? withoutEnd(".json") : self }
}
