import FingerpostFiles
import Foundation

/// Reads an XML property list and records the position of every value. Foundation does not provide positions.
///
/// The reader parses the tags, plain text and short numbers itself, and passes the content of any other element to
/// Foundation. If the reader cannot interpret the tags with certainty, the reader gives up. As a result, every value is
/// the same as if Foundation had read the file.
struct PropertyListXML {
    /// - Returns: nil for unusual XML and for a malformed file. Foundation must read such a file, or describe its
    ///   error.
    /// - Throws: an error with a line and column when ``Node`` cannot represent a value that Foundation can read.
    static func read(_ text: [UInt8]) throws(FileProblem) -> Node? {
        let result = text.withUnsafeBufferPointer { bytes -> Result<Node, Failure> in
            var reader = PropertyListXML(bytes: bytes)
            do throws(Failure) { return .success(try reader.document()) } catch { return .failure(error) }
        }
        switch result {
        case .success(let root): return root
        case .failure(.unsure): return nil
        case .failure(.unfit(let problem)): throw problem
        }
    }

    private enum Failure: Error {
        case unsure
        case unfit(FileProblem)
    }

    private enum Name: CaseIterable {
        case key, string, yes, no, integer, real, dict, array, date, data, plist

        var text: StaticString {
            switch self {
            case .key: "key"
            case .string: "string"
            case .yes: "true"
            case .no: "false"
            case .integer: "integer"
            case .real: "real"
            case .dict: "dict"
            case .array: "array"
            case .date: "date"
            case .data: "data"
            case .plist: "plist"
            }
        }
    }

    private struct Tag {
        let name: Name
        let offset: Int
        /// True for an empty element: `<true/>`.
        let isEmpty: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0

    // MARK: Grammar

    private mutating func document() throws(Failure) -> Node {
        if bytes.isUTF16 || !take("\u{FEFF}") && !isUTF8 { throw .unfit(FileProblem.notUTF8) }
        try skipSpace()
        while take("<!DOCTYPE") {
            let start = index
            try skip(past: ">")
            if bytes[start..<index].contains(UInt8(ascii: "[")) { throw .unsure }
            try skipSpace()
        }
        let tag = try tag()
        guard tag.name == .plist else { return try value(of: tag) }
        if tag.isEmpty { throw .unsure }
        try skipSpace()
        let root = try value(of: try self.tag())
        try skipSpace()
        try close(.plist)
        // Foundation ignores everything after the closing tag.
        return root
    }

    /// False when the XML declaration names an encoding other than UTF-8.
    private var isUTF8: Bool {
        guard bytes.begins(with: "<?xml") else { return true }
        let declaration = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let encoding = declaration.firstRange(ofBytes: "encoding=") else { return true }
        let name = declaration[encoding.upperBound...].lowercased()
        return name.hasPrefix("\"utf-8\"") || name.hasPrefix("'utf-8'")
    }

    private mutating func value(of tag: Tag) throws(Failure) -> Node {
        let value: Node.Value =
            switch tag.name {
            case .plist: throw .unsure
            case .dict: .dictionary(tag.isEmpty ? [] : try entries())
            case .array: .array(tag.isEmpty ? [] : try elements())
            case .yes, .no: .boolean(try flag(tag))
            case .key, .string, .integer, .real, .date, .data: try content(of: tag)
            }
        return Node(value, offset: tag.offset)
    }

    private mutating func entries() throws(Failure) -> [Node.Entry] {
        try enter()
        var entries: [Node.Entry] = []
        while try !isAtEnd(of: .dict) {
            let tag = try tag()
            guard tag.name == .key, case .string(let key) = try value(of: tag).value else { throw .unsure }
            // Foundation reads a dictionary that contains only the key `CF$UID` as a reference in a keyed archive.
            if key == "CF$UID" { throw .unsure }
            try skipSpace()
            entries.append(Node.Entry(key: key, keyOffset: tag.offset, node: try value(of: try self.tag())))
        }
        return entries
    }

    private mutating func elements() throws(Failure) -> [Node] {
        try enter()
        var elements: [Node] = []
        while try !isAtEnd(of: .array) { elements.append(try value(of: try tag())) }
        return elements
    }

    private mutating func enter() throws(Failure) {
        // Foundation has the same depth limit as this reader, and Foundation's error message includes the line.
        guard depth < Node.maximumDepth else { throw .unsure }
        depth += 1
    }

    /// Moves to the next element and returns false. At the container's closing tag, moves past the tag and returns
    /// true.
    private mutating func isAtEnd(of container: Name) throws(Failure) -> Bool {
        try skipSpace()
        guard peek("</") else { return false }
        try close(container)
        depth -= 1
        return true
    }

    private mutating func flag(_ tag: Tag) throws(Failure) -> Bool {
        if !tag.isEmpty { try close(tag.name) }
        return tag.name == .yes
    }

    // MARK: Content

    private mutating func content(of tag: Tag) throws(Failure) -> Node.Value {
        if let value = try plain(tag) { return value }
        return try foundation(tag)
    }

    /// The value of an element that contains only plain text or a short number. For any other content, returns nil and
    /// leaves `index` at the start of the content.
    private mutating func plain(_ tag: Tag) throws(Failure) -> Node.Value? {
        if tag.isEmpty { return tag.name == .key || tag.name == .string ? .string("") : nil }
        // A byte order mark at the start is left to Foundation, which drops it.
        if peek("\u{FEFF}") { return nil }
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<"), bytes[index] != UInt8(ascii: "&"),
            bytes[index] >= 0x20 || bytes[index] == 0x0A || bytes[index] == 0x09
        {
            index += 1
        }
        let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
        if peek("</"), let text = String(valid: content), let value = Self.value(text, content, tag.name) {
            try close(tag.name)
            return value
        }
        index = start
        return nil
    }

