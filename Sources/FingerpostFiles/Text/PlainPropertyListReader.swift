/// Reads an XML property list as Xcode and Foundation write it: its values and where they stand, in one go.
///
/// It is sure or silent. What it does not know for certain, which is a date, CDATA, an unusual number or a slip, is left to Foundation,
/// which takes several times as long, mostly for handing its dictionaries over to Swift.
package struct PlainPropertyListReader {
    /// nil when Foundation has to be asked.
    package static func read(_ text: [UInt8]) -> Node? {
        text.withUnsafeBufferPointer { bytes in
            var reader = PlainPropertyListReader(bytes: bytes)
            return reader.document()
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    // MARK: Grammar

    private mutating func document() -> Node? {
        _ = take(#"<?xml version="1.0" encoding="UTF-8"?>"#) && skipSpace()
        _ =
            take(
                #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#
            )
            && skipSpace()
        guard take(#"<plist version="1.0">"#), skipSpace(), let root = value(), skipSpace(), take("</plist>"),
            skipSpace(),
            index == bytes.count
        else { return nil }
        return root
    }

    private mutating func value() -> Node? {
        guard depth < JSONReader.maximumDepth, index + 1 < bytes.count else { return nil }
        let start = index
        let value: Node.Value? =
            switch bytes[index + 1] {
            case UInt8(ascii: "s"): take("<string>") ? text(before: "</string>").map(Node.Value.string) : nil
            case UInt8(ascii: "i"): take("<integer>") ? number(before: "</integer>").flatMap(Self.integer) : nil
            case UInt8(ascii: "r"): take("<real>") ? number(before: "</real>").flatMap(Self.real) : nil
            case UInt8(ascii: "t"): take("<true/>") ? .boolean(true) : nil
            case UInt8(ascii: "f"): take("<false/>") ? .boolean(false) : nil
            case UInt8(ascii: "d") where take("<dict/>"): .dictionary([])
            case UInt8(ascii: "d"): take("<dict>") ? entries().map(Node.Value.dictionary) : nil
            case UInt8(ascii: "a") where take("<array/>"): .array([])
            case UInt8(ascii: "a"): take("<array>") ? elements().map(Node.Value.array) : nil
            default: nil
            }
        return value.map { Node($0, offset: start) }
    }

    private mutating func entries() -> [Node.Entry]? {
        depth += 1
        defer { depth -= 1 }
        var entries: [Node.Entry] = []
        while skipSpace() {
            let start = index
            if take("</dict>") { return entries }
            guard take("<key>"), let key = text(before: "</key>"), skipSpace(), let value = value() else { return nil }
            entries.append(Node.Entry(key: key, keyOffset: start, node: value))
        }
        return nil
    }

    private mutating func elements() -> [Node]? {
        depth += 1
        defer { depth -= 1 }
        var elements: [Node] = []
        while skipSpace() {
            if take("</array>") { return elements }
            guard let value = value() else { return nil }
            elements.append(value)
        }
        return nil
    }

    // MARK: Texts and numbers

    private mutating func text(before end: StaticString) -> String? {
        let start = index
        var isASCII = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            let byte = bytes[index]
            guard byte >= 0x20 || byte == 0x0A || byte == 0x09, byte != UInt8(ascii: "&") else { return nil }
            isASCII = isASCII && byte < 0x80
            index += 1
        }
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<index])
        let text = String(decoding: slice, as: UTF8.self)
        // What is not UTF-8 was replaced.
        guard take(end), isASCII || text.utf8.elementsEqual(slice) else { return nil }
        return text
    }

    /// Digits, perhaps with a minus before them and a dot between them; so few that every reader takes them for the same number.
    private mutating func number(before end: StaticString) -> String? {
        guard let text = text(before: end), (1...15).contains(text.utf8.count) else { return nil }
        let parts = (text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]).utf8
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return parts.count <= 2 && areDigits ? text : nil
    }

    private static func integer(_ text: String) -> Node.Value? { Int(text).map(Node.Value.integer) }
    private static func real(_ text: String) -> Node.Value? { Double(text).map(Node.Value.real) }

    // MARK: Bytes

    /// Goes past white space and comments.
    ///
    /// - Returns: false at the end of an open comment.
    private mutating func skipSpace() -> Bool {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            case UInt8(ascii: "<") where take("<!--"):
                while !take("-->") {
                    guard index < bytes.count else { return false }
                    index += 1
                }
            default: return true
            }
        }
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - index else { return false }
        let start = text.utf8Start
        for offset in 0..<count where bytes[index + offset] != start[offset] { return false }
        index += count
        return true
    }
}
