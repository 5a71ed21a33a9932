import Foundation

extension ResponseStream {
    /// The body as values, one per line (NDJSON), or one per event if the response is a stream of events. The client's
    /// decoder reads them. Empty lines are left out. A configuration's ``ClientConfiguration/wrapper`` is that of whole
    /// bodies and does not apply.
    ///
    /// - Parameter type: the type of each value.
    public func json<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> Values<Value> {
        Values { ElementReader(self, decoding: type) }
    }

    /// The values of a stream: see ``ResponseStream/json(as:)`` and ``EventStream/json(as:)``.
    public struct Values<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// One value of the stream.
        public typealias Element = Value

        fileprivate let begin: @Sendable () -> ElementReader

        /// Begins to read. The connection ends with the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(elements: begin()) }

        /// Reads the values of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var elements: ElementReader

            /// The next value; nil at the end of the stream.
            ///
            /// - Throws: ``APIError``; its kind is `decoding` if a line or an event cannot be decoded.
            public mutating func next() async throws -> Value? {
                guard let (data, connection) = try await elements.next() else { return nil }
                do { return try connection.decode(data, as: Value.self, elements.part) } catch {
                    throw elements.fail(error)
                }
            }
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
    public func json<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self
    ) -> ResponseStream.Values<Value> {
        ResponseStream.Values { ElementReader(self, decoding: type) }
    }
}

/// Reads what a stream's values are decoded from: its lines, or the data of its events.
private struct ElementReader: Sendable {
    private var lines: LineReader?
    private var events: EventReader?
    /// The events of all connections, instead of those of one.
    private var feed: EventStream.Iterator?
    /// The one connection of the lines or the events.
    private let connection: StreamConnection?
    private var count = 0

    init(_ stream: ResponseStream, decoding type: Any.Type) {
        if stream.hasEvents { events = EventReader(stream) } else { lines = LineReader(stream) }
        connection = stream.connection
        stream.connection.call.record.willDecode(type)
    }

    init(_ feed: EventStream, decoding type: Any.Type) {
        self.feed = EventStream.Iterator(feed, decoding: type)
        connection = nil
    }

    /// The last element, as errors call it.
    var part: String { "\(lines == nil ? "event" : "line") \(count) of the stream" }

    mutating func next() async throws(APIError) -> (data: Data, connection: StreamConnection)? {
        if let (event, connection) = try await feed?.read() {
            count += 1
            return (Data(event.data.utf8), connection)
        }
        guard let connection else { return nil }
        if let event = try await events?.next() {
            count += 1
            return (Data(event.data.utf8), connection)
        }
        while let line = try await lines?.next() {
            count += 1
            if !line.isEmpty { return (Data(line), connection) }
        }
        return nil
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: any Error) -> APIError {
        feed?.fail(error) ?? events?.fail(error) ?? lines?.fail(error) ?? APIError(transport: error)
    }
}