    private static func value(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>, _ name: Name) -> Node.Value? {
        switch name {
        case .key, .string: .string(text)
        case .integer: isNumber(bytes) ? Int64(text).map(Node.Value.integer) : nil
        case .real: isNumber(bytes) ? Double(text).map(Node.Value.real) : nil
        default: nil
        }
    }

    /// Returns true for a number of at most 15 bytes: digits with an optional minus sign and decimal point. For such a
    /// number, every parser returns the same value.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let fraction = digits.drop(while: \.isASCIIDigit)
        let isWhole = fraction.startIndex > digits.startIndex && fraction.isEmpty
        let isReal =
            fraction.startIndex > digits.startIndex && fraction.count > 1 && fraction.first == UInt8(ascii: ".")
            && fraction.dropFirst().allSatisfy(\.isASCIIDigit)
        return text.count <= 15 && (isWhole || isReal)
    }

    /// Uses Foundation to read the value of an element whose content is more than plain text or a short number.
    private mutating func foundation(_ tag: Tag) throws(Failure) -> Node.Value {
        let start = index
        while !tag.isEmpty, !peek("</") {
            if take("<![CDATA[") {
                try skip(past: "]]>")
            } else if index < bytes.count {
                index += 1
            } else {
                throw .unsure
            }
        }
        if !tag.isEmpty {
            let content = bytes[start..<index]
            try close(tag.name)
            if let problem = Self.problem(of: content, in: tag.name) {
                throw .unfit(FileProblem(at: tag.offset, in: bytes, problem.message, fix: problem.fix))
            }
        }
        let element = Data("<plist>".utf8) + Data(bytes[tag.offset..<index]) + Data("</plist>".utf8)
        guard let object = try? PropertyListSerialization.propertyList(from: element, options: [], format: nil) else {
            throw .unsure
        }
        do throws(FileProblem) { return try FoundationReader.node(object).value } catch {
            throw .unfit(FileProblem(at: tag.offset, in: bytes, error.message, fix: error.fix))
        }
    }

    /// Returns a problem that Foundation does not report. Foundation reads 30 February as a day in March, reads invalid
    /// Base64 as no data, and drops a byte order mark on some platforms.
    private static func problem(
        of content: Slice<UnsafeBufferPointer<UInt8>>, in name: Name
    ) -> (message: String, fix: String)? {
        let plain = content.filter { !isSpace($0) }
        switch name {
        case .key, .string:
            let start = String(decoding: content.prefix(20), as: UTF8.self).lowercased()
            guard start.prefixMatch(of: /&#(x0*feff|0*65279);/) != nil else { return nil }
            return ("the text starts with a byte order mark (U+FEFF), which is dropped", "remove it")
        case .date where ISO8601Text.date(String(decoding: plain, as: UTF8.self)) == nil:
            return ("the date does not exist", "write a date such as 2026-01-31T12:00:00Z")
        case .data where Data(base64Encoded: Data(plain.filter { $0 != UInt8(ascii: "=") }).padded) == nil:
            return ("the data is not in base64", "write it with + and / (RFC 4648 section 4), not with - and _")
        default: return nil
        }
    }

    // MARK: Tags

    /// Reads the opening tag at `index`. Attributes are ignored.
    private mutating func tag() throws(Failure) -> Tag {
        let offset = index
        guard take("<"), let name = Name.allCases.first(where: { take($0.text) }) else { throw .unsure }
        let nameEnd = index
        try skip(past: ">")
        let isEmpty = bytes[index - 2] == UInt8(ascii: "/")
        // Any other byte continues the name, as in `<keys>`.
        guard nameEnd == index - (isEmpty ? 2 : 1) || Self.isSpace(bytes[nameEnd]) else { throw .unsure }
        return Tag(name: name, offset: offset, isEmpty: isEmpty)
    }

    /// Moves past a closing tag.
    private mutating func close(_ name: Name) throws(Failure) {
        guard take("</"), take(name.text) else { throw .unsure }
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        guard take(">") else { throw .unsure }
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Moves past white space, comments and processing instructions.
    @inline(never)
    private mutating func skipSpace() throws(Failure) {
        while index < bytes.count {
            if Self.isSpace(bytes[index]) {
                index += 1
            } else if take("<!--") {
                // Foundation ends `<!-->` and `<!---->` in different places.
                if peek("-") || peek(">") { throw .unsure }
                try skip(past: "-->")
            } else if take("<?") {
                if peek(">") { throw .unsure }
                try skip(past: "?>")
            } else {
                return
            }
        }
    }

    private mutating func skip(past end: StaticString) throws(Failure) {
        while !take(end) {
            guard index < bytes.count else { throw .unsure }
            index += 1
        }
    }

    @inline(never)
    private func peek(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - index else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        return true
    }

    @inline(never)
    private mutating func take(_ text: StaticString) -> Bool {
        guard peek(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }
}

extension Data {
    /// Base64 text, padded with `=`.
    fileprivate var padded: Data { self + Data(repeating: UInt8(ascii: "="), count: (4 - count % 4) % 4) }
}
