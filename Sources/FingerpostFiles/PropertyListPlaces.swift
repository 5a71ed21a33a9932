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

    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// The next value at or after the index, nil at the end of the container.
    mutating func next() -> Place? {
        while let tag = nextTag() {
            switch tag.name {
            case "plist", "/plist": continue
            case "dict": return dictionary(at: tag)
            case "array": return array(at: tag)
            default:
                if tag.name.hasPrefix("/") { return nil }
                if !tag.isEmpty { skip(pastClosing: tag.name) }
                return Place(offset: tag.offset)
            }
        }
        return nil
    }

    private mutating func dictionary(at tag: Tag) -> Place {
        var entries: [(key: String, keyOffset: Int?, place: Place?)] = []
        while !tag.isEmpty, let next = nextTag(), next.name != "/dict" {
            let start = index
            skip(pastClosing: next.name)
            let key = Self.unescape(text[start..<max(start, index - "</key>".utf8.count)])
            entries.append((key, next.offset, self.next()))
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
        var name: String
        var offset: Int
        /// `<true/>`
        var isEmpty: Bool
    }

    /// The next tag, past comments, declarations and text. The index stands behind it.
    private mutating func nextTag() -> Tag? {
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            if text[start...].starts(with: "<!--".utf8) {
                index = end(of: "-->", from: start)
                continue
            }
            let end = end(of: ">", from: start)
            index = end
            if text[start...].starts(with: "<?".utf8) || text[start...].starts(with: "<!".utf8) { continue }
            let inside = String(decoding: text[start + 1..<max(start + 1, end - 1)], as: UTF8.self)
            let name = inside.prefix { !$0.isWhitespace && ($0 != "/" || inside.first == "/") }
            return Tag(name: String(name), offset: start, isEmpty: inside.hasSuffix("/"))
        }
        index = text.count
        return nil
    }

    private mutating func skip(pastClosing name: String) {
        index = end(of: "</\(name)>", from: index)
    }

    /// The index behind the next occurrence of a string.
    private func end(of string: String, from start: Int) -> Int {
        let wanted = Array(string.utf8)
        var candidate = start
        while let found = text[candidate...].firstIndex(of: wanted[0]) {
            if text[found...].starts(with: wanted) { return found + wanted.count }
            candidate = found + 1
        }
        return text.count
    }

    private static func unescape(_ slice: ArraySlice<UInt8>) -> String {
        let text = String(decoding: slice, as: UTF8.self)
        guard text.contains("&") else { return text }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
