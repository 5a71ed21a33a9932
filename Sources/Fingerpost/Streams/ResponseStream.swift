public import Foundation

/// A response whose body is read as it arrives: see ``APIClient/stream(_:)``.
///
/// The stream is a sequence of the bytes as they come, in pieces of any size. ``lines``, ``events`` and ``json(as:)``
/// read lines, events and values instead. One loop can read a stream, once. The errors of a loop are always an
/// ``APIError``.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The response without its body.
    private let head: Response<Data>
    let connection: StreamConnection
    let limits: StreamLimits

    /// The status code (RFC 9110 section 15).
    public var status: Int { head.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { head.headers }
    /// Every time the request was sent, in order.
    public var history: [Attempt] { head.history }
    /// Whether a server or a mock answers.
    public var source: ResponseSource { head.source }

    init(_ head: Response<Data>, _ connection: StreamConnection, _ limits: StreamLimits) {
        self.head = head
        self.connection = connection
        self.limits = limits
    }

    /// Begins to read. The connection ends with the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(connection) }

    /// Reads the bytes of a stream as they come.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let loop: Loop
        private var isOver = false

        init(_ connection: StreamConnection) {
            loop = Loop(connection)
        }

        /// The next bytes; nil at the end of the body.
        ///
        /// - Throws: ``APIError``.
        public mutating func next() async throws -> Data? { try await read() }

        mutating func read() async throws(APIError) -> Data? {
            if isOver { return nil }
            // After an error, too, the loop has ended.
            isOver = true
            let piece = try await loop.next()
            isOver = piece == nil
            return piece
        }

        /// Ends the loop with an error.
        mutating func fail(_ error: any Error) -> APIError {
            isOver = true
            return loop.connection.failure(error)
        }
    }

    /// One loop over a stream. The connection ends with it, even if somebody still has the stream.
    private final class Loop: Sendable {
        let connection: StreamConnection
        private let isFirst: Bool

        init(_ connection: StreamConnection) {
            self.connection = connection
            isFirst = connection.claim()
        }

        deinit { if isFirst { connection.end() } }

        func next() async throws(APIError) -> Data? {
            if isFirst { return try await connection.next() }
            throw connection.call.explained(
                APIError(
                    .invalidRoute, "the stream was read before, and its connection ended with that loop",
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
