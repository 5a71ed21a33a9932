import Foundation

/// Cuts bytes that arrive in pieces into lines, which end with LF, CR or CRLF.
package struct LineParser: Sendable {
    private var piece: [UInt8] = []
    private var position = 0
    /// True after a CR: an LF that follows it belongs to the same end.
    private var skipsLineFeed = false
    /// The bytes of the line that has no end yet.
    package private(set) var begun: [UInt8] = []

    package init() {}

    /// What comes after the last end, at the end of the bytes; nil if nothing does.
    package mutating func end() -> [UInt8]? {
        defer { begun = [] }
        return begun.isEmpty ? nil : begun
    }

    /// Adds the next bytes, when ``next()`` has returned all lines before them.
    package mutating func append(_ bytes: [UInt8]) { (piece, position) = (bytes, 0) }

    /// The next line without its end; nil if there is no whole one.
    package mutating func next() -> [UInt8]? {
        if skipsLineFeed, position < piece.count {
            if piece[position] == UInt8(ascii: "\n") { position += 1 }
            skipsLineFeed = false
        }
        let start = position
        while position < piece.count {
            let byte = piece[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            skipsLineFeed = byte == UInt8(ascii: "\r")
            defer { begun = [] }
            return begun + piece[start..<position - 1]
        }
        begun += piece[start...]
        return nil
    }
}
