import Foundation

/// Finds where the values of an XML property list stand.
///
/// It reads text that Foundation has already accepted, so it follows the tags and checks nothing.
struct PropertyListPlaces {
    /// Where one value stands, and the places of what it holds.
    struct Place {
        var offset: Int
        var entries: [(key: String, keyOffset: Int?, place: Place?)]?
        var elements: [Place]?
    }

    /// The place of the root, nil when there is none.
    static func find(in text: [UInt8]) -> Place? {
        text.withUnsafeBufferPointer { bytes in
            var places = PropertyListPlaces(bytes: bytes)
            return places.next()
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next value at or after the index, nil at the end of the container.
    private mutating func next() -> Place? {
        while let tag = nextTag() {
            if isNamed("plist", tag) { continue }
            if tag.isClosing { return nil }
            if isNamed("dict", tag) { return dictionary(at: tag) }
            if isNamed("array", tag) { return array(at: tag) }
            if !tag.isEmpty { skip(pastClosing: tag) }
            return Place(offset: tag.offset)
        }
        return nil
    }

    private mutating func dictionary(at tag: Tag) -> Place {
        var entries: [(key: String, keyOffset: Int?, place: Place?)] = []
        while !tag.isEmpty, let next = nextTag(), !next.isClosing {
            let start = index
            skip(pastClosing: next)
            let end = max(start, index - "</key>".utf8.count)
            entries.append((Self.unescape(bytes[start..<end]), next.offset, self.next()))
        }
        return Place(offset: tag.offset, entries: entries)
    }

    private mutating func array(at tag: Tag) -> Place {
        var elements: [Place] = []
        while !tag.isEmpty, let element = next() { elements.append(element) }
        return Place(offset: tag.offset, elements: elements)
    }

    // MARK: Tags

    private struct Tag {
        var offset: Int
        /// Where the name stands, without the slash of a closing tag.
        var name: Range<Int>
        var isClosing: Bool
        /// `<true/>`
        var isEmpty: Bool
    }

    private func isNamed(_ name: StaticString, _ tag: Tag) -> Bool {
        name.utf8CodeUnitCount == tag.name.count && matches(name, at: tag.name.lowerBound)
    }

    /// The next tag, past comments, declarations and text. The index stands behind it.
    private mutating func nextTag() -> Tag? {
        while let start = find(UInt8(ascii: "<"), from: index) {
            if matches("<!--", at: start) {
                index = end(of: "-->", from: start)
                continue
            }
            guard let end = find(UInt8(ascii: ">"), from: start) else { break }
            index = end + 1
            let first = bytes[start + 1]
            if first == UInt8(ascii: "?") || first == UInt8(ascii: "!") { continue }
            let isClosing = first == UInt8(ascii: "/")
            let nameStart = isClosing ? start + 2 : start + 1
            var nameEnd = nameStart
            while nameEnd < end, bytes[nameEnd] > 0x20, bytes[nameEnd] != UInt8(ascii: "/") { nameEnd += 1 }
            return Tag(
                offset: start, name: nameStart..<max(nameStart, nameEnd), isClosing: isClosing,
                isEmpty: bytes[end - 1] == UInt8(ascii: "/"))
        }
        index = bytes.count
        return nil
    }

    /// Goes behind the next closing tag of the same name.
    private mutating func skip(pastClosing tag: Tag) {
        while let start = find(UInt8(ascii: "<"), from: index) {
            index = start + 1
            let end = start + 2 + tag.name.count
            guard end < bytes.count, bytes[start + 1] == UInt8(ascii: "/"), bytes[end] == UInt8(ascii: ">"),
                bytes[start + 2..<end].elementsEqual(bytes[tag.name])
            else { continue }
            index = end + 1
            return
        }
        index = bytes.count
    }

    // MARK: Bytes

    private func find(_ byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    private func matches(_ text: StaticString, at start: Int) -> Bool {
        start + text.utf8CodeUnitCount <= bytes.count
            && text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + text.utf8CodeUnitCount]) }
    }

    /// The index behind the next occurrence of a text.
    private func end(of text: StaticString, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if matches(text, at: index) { return index + text.utf8CodeUnitCount }
            index += 1
        }
        return bytes.count
    }

    private static func unescape(_ slice: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = String(decoding: slice, as: UTF8.self)
        guard slice.contains(UInt8(ascii: "&")) else { return text }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
