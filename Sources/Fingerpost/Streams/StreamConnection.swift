import FingerpostFiles
import Foundation

/// What an open stream holds: its call, the head of the response, and the body that is still to come. The call ends
/// when the loop over the stream ends, or when the stream is released.
final class StreamConnection: Sendable {
    let call: Call
    private let head: Response<Void>
    private let reader: ResponseReader
    private let body: BodyBuffer
    private let isRead = Locked(false)

    /// - Parameter head: the response before its body.
    init(_ call: Call, _ head: Response<Void>, _ body: BodyBuffer, readBy reader: ResponseReader) {
        self.call = call
        self.head = head
        self.body = body
        self.reader = reader
        body.whenOver { call.record.endBody() }
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
        let response = Response(head, data: data)
        do { return try reader.element(of: response, as: type) } catch {
            // The error must know the credentials in the element.
            call.record.receive(response)
            throw call.failure(error, of: response, as: type, readBy: reader, part: part)
        }
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

extension Sender {
    /// Runs one call until the head of its response.
    ///
    /// - Throws: ``APIError``, also for a status that is not successful.
    func open(_ call: Call) async throws(APIError) -> (Response<Data>, StreamConnection) {
        try await run(call) { [reader] response in
            (response, StreamConnection(call, response.head, try call.takeBody(of: response), readBy: reader))
        }
    }
}

extension StreamConnection: CustomReflectable {
    /// Empty, because the call knows credentials.
    var customMirror: Mirror { Mirror(self, children: []) }
}
