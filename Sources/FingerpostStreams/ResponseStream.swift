import FingerpostFiles
public import Foundation

/// A response whose body is read as it arrives: see `stream(_:)`.
///
/// The stream is a sequence of chunks of bytes. A chunk can have any size. ``lines``, ``events`` and
/// ``json(as:until:)`` read lines, events and values instead. Only one loop can read a stream: a second loop throws an
/// error. If you copy an iterator, only the copy that reads first can continue; the others throw. Each error of a loop
/// is an ``/Fingerpost/APIError``.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The response without its body.
    private let head: Response<Data>
    let connection: OpenStream
    let limits: StreamLimits

    /// The status code (RFC 9110 section 15).
    public var status: Int { head.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { head.headers }
    /// The attempts to send the request, in order.
    public var history: [Attempt] { head.history }
    /// Whether a server or a mock answers.
    public var source: ResponseSource { head.source }

    init(_ head: Response<Data>, _ connection: OpenStream, _ limits: StreamLimits) {
        self.head = head
        self.connection = connection
        self.limits = limits
    }

    /// Creates an iterator. The connection ends when the iterator is released.
    public func makeAsyncIterator() -> Iterator { Iterator(connection) }

    /// Reads the bytes of a stream as they arrive.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let loop: Loop
        /// The number of reads that the loop had begun when this copy of the iterator last read.
        private var turn = 0
        private var isOver = false

        init(_ connection: OpenStream) {
            loop = Loop(connection)
        }

        /// Returns the next bytes. Returns nil at the end of the body.
        ///
        /// - Throws: ``/Fingerpost/APIError``.
        public mutating func next() async throws -> Data? { try await read() }

        mutating func read() async throws(APIError) -> Data? {
            if isOver { return nil }
            try begin()
            // After an error, the loop has ended too.
            isOver = true
            let piece = try await loop.connection.next()
            isOver = piece == nil
            return piece
        }

        /// Begins to read an element.
        ///
        /// - Throws: ``/Fingerpost/APIError`` if another loop or another copy of this iterator has read.
        mutating func begin() throws(APIError) { try loop.begin(&turn) }

        /// Ends the loop and its connection before the body ends.
        mutating func end() {
            isOver = true
            loop.connection.end()
        }

        /// Returns the error for a body that the loop cannot read, with the message in the body.
        func refusal(_ error: APIError, after start: [UInt8]) async throws -> APIError {
            try await loop.connection.refusal(error, after: start)
        }

        /// Ends the loop with an error.
        mutating func fail(_ error: any Error) -> APIError {
            isOver = true
            return loop.connection.failure(error)
        }
    }

    /// One loop over a stream. When the loop ends, the connection ends, even if the app still uses the stream.
    private final class Loop: Sendable {
        let connection: OpenStream
        private let isFirst: Bool
        /// The number of reads that have begun.
        private let turns = Locked(0)

        init(_ connection: OpenStream) {
            self.connection = connection
            isFirst = connection.claim()
        }

        deinit { if isFirst { connection.end() } }

        /// Begins a read, unless another copy of the iterator has begun a read in the meantime.
        func begin(_ turn: inout Int) throws(APIError) {
            let isNext = turns.withLock { turns in
                guard isFirst, turns == turn else { return false }
                turns &+= 1
                turn = turns
                return true
            }
            if isNext { return }
            throw connection.call.explained(
                APIError(
                    .invalidRoute, "the stream was read before, by another loop or a copy of its iterator",
                    fix: "read it in one loop, or call stream(_:) again"))
        }
    }
}

extension ResponseStream: CustomStringConvertible, CustomReflectable {
    /// The status, the source, and the request's method and URL without credentials.
    public var description: String { head.description }

    /// The properties of the response, without credentials.
    public var customMirror: Mirror { Mirror(self, children: head.customMirror.children, displayStyle: .struct) }
}

extension ResponseStream {
    /// The lines of a stream: see ``ResponseStream/lines``.
    public typealias Lines = Elements<String>

