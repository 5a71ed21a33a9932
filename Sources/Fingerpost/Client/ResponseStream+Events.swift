import FingerpostFiles
import Foundation

extension ResponseStream {
    /// The body as the events of a server, by the HTML standard (html.spec.whatwg.org, section 9.2). An event that has no
    /// end when the body ends is dropped, as the standard demands.
    ///
    /// A response with another `Content-Type` than `text/event-stream` is an error of the kind `decoding`, and an event
    /// that is larger than ``StreamLimits/elementSize`` one of the kind `transport`.
    public var events: Events { Events(stream: self) }

    /// The events of a stream: see ``ResponseStream/events``.
    public struct Events: AsyncSequence, Sendable {
        fileprivate let stream: ResponseStream

        /// Begins to read. The connection ends with the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(events: EventReader(stream)) }

        /// Reads the events of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var events: EventReader

            /// The next event; nil at the end of the body.
            ///
            /// - Throws: ``APIError``.
            public mutating func next() async throws -> ServerSentEvent? { try await events.next() }
        }
    }
}

extension ResponseStream {
    /// The response's media type; nil if the server sent none.
    fileprivate var mediaType: String? { headers[.contentType].map { MediaType(contentType: $0).rawValue } }

    /// True if the response says that it has events.
    var hasEvents: Bool { mediaType == "text/event-stream" }
}

/// Reads the events of a stream.
struct EventReader: Sendable {
    private var lines: LineReader
    private(set) var parser: EventParser
    /// What is wrong with the media type of a response that has no events; nil if it may have some.
    private let otherType: String?

    /// - Parameters:
    ///   - lastID: the last identifier of an earlier connection.
    ///   - isStrict: true if a response without a media type has no events.
    init(_ stream: ResponseStream, lastID: String = "", isStrict: Bool = false) {
        lines = LineReader(stream)
        parser = EventParser(lastID: lastID)
        otherType = stream.hasEvents ? nil : stream.mediaType?.quoted ?? (isStrict ? "without a Content-Type" : nil)
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: any Error) -> APIError { lines.fail(error) }

    mutating func next() async throws(APIError) -> ServerSentEvent? {
        if let otherType {
            throw lines.fail(
                APIError(
                    .decoding, "the response is \(otherType), not a stream of events (text/event-stream)",
                    fix: "read the stream's lines or json(as:) instead, or check the route"))
        }
        while let line = try await lines.next(needsEnd: true) {
            if let event = parser.read(line) { return event }
            try lines.check(parser.size, "an event")
        }
        return nil
    }
}

extension EventReader: CustomReflectable {
    /// Empty, because events may contain secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}
