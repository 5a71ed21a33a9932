import FingerpostFiles
import Foundation

/// What an open stream holds: its call, the head of the response, and the body that is still to come. The call ends
/// when the loop over the stream ends, or when the stream is released.
final class OpenStream: Sendable {
    let opened: OpenCall
    var call: Call { opened.call }
    private let head: Response<Void>
    private let body: BodyBuffer
    private let isRead = Locked(false)

    /// - Parameter head: the response before its body.
    init(_ opened: OpenCall, _ head: Response<Void>, _ body: BodyBuffer) {
        self.opened = opened
        self.head = head
        self.body = body
        body.whenOver { opened.call.record.endBody() }
    }

    deinit {
        end()
        call.record.close()
    }

    /// Begins to read. Only one loop can.
    func claim() -> Bool {
        isRead.withLock { isRead in
            defer { isRead = true }
            return !isRead
        }
    }

    /// The next bytes; nil at the end of the body.
    func next() async throws(APIError) -> Data? {
        do { return try await body.next() } catch { throw failure(error) }
    }

    /// Decodes an element of the stream.
    ///
    /// - Parameter part: the element's name in errors.
    /// - Throws: the error for ``failure(_:)``.
    func decode<Value: Decodable>(_ data: Data, as type: Value.Type, _ part: String) throws -> Value {
        try opened.element(of: Response(head, data: data), as: type, part)
    }

    /// Ends the connection, because the stream is no longer read.
    func end() {
        close()
        call.finish()
    }

    private func close() {
        body.leave()
        // The body may have ended just now, in another thread.
        call.record.endBody()
    }

    /// Ends the connection. Returns the error that the loop throws.
    func failure(_ error: any Error) -> APIError {
        // The observers are told of the error.
        close()
        return call.failure(APIError(transport: error).adding(Response(head, data: Data())))
    }
}

extension OpenStream: CustomReflectable {
    /// Empty, because the call knows credentials.
    var customMirror: Mirror { Mirror(self, children: []) }
}
