package import Foundation

extension Data {
    /// The text with these bytes in UTF-8. Bytes that are not valid are replaced, as `String(decoding:as:)` does.
    package var text: String {
        // Not inlined: a string is created in other code for each of the ways in which `Data` keeps its bytes.
        @inline(never) get { String(decoding: self, as: UTF8.self) }
    }

    /// The offset of the first place of the bytes of a text, from an offset on; nil if they do not occur. It takes a
    /// fraction of the time of `range(of:)`.
    func firstIndex(of text: StaticString, from offset: Int) -> Int? {
        let part = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { $0.firstIndex(of: part, from: offset) } }
    }

    /// True without bytes, and if all of them are the white space of JSON (RFC 8259 section 2).
    package var isBlank: Bool { allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B && $0 != 0x0C } }
}

extension Collection<UInt8> {
    /// True for text in UTF-16 or UTF-32 that starts with a byte order mark or an ASCII character.
    package var isUTF16: Bool { prefix(2).contains(0) || [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: starts) }
}
