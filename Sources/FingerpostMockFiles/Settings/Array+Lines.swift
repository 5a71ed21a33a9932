import FingerpostFiles

extension [UInt8] {
    /// The lines of a whole text without their ends and without a byte order mark, and where each ends with its end.
    /// Lines end with LF, CR or CRLF.
    package var lines: [(text: [UInt8], end: Int)] {
        var lines: [(text: [UInt8], end: Int)] = []
        var rest = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
        while !rest.isEmpty {
            let text = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            rest = rest[text.endIndex...]
            rest = rest.dropFirst(rest.begins(with: "\r\n") ? 2 : 1)
            lines.append((Array(text), rest.startIndex))
        }
        return lines
    }
}