    /// The body as lines of text. Each line ends with LF, CR or CRLF. Empty lines are included, and so is text after
    /// the last line break. Bytes that are not UTF-8 become the character U+FFFD. The loop throws an error at a line
    /// that is larger than ``/Fingerpost/StreamLimits/elementSize``.
    public var lines: Lines { Lines { ElementReader(self, TextParser()) } }

    /// The events of a stream: see ``ResponseStream/events``.
    public typealias Events = Elements<ServerSentEvent>

    /// The body as the events of a server, by the HTML standard (html.spec.whatwg.org, section 9.2). If the body ends
    /// within an event, this event is dropped, as the standard requires.
    ///
    /// If the response's `Content-Type` is not `text/event-stream`, the loop throws an error of the kind `decoding`,
    /// which contains the server's message. If an event is larger than ``/Fingerpost/StreamLimits/elementSize``, the
    /// loop throws an error of the kind `transport`.
    public var events: Events { Events { ElementReader(eventsOf: self) } }

    /// The values of a stream: see ``ResponseStream/json(as:until:)`` and ``EventStream/json(as:until:)``.
    public typealias Values<Value: Decodable & Sendable> = Elements<Value>

    /// The body as values, one per line (NDJSON), or one per event if the response is a stream of events. The client's
    /// decoder decodes the values. Blank lines and events with blank data are skipped. A null becomes nil if `Value` is
    /// an optional type. The configuration's ``/Fingerpost/ClientConfiguration/wrapper`` does not apply, because a
    /// wrapper always wraps a whole body. The loop throws an error of the kind `decoding` at a line or an event that
    /// cannot be decoded. If the server sent an error in that line or event, ``/Fingerpost/APIError/serverMessage``
    /// contains the server's message.
    ///
    /// - Parameters:
    ///   - type: the type of each value.
    ///   - end: the data of the event that ends the loop. The data is not decoded. If `end` is empty, no event ends
    ///     the loop.
    public func json<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, until end: String = "[DONE]"
    ) -> Values<Value> {
        Values {
            connection.call.record.willDecode(type)
            let events = hasEvents ? EventParser() : nil
            return ElementReader(self, ValueParser<Value>(connection, events: events, until: end))
        }
    }

    /// The elements of a stream, one after another: lines, events or values. See ``ResponseStream/lines``,
    /// ``ResponseStream/events`` and ``ResponseStream/json(as:until:)``.
    public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
        let begin: @Sendable () -> any ElementSource<Element>

        /// Creates an iterator. The connection ends when the iterator is released.
        public func makeAsyncIterator() -> Iterator { Iterator(source: begin()) }

        /// Reads the elements of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var source: any ElementSource<Element>

            /// The next element; nil at the end of the stream.
            ///
            /// - Throws: ``/Fingerpost/APIError``.
            public mutating func next() async throws -> Element? { try await source.read() }
        }
    }
}

extension EventStream {
    /// The data of the events as values. The loop reconnects when a connection ends. The client's decoder decodes the
    /// values, as in ``ResponseStream/json(as:until:)``. The loop throws an error at an event that cannot be decoded.
    ///
    /// ```swift
    /// for try await price in client.events(Ticker.prices).json(as: Price.self) { show(price) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of each value.
    ///   - end: the data of the event that ends the loop. The data is not decoded, and no connection follows.
    public func json<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, until end: String = "[DONE]"
    ) -> ResponseStream.Values<Value> {
        ResponseStream.Values { ValueSource(events: EventStream.Iterator(self, decoding: type), end: end) }
    }

    /// Decodes the events of all connections.
    private struct ValueSource<Value: Decodable & Sendable>: ElementSource {
        var events: EventStream.Iterator
        let end: String
        var count = 0

        mutating func read() async throws(APIError) -> Value? {
            while let (event, connection) = try await events.read() {
                count += 1
                if event.isMark(end) {
                    events.end()
                    break
                }
                do {
                    if let value = try connection.decode(event, as: Value.self, number: count) { return value }
                } catch { throw events.fail(error) }
            }
            return nil
        }
    }
}

