import FingerpostFiles
package import Foundation

/// The sizes and the timing of the chunks of a mock's body, for a call that reads the body chunk by chunk.
package struct MockPace: Sendable, Equatable {
    /// The kind of a chunk.
    package enum Unit: Sendable, Equatable {
        /// A server-sent event, with the empty line that ends it.
        case event
        /// A line, with the line break that ends it.
        case line
        /// A number of bytes.
        // 32-bit: the number is at most `largestPiece`.
        case bytes(Int)

        /// Creates a unit from its name in a settings file: `event`, `line`, or a number of bytes, `bytes:4096`.
        init?(_ name: String) {
            switch name {
            case "event": self = .event
            case "line": self = .line
            default:
                let start = "bytes:"
                guard name.begins(with: start) else { return nil }
                let digits = Substring(name.utf8.dropFirst(start.utf8.count))
                guard let size = Int(digits: digits), (1...Self.largestPiece).contains(size) else { return nil }
                self = .bytes(size)
            }
        }

        /// The name of the unit in a settings file.
        package var name: String {
            switch self {
            case .event: "event"
            case .line: "line"
            case .bytes(let size): "bytes:\(size)"
            }
        }

        /// The size of the largest chunk, in bytes (1 GiB).
        static let largestPiece = 1 << 30

        /// Returns the ends of the chunks, in bytes from the start of the body. The last end is the end of the body.
        package func ends(in data: Data) -> [Int] {
            switch self {
            case .bytes(let size): Self.pieces(in: data, of: size)
            case .line: [UInt8](data).lines.map(\.end)
            case .event: Self.events(in: data)
            }
        }

        /// Returns the ends of chunks with a given number of bytes.
        private static func pieces(in data: Data, of count: Int) -> [Int] {
            data.isEmpty ? [] : Array(stride(from: count, to: data.count, by: count)) + [data.count]
        }

        /// Returns the ends of the events in a body. The bytes after the last end belong to an unfinished event.
        package static func wholeEvents(in data: Data) -> [Int] {
            let lines = [UInt8](data).lines
            // Several empty lines end only one event.
            return lines.indices.filter { index in
                lines[index].text.isEmpty && !(index + 1 < lines.count && lines[index + 1].text.isEmpty)
            }
            .map { lines[$0].end }
        }

        private static func events(in data: Data) -> [Int] {
            let ends = wholeEvents(in: data)
            return ends.last == data.count || data.isEmpty ? ends : ends + [data.count]
        }
    }

    /// The kind of the chunks. If nil, the chunks are events in a stream of events, and lines in any other body.
    package var unit: Unit?
    /// The time before each chunk.
    package var interval = Duration.zero

    package init(unit: Unit? = nil, interval: Duration = .zero) {
        (self.unit, self.interval) = (unit, interval)
    }
}

extension [UInt8] {
    /// The lines of a complete text. Each line has no line break and no byte order mark, and is returned with the
    /// offset after its line break. Lines end with LF, CR or CRLF.
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
