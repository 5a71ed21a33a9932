import FingerpostFiles
package import Foundation

/// How the body of a mock arrives, chunk by chunk, at a call that reads it as it arrives.
package struct MockPace: Sendable, Equatable {
    /// What each chunk is.
    package enum Unit: Sendable, Equatable {
        /// A server-sent event, with the empty line that ends it.
        case event
        /// A line with its end.
        case line
        /// A number of bytes.
        // 32-bit: at most `largestPiece`
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

        /// The unit as a settings file names it.
        package var name: String {
            switch self {
            case .event: "event"
            case .line: "line"
            case .bytes(let size): "bytes:\(size)"
            }
        }

        /// The size of the largest chunk, in bytes (1 GiB).
        static let largestPiece = 1 << 30

        /// Where the chunks of a body end, in bytes from its start. The last one is the end of the body.
        package func ends(in data: Data) -> [Int] {
            switch self {
            case .bytes(let size): Self.pieces(in: data, of: size)
            case .line: [UInt8](data).lines.map(\.end)
            case .event: Self.events(in: data)
            }
        }

        /// Where chunks of so many bytes end.
        private static func pieces(in data: Data, of count: Int) -> [Int] {
            data.isEmpty ? [] : Array(stride(from: count, to: data.count, by: count)) + [data.count]
        }

        /// Where the events of a body end. The bytes after the last end are part of an unfinished event.
        package static func wholeEvents(in data: Data) -> [Int] {
            let lines = [UInt8](data).lines
            // Several empty lines end one event.
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

    /// What each chunk is; nil for events in a stream of events, and for lines in any other body.
    package var unit: Unit?
    /// The time before each chunk.
    package var interval = Duration.zero

    package init(unit: Unit? = nil, interval: Duration = .zero) {
        (self.unit, self.interval) = (unit, interval)
    }
}

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
