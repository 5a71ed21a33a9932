import FingerpostFiles
import Foundation

/// Reads the elements of a sequence, one after another.
protocol ElementSource<Element>: Sendable {
    associatedtype Element: Sendable

    /// Returns the next element. Returns nil at the end.
    mutating func read() async throws(APIError) -> Element?
}

/// Creates elements from the lines of a stream.
protocol StreamParser<Element>: Sendable {
    associatedtype Element: Sendable

    /// True if the text after the last line end is ignored.
    var needsEnd: Bool { get }

    /// The size of the unfinished element, in bytes.
    // 32-bit: an `Int` is enough, because the element is in memory.
    var size: Int { get }

    /// True after the last element, if the server marks the last element.
    var isOver: Bool { get }

    /// Reads one line.
    ///
    /// - Returns: the element that this line completes. Nil if the line completes no element.
    mutating func read(_ line: [UInt8]) throws -> Element?
}

extension StreamParser {
    var needsEnd: Bool { false }
    // 32-bit: an `Int` is enough, because the element is in memory.
    var size: Int { 0 }
    var isOver: Bool { false }
}

extension EventParser: StreamParser {
    var needsEnd: Bool { true }
}

struct ElementReader<Parser: StreamParser>: ElementSource {
    private(set) var parser: Parser
    private var lines = LineParser()
    private var pieces: ResponseStream.Iterator
    /// The maximum size of a line or an element, in bytes.
    private let maximumSize: Int
    /// The error to throw if the response's headers show that the body contains no elements of this kind. Otherwise
    /// nil.
    private var objection: APIError?
    private var isFirst = true

    init(_ stream: ResponseStream, _ parser: Parser) {
        self.parser = parser
        pieces = stream.makeAsyncIterator()
        maximumSize = stream.limits.elementSize
    }

    mutating func read() async throws(APIError) -> Parser.Element? {
        try pieces.begin()
        if let objection { throw await refusal(objection) }
        while !parser.isOver {
            let isFirst = isFirst
            guard let line = try await nextLine() else { break }
            let element: Parser.Element?
            do { element = try parser.read(line) } catch { throw await failure(error, at: line, isFirst: isFirst) }
            if let element { return element }
            try check(parser.size, "an event")
        }
        if parser.isOver { pieces.end() }
        return nil
    }

    /// Ends the loop with an error that a line has caused.
    private mutating func failure(_ error: any Error, at line: [UInt8], isFirst: Bool) async -> APIError {
        let error = APIError(transport: error)
        // The body may be a single text of several lines, such as an error in JSON or a web page. If the first line
        // cannot be read, the error therefore contains the whole text.
        guard isFirst, !parser.needsEnd, error.fragment == nil, error.serverMessage == nil else { return fail(error) }
        return await refusal(error, after: line + [UInt8(ascii: "\n")] + lines.rest)
    }

    /// Ends the loop with the error for a body of another kind. The error contains the message in the body.
    private mutating func refusal(_ error: APIError, after start: [UInt8] = []) async -> APIError {
        do { return fail(try await pieces.refusal(error, after: start)) } catch { return fail(error) }
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: any Error) -> APIError { pieces.fail(error) }

    /// Returns the next line, without its end and without a byte order mark. Returns nil at the end of the body.
    private mutating func nextLine() async throws(APIError) -> [UInt8]? {
        while true {
            let line = lines.next()
            try check((line ?? lines.begun).count, "a line")
            if let line { return withoutMark(line) }
            guard let piece = try await pieces.read() else {
                return parser.needsEnd ? nil : lines.end().map { withoutMark($0) }
            }
            lines.append(Array(piece))
        }
    }

    /// - Throws: ``/Fingerpost/APIError`` if a line or an element is larger than the limit.
    private mutating func check(_ count: Int, _ element: String) throws(APIError) {
        guard count > maximumSize else { return }
        throw fail(APIError(larger: element, than: maximumSize))
    }

    private mutating func withoutMark(_ line: [UInt8]) -> [UInt8] {
        defer { isFirst = false }
        return isFirst ? LineParser.withoutMark(line) : line
    }
}

extension APIError {
    /// Creates the error for an element of a stream that is too large. This initializer is not generic, so that the app
    /// contains it once and not for each type of element.
    @inline(never)
    fileprivate init(larger element: String, than maximumSize: Int) {
        self.init(
            .transport, "\(element) of the stream is larger than \(maximumSize) bytes",
            fix: "check that the server sends lines or events, or raise the configuration's streamLimits")
    }
}

extension ElementReader<EventParser> {
    /// - Parameters:
    ///   - lastID: the last identifier of an earlier connection.
    ///   - isStrict: true to reject a response without a media type.
    init(eventsOf stream: ResponseStream, lastID: String = "", isStrict: Bool = false) {
        self.init(stream, EventParser(lastID: lastID))
        if stream.hasEvents { return }
        guard let type = stream.mediaType?.quoted ?? (isStrict ? "without a Content-Type" : nil) else { return }
        objection = APIError(
            .decoding, "the response is \(type), not a stream of events (text/event-stream)",
            fix: "read the stream's lines or json(as:) instead, or check the route")
    }
}

extension ResponseStream {
    /// The response's media type. Nil if the server has sent none.
    fileprivate var mediaType: String? { headers[.contentType].map { MediaType(contentType: $0).rawValue } }

    /// True if the response's media type is that of events.
    var hasEvents: Bool { mediaType == "text/event-stream" }
}

extension ElementReader: CustomReflectable {
    /// This mirror is empty, because elements may contain secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}
