import Foundation

extension ResponseStream {
    /// The body as values, one per line (NDJSON), or one per event if the response is a stream of events. The client's
    /// decoder reads them. Empty lines are left out. A configuration's ``ClientConfiguration/wrapper`` is that of whole
    /// bodies and does not apply.
    ///
    /// - Parameter type: the type of each value.
    public func json<Value: Decodable & Sendable>(as type: Value.Type = Value.self) -> Values<Value> {
        Values(stream: self)
    }

    /// The values of a stream: see ``ResponseStream/json(as:)``.
    public struct Values<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// One value of the stream.
        public typealias Element = Value

        fileprivate let stream: ResponseStream

        /// Begins to read. The connection ends with the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(stream) }

        /// Reads the values of a stream.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            private let connection: StreamConnection
            private var elements: ElementReader

            fileprivate init(_ stream: ResponseStream) {
                connection = stream.connection
                elements = ElementReader(stream)
                connection.call.record.willDecode(Value.self)
            }

            /// The next value; nil at the end of the body.
            ///
            /// - Throws: ``APIError``; its kind is `decoding` if a line or an event cannot be decoded.
            public mutating func next() async throws -> Value? {
                guard let data = try await elements.next() else { return nil }
                do { return try connection.decode(data, as: Value.self, elements.part) } catch {
                    throw elements.fail(error)
                }
            }
        }
    }
}

/// Reads what a stream's values are decoded from: its lines, or the data of its events.
private struct ElementReader: Sendable {
    private var lines: LineReader?
    private var events: EventReader?
    private var count = 0

    init(_ stream: ResponseStream) {
        if stream.hasEvents { events = EventReader(stream) } else { lines = LineReader(stream) }
    }

    /// The last element, as errors call it.
    var part: String { "\(events == nil ? "line" : "event") \(count) of the stream" }

    mutating func next() async throws(APIError) -> Data? {
        if let event = try await events?.next() {
            count += 1
            return Data(event.data.utf8)
        }
        while let line = try await lines?.next() {
            count += 1
            if !line.isEmpty { return Data(line) }
        }
        return nil
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: any Error) -> APIError {
        events?.fail(error) ?? lines?.fail(error) ?? APIError(transport: error)
    }
}
