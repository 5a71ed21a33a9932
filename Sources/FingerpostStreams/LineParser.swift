/// Splits bytes that arrive in chunks into lines. Lines end with LF, CR or CRLF.
struct LineParser: Sendable {
    private var piece: [UInt8] = []
    /// The number of bytes of the last chunk that ``next()`` has already read, including the line ends.
    private var position = 0
    /// True after a CR at the end of a chunk. If the next byte is an LF, both form one line end.
    private var skipsLineFeed = false
    /// The bytes of the unfinished line.
    private(set) var begun: [UInt8] = []

    /// Returns a text without the byte order mark of UTF-8.
    static func withoutMark(_ text: [UInt8]) -> [UInt8] {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    }

    /// The bytes that ``next()`` has not returned.
    var rest: [UInt8] { begun + piece.dropFirst(position) }

    /// Adds the next bytes. Call this method only after ``next()`` has returned nil.
    mutating func append(_ bytes: [UInt8]) {
        let isRest = skipsLineFeed && bytes.first == UInt8(ascii: "\n")
        (piece, position) = (bytes, isRest ? 1 : 0)
        if !bytes.isEmpty { skipsLineFeed = false }
    }

    /// Returns the next line without its end. Returns nil if no line is finished.
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

    /// Returns the text after the last line end, or nil if there is none. Call this method at the end of the body.
    mutating func end() -> [UInt8]? {
        defer { begun = [] }
        return begun.isEmpty ? nil : begun
    }
}
