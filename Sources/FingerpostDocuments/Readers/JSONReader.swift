package import FingerpostFiles
package import Foundation

/// A strict JSON reader (RFC 8259) that records the position of every value.
///
/// Error messages about environment files, mocks and endpoint catalogs need line numbers, which Foundation's JSON
/// readers do not provide. Model types are always decoded by `JSONDecoder`, never by this reader.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let keepsEveryDigit: Bool
    private let quotesText: Bool
    private let suggestsFixes: Bool
    private var index = 0
    private var depth = 0

    /// Reads JSON text that consists of one value of any kind. A byte order mark at the start is skipped.
    ///
    /// - Parameters:
    ///   - keepsEveryDigit: true to reject numbers that do not fit in an `Int64` or a `Double`. JSON has no limit for
    ///     numbers (RFC 8259 section 6), so pass false for bodies. In that case, an integer that does not fit is read
    ///     as a real number and loses digits, and a number beyond a `Double` is infinite.
    ///   - quotesText: false for a text that contains secrets. The error must not quote such a text.
    ///   - suggestsFixes: true to look for a cause in the whole text when the text is not valid JSON.
    /// - Throws: an error with a line and column when the text is not valid JSON.
    @inline(never)
    package static func read(
        _ data: Data, keepsEveryDigit: Bool = true, quotesText: Bool = true, suggestsFixes: Bool = false
    ) throws(FileProblem) -> Node {
        let result = data.withUnsafeBytes { bytes in
            JSONReader(
                bytes: bytes.bindMemory(to: UInt8.self), keepsEveryDigit: keepsEveryDigit, quotesText: quotesText,
                suggestsFixes: suggestsFixes
            ).result
        }
        return try result.get()
    }

    // This property is not inlined, because `withUnsafeBytes` would otherwise contain a copy of the reader for each way
    // in which `Data` stores its bytes.
    private var result: Result<Node, FileProblem> {
        @inline(never) get {
            var reader = self
            do throws(FileProblem) { return .success(try reader.document()) } catch { return .failure(error) }
        }
    }

    /// Reads JSON only to inspect its values. Numbers that do not fit in 64 bits lose digits.
    ///
    /// - Returns: nil when the text is not valid JSON.
    package static func inspect(_ data: Data) -> Node? {
        // Callers only look for values, so no caller needs the error for an invalid text.
        try? read(data, keepsEveryDigit: false)
    }

    // MARK: Grammar

    private mutating func document() throws(FileProblem) -> Node {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        if bytes.isUTF16 { throw failure(FileProblem.notUTF8.message, fix: FileProblem.notUTF8.fix) }
        skipSpace()
        guard index < bytes.count else { throw failure("the file is empty", fix: "write a JSON value, for example {}") }
        let node = try value()
        skipSpace()
        guard index == bytes.count else { throw failure("unexpected \(found) after the end of the JSON value") }
        return node
    }

    private mutating func value() throws(FileProblem) -> Node {
        guard index < bytes.count else { throw failure("the file ends where a value is expected") }
        let start = index
        switch bytes[index] {
        case UInt8(ascii: "{"): return Node(.dictionary(try entries()), offset: start)
        case UInt8(ascii: "["): return Node(.array(try elements()), offset: start)
        case UInt8(ascii: "\""): return Node(.string(try string()), offset: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return Node(try number(), offset: start)
        default:
            if word("true") { return Node(.boolean(true), offset: start) }
            if word("false") { return Node(.boolean(false), offset: start) }
            if word("null") { return Node(.null, offset: start) }
            throw failure("unexpected \(found) where a value is expected")
        }
    }

    private mutating func entries() throws(FileProblem) -> [Node.Entry] {
        try enter()
        var entries: [Node.Entry] = []
        skipSpace()
        if take("}") { return leave(entries) }
        while true {
            skipSpace()
            guard peek("\"") else {
                let trailingComma = peek("}") && !entries.isEmpty
                throw failure(
                    "unexpected \(found) where a key in double quotes is expected",
                    fix: trailingComma ? "remove the comma after the last entry" : nil)
            }
            let keyOffset = index
            let key = try string()
            skipSpace()
            guard take(":") else {
                let name = quotesText ? "the key \"\(key)\"" : "a key"
                throw failure("unexpected \(found) after \(name), where : is expected")
            }
            skipSpace()
            entries.append(Node.Entry(key: key, keyOffset: keyOffset, node: try value()))
            skipSpace()
            if take(",") { continue }
            guard take("}") else {
                throw failure("unexpected \(found) where , or } is expected", fix: missingComma)
            }
            return leave(entries)
        }
    }

    /// The fix if a value or a key follows where a comma is expected. Otherwise nil.
    private var missingComma: String? {
        peek("\"") || peek("{") || peek("[") ? "write a comma before it" : nil
    }

    private mutating func elements() throws(FileProblem) -> [Node] {
        try enter()
        var elements: [Node] = []
        skipSpace()
        if take("]") { return leave(elements) }
        while true {
            skipSpace()
            if peek("]"), !elements.isEmpty {
                throw failure("unexpected ] where a value is expected", fix: "remove the comma after the last element")
            }
            elements.append(try value())
            skipSpace()
            if take(",") { continue }
            guard take("]") else {
                throw failure("unexpected \(found) where , or ] is expected", fix: missingComma)
            }
            return leave(elements)
        }
    }

    private mutating func string() throws(FileProblem) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
            bytes[index] >= 0x20
        {
            index += 1
        }
        if peek("\"") {
            defer { index += 1 }
            return try text(UnsafeBufferPointer(rebasing: bytes[start..<index]), from: start)
        }
        return try escapedString(from: start)
    }

    /// Reads a string that contains escapes. Strings without escapes are read by a faster method. `index` must be at
    /// the first byte that cannot be copied unchanged.
    private mutating func escapedString(from start: Int) throws(FileProblem) -> String {
        var unescaped = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return try unescaped.withUnsafeBufferPointer { bytes throws(FileProblem) in
                    try text(bytes, from: start)
                }
            case UInt8(ascii: "\\"):
                index += 1
                unescaped.append(contentsOf: String(try escape()).utf8)
            case 0..<0x20:
                throw failure(
                    "a string contains an unescaped control character", fix: "write it as an escape such as \\n")
            default:
                unescaped.append(byte)
                index += 1
            }
        }
        index = start - 1
        throw failure("a string is not closed", fix: "add the closing double quote")
    }

    private mutating func escape() throws(FileProblem) -> Unicode.Scalar {
        guard index < bytes.count else { throw failure("the file ends inside a string") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            index -= 1
            let name = quotesText ? " \\\(Character(Unicode.Scalar(byte)))" : ""
            throw failure("unknown escape\(name) in a string")
        }
    }

    private mutating func unicodeEscape() throws(FileProblem) -> Unicode.Scalar {
        let start = index - 2
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A character outside the basic plane is written as a surrogate pair (RFC 8259 section 7).
        if (0xD800..<0xDC00).contains(first), take("\\"), take("u") {
            let second = try hexadecimal()
            if (0xDC00..<0xE000).contains(second) {
                let code = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
                if let scalar = Unicode.Scalar(code) { return scalar }
            }
        }
        index = start
        throw failure("a \\u escape is half of a surrogate pair")
    }

    private mutating func hexadecimal() throws(FileProblem) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
                throw failure("a \\u escape needs four hexadecimal digits")
            }
            code = code << 4 | UInt16(digit)
            index += 1
        }
        return code
    }

    private mutating func number() throws(FileProblem) -> Node.Value {
        let start = index
        _ = take("-")
        let firstDigit = index
        try digits()
        if bytes[firstDigit] == UInt8(ascii: "0"), index > firstDigit + 1 {
            index = firstDigit
            throw failure("a number starts with 0", fix: "remove the leading zero, or put the value in quotes")
        }
        var isInteger = true
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        if let real = Double(text), !keepsEveryDigit || real.isFinite && !isInteger { return .real(real) }
        index = start
        let problem = isInteger ? FileProblem.integerTooLong : .numberTooLarge
        throw failure(problem.message, fix: "write a smaller number, or put it in quotes and read it as text")
    }

    private mutating func digits() throws(FileProblem) {
        let start = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        if index == start { throw failure("unexpected \(found) where a digit is expected") }
    }

    // MARK: Bytes

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private func peek(_ character: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: character)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek(character) else { return false }
        index += 1
        return true
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[index..<index + length]) })
        else { return false }
        index += length
        return true
    }

    private mutating func enter() throws(FileProblem) {
        guard depth < Node.maximumDepth else {
            throw failure(FileProblem.nestedTooDeep.message)
        }
        depth += 1
        index += 1
    }

    private mutating func leave<Value>(_ value: Value) -> Value {
        depth -= 1
        return value
    }

    private func text(_ content: UnsafeBufferPointer<UInt8>, from start: Int) throws(FileProblem) -> String {
        guard let text = String(valid: content) else {
            throw FileProblem(at: start, in: bytes, "a string is not valid UTF-8", fix: "save the file as UTF-8")
        }
        return text
    }

    /// A description of the byte at `index`, for error messages.
    private var found: String {
        guard index < bytes.count else { return "end of text" }
        guard quotesText else { return "character" }
        let byte = bytes[index]
        return (0x21..<0x7F).contains(byte)
            ? String(Unicode.Scalar(byte))
            : "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    private func failure(_ message: String, fix: String? = nil) -> FileProblem {
        let fix = fix ?? (suggestsFixes ? FileProblem.fix(for: bytes, at: index) : nil)
        return FileProblem(at: index, in: bytes, message, fix: fix)
    }
}

extension String {
    /// Creates a text from bytes; nil if the bytes are not valid UTF-8. `String(validating:as:)` needs macOS 15.
    init?(valid bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so the decoded bytes differ from the original bytes if any of the original
        // bytes were invalid. Most texts are ASCII, which is always valid.
        guard bytes.reduce(0, |) < 0x80 || utf8.elementsEqual(bytes) else { return nil }
    }
}
