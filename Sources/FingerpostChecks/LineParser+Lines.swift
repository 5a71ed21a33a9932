package import FingerpostFiles

extension LineParser {
    /// The lines of a whole text, without their ends and without a byte order mark.
    package static func lines(of text: [UInt8]) -> [[UInt8]] {
        var (lines, parser): ([[UInt8]], LineParser) = ([], LineParser())
        parser.append(withoutMark(text))
        while let line = parser.next() { lines.append(line) }
        if let line = parser.end() { lines.append(line) }
        return lines
    }
}
