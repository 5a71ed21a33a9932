import FingerpostFiles
import Foundation

extension ResponseStream {
    /// The body as lines of text, which end with LF, CR or CRLF. Empty lines are lines too, and so is what comes after
    /// the last end. Bytes that are not UTF-8 become the character U+FFFD. A line that is larger than
    /// ``StreamLimits/elementSize`` is an error.
    public var lines: Lines { Lines(stream: self) }

    /// The lines of a stream: see ``ResponseStream/lines``.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let stream: ResponseStream

        /// Begins to read. The connection ends with the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(lines: LineReader(stream)) }

        /// Reads the lines of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var lines: LineReader

            /// The next line without its end; nil at the end of the body.
            ///
            /// - Throws: ``APIError``.
            public mutating func next() async throws -> String? {
                try await lines.next().map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}

/// Reads the lines of a stream as bytes.
struct LineReader: Sendable {
    let connection: StreamConnection
    private let maximumSize: Int
    private var pieces: ResponseStream.Iterator
    private var parser = LineParser()
    private var isFirst = true

    init(_ stream: ResponseStream) {
        connection = stream.connection
        maximumSize = stream.limits.elementSize
        pieces = stream.makeAsyncIterator()
    }

    /// The next line without its end, and without a byte order mark; nil at the end of the body.
    ///
    /// - Parameter needsEnd: true to leave out a last line that has no end.
    mutating func next(needsEnd: Bool = false) async throws(APIError) -> [UInt8]? {
        while true {
            let line = parser.next()
            try check((line ?? parser.begun).count, "a line")
            if let line { return withoutMark(line) }
            guard let piece = try await pieces.read() else {
                return needsEnd ? nil : parser.end().map { withoutMark($0) }
            }
            parser.append(Array(piece))
        }
    }

    /// - Throws: ``APIError`` if something is too large to be kept in memory.
    mutating func check(_ size: Int, _ element: String) throws(APIError) {
        guard size > maximumSize else { return }
        throw fail(
            APIError(
                .transport, "\(element) of the stream is larger than \(maximumSize) bytes",
                fix: "check that the server sends lines or events, or raise the configuration's streamLimits"))
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: any Error) -> APIError { pieces.fail(error) }

    private mutating func withoutMark(_ line: [UInt8]) -> [UInt8] {
        defer { isFirst = false }
        return isFirst && line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
    }
}

extension LineReader: CustomReflectable {
    /// Empty, because lines may contain secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}
