import FingerpostFiles
import Foundation

extension ResponseStream {
    /// The lines of a stream: see ``ResponseStream/lines``.
    public typealias Lines = Elements<String>

    /// The body as lines of text, which end with LF, CR or CRLF. Empty lines are lines too, and so is what comes after
    /// the last end. Bytes that are not UTF-8 become the character U+FFFD. A line that is larger than
    /// ``StreamLimits/elementSize`` is an error.
    public var lines: Lines { Lines { ElementReader(self, TextParser()) } }

    /// The events of a stream: see ``ResponseStream/events``.
    public typealias Events = Elements<ServerSentEvent>

    /// The body as the events of a server, by the HTML standard (html.spec.whatwg.org, section 9.2). An event that has
    /// no end when the body ends is dropped, as the standard demands.
    ///
    /// A response with another `Content-Type` than `text/event-stream` is an error of the kind `decoding`, and an event
    /// that is larger than ``StreamLimits/elementSize`` one of the kind `transport`.
    public var events: Events { Events { ElementReader(eventsOf: self) } }

    /// The values of a stream: see ``ResponseStream/json(as:)`` and ``EventStream/json(as:)``.
    public typealias Values<Value: Decodable & Sendable> = Elements<Value>

    /// The body as values, one per line (NDJSON), or one per event if the response is a stream of events. The client's
    /// decoder reads them. Empty lines are left out. A configuration's ``ClientConfiguration/wrapper`` is that of whole
    /// bodies and does not apply. The loop ends with an error of the kind `decoding` at a line or an event that cannot
    /// be decoded.
    ///
    /// - Parameter type: the type of each value.
    public func json<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> Values<Value> {
        Values {
            connection.call.record.willDecode(type)
            return ElementReader(self, ValueParser<Value>(connection, events: hasEvents ? EventParser() : nil))
        }
    }

    /// What a stream contains, one element after the other: its lines, its events, or its values. See
    /// ``ResponseStream/lines``, ``ResponseStream/events`` and ``ResponseStream/json(as:)``.
    public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
        let begin: @Sendable () -> any ElementSource<Element>

        /// Begins to read. The connection ends with the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(source: begin()) }

        /// Reads the elements of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var source: any ElementSource<Element>

            /// The next element; nil at the end of the stream.
            ///
            /// - Throws: ``APIError``.
            public mutating func next() async throws -> Element? { try await source.read() }
        }
    }
}

extension EventStream {
    /// The data of the events as values, over as many connections as it takes. The client's decoder reads them, as
    /// those of ``ResponseStream/json(as:)``. The loop ends with an error at an event that cannot be decoded.
    ///
    /// ```swift
    /// for try await price in client.events(Ticker.prices).json(as: Price.self) { show(price) }
    /// ```
    ///
    /// - Parameter type: the type of each value.
    public func json<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> ResponseStream.Values<Value> {
        ResponseStream.Values { ValueSource(events: EventStream.Iterator(self, decoding: type)) }
    }

    /// Decodes the events of all connections.
    private struct ValueSource<Value: Decodable & Sendable>: ElementSource {
        var events: EventStream.Iterator
        var count = 0

        mutating func read() async throws(APIError) -> Value? {
            guard let (event, connection) = try await events.read() else { return nil }
            count += 1
            do { return try connection.decode(event, number: count) } catch { throw events.fail(error) }
        }
    }
}

/// Reads the lines of a stream as text.
private struct TextParser: StreamParser {
    func read(_ line: [UInt8]) -> String? { String(decoding: line, as: UTF8.self) }
}

/// Decodes the lines of a stream, or the data of its events.
private struct ValueParser<Value: Decodable & Sendable>: StreamParser {
    private let connection: StreamConnection
    /// Reads the events; nil for a stream with a value per line.
    private var events: EventParser?
    private var count = 0

    init(_ connection: StreamConnection, events: EventParser?) {
        self.connection = connection
        self.events = events
    }

    var needsEnd: Bool { events != nil }
    var size: Int { events?.size ?? 0 }

    mutating func read(_ line: [UInt8]) throws -> Value? {
        if events == nil {
            count += 1
            return line.isEmpty ? nil : try connection.decode(Data(line), as: Value.self, "line \(count) of the stream")
        }
        guard let event = events?.read(line) else { return nil }
        count += 1
        return try connection.decode(event, number: count)
    }
}

extension StreamConnection {
    /// Decodes the data of an event.
    fileprivate func decode<Value: Decodable>(_ event: ServerSentEvent, number: Int) throws -> Value {
        try decode(Data(event.data.utf8), as: Value.self, "event \(number) of the stream")
    }
}