/// Reads the lines of a stream as text.
private struct TextParser: StreamParser {
    func read(_ line: [UInt8]) -> String? { String(decoding: line, as: UTF8.self) }
}

/// Decodes the lines of a stream, or the data of its events.
private struct ValueParser<Value: Decodable & Sendable>: StreamParser {
    private let connection: OpenStream
    /// Parses the events. Nil for a stream with one value per line.
    private var events: EventParser?
    private let end: String
    private var count = 0
    private(set) var isOver = false

    init(_ connection: OpenStream, events: EventParser?, until end: String) {
        self.connection = connection
        self.events = events
        self.end = end
    }

    var needsEnd: Bool { events != nil }
    // 32-bit: an `Int` is enough, because the event is in memory.
    var size: Int { events?.size ?? 0 }

    mutating func read(_ line: [UInt8]) throws -> Value? {
        if events == nil {
            count += 1
            let data = Data(line)
            return data.isBlank ? nil : try connection.decode(data, as: Value.self, "line \(count) of the stream")
        }
        guard let event = events?.read(line) else { return nil }
        count += 1
        isOver = event.isMark(end)
        return isOver ? nil : try connection.decode(event, as: Value.self, number: count)
    }
}

extension ServerSentEvent {
    /// Returns true for the event that marks the end of the stream.
    fileprivate func isMark(_ end: String) -> Bool {
        !end.isEmpty && data.trimmingCharacters(in: .whitespacesAndNewlines) == end
    }
}

extension OpenStream {
    /// Decodes the data of an event. Returns nil if the data is blank.
    ///
    /// - Parameter type: the type to decode. This argument has no default, because an inferred type would be an
    ///   optional, which accepts a null.
    fileprivate func decode<Value: Decodable>(
        _ event: ServerSentEvent, as type: Value.Type, number: Int
    ) throws -> Value? {
        let data = Data(event.data.utf8)
        if data.isBlank { return nil }
        return try decode(data, as: type, "event \(number) of the stream", isFailure: event.event == "error")
    }
}

extension APIClient {
    /// Sends a route, and returns a stream as soon as the session reports the head of the response: the status and the
    /// headers. The stream delivers the body as it arrives. On Apple platforms, the session sometimes waits for the
    /// first 512 bytes of the body before it reports the head: see “Limits” in <doc:FollowingStreams>. Use this method
    /// for bodies that arrive over time, such as the answer of an assistant, a feed or a log. Use `data(for:)` for
    /// short bodies, and `download(_:to:resuming:)` for files.
    ///
    /// ```swift
    /// let stream = try await client.stream(Chat.answer(to: question))
    /// for try await event in stream.events { text += event.data }
    /// ```
    ///
    /// If the status is outside 200...299, this method throws an error that contains the body, unless the route accepts
    /// the status. Until the head arrives, authorization, middleware, redirects and retries work as for other calls.
    /// After the head, nothing is retried. To reconnect when the connection ends, use `events(_:)`.
    ///
    /// The ``/Fingerpost/ClientConfiguration/timeout`` covers the time until the head arrives. After the head,
    /// ``/Fingerpost/ClientConfiguration/idleTimeout`` limits each wait for the next bytes. The stream counts towards
    /// ``/Fingerpost/ClientConfiguration/maximumCallsPerHost`` until it ends.
    ///
    /// The connection ends when the loop over the stream ends, or when the stream is released. The connection also ends
    /// when the loop's task is cancelled while the loop waits for the next element.
    ///
    /// - Parameter route: a case of your router, or a ``/Fingerpost/Route``.
    /// - Throws: ``/Fingerpost/APIError``. The loop over the stream throws only errors of this type, too.
    public func stream(_ route: some RouteConvertible) async throws(APIError) -> ResponseStream {
        let body = CallStream(configuration)
        let (response, connection) = try await OpenCall(Route.from(route), into: body, by: self).connect(body)
        return ResponseStream(response, connection, configuration.streamLimits)
    }
}
