/// Cuts bytes that arrive in pieces into lines, which end with LF, CR or CRLF.
struct LineParser: Sendable {
    private var piece: [UInt8] = []
    /// How many bytes of the last piece belong to lines that ``next()`` has returned, with their ends.
    private var position = 0
    /// True after a CR at the end of a piece: an LF that follows it belongs to the same end.
    private var skipsLineFeed = false
    /// The bytes of the line that has no end yet.
    private(set) var begun: [UInt8] = []

    /// The start of a text without the byte order mark of UTF-8.
    static func withoutMark(_ text: [UInt8]) -> [UInt8] {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    }

    /// Adds the next bytes, when ``next()`` has returned all lines before them.
    mutating func append(_ bytes: [UInt8]) {
        let isRest = skipsLineFeed && bytes.first == UInt8(ascii: "\n")
        (piece, position) = (bytes, isRest ? 1 : 0)
        if !bytes.isEmpty { skipsLineFeed = false }
    }

    /// The next line without its end; nil if no line has ended.
    mutating func next() -> [UInt8]? {
        let start = position
        while position < piece.count {
            let byte = piece[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            defer { begun = [] }
            let line = begun + piece[start..<position - 1]
            if byte == UInt8(ascii: "\r") {
                skipsLineFeed = position == piece.count
                if !skipsLineFeed, piece[position] == UInt8(ascii: "\n") { position += 1 }
            }
            return line
        }
        begun += piece[start...]
        return nil
    }

    /// What comes after the last end, when no more bytes come; nil if nothing does.
    mutating func end() -> [UInt8]? {
        defer { begun = [] }
        return begun.isEmpty ? nil : begun
    }
}
