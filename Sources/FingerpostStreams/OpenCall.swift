import FingerpostFiles
import Foundation

/// A call whose response is read while its body arrives. When the loop reconnects, the account, the idempotency key and
/// the wait come from this call.
struct OpenCall: Sendable {
    let call: Call
    private let client: APIClient

    /// - Parameters:
    ///   - body: receives the body.
    ///   - account: the only account that may send the call. Nil for the account that is signed in.
    init(_ route: Route, into body: CallStream, by client: APIClient, as account: String? = nil) {
        call = client.open(route, into: body, as: account)
        self.client = client
    }

    /// Runs the call until the head of the response arrives.
    ///
    /// - Throws: ``/Fingerpost/APIError``, also for a status that is not successful.
    func connect(_ body: CallStream) async throws(APIError) -> (Response<Data>, OpenStream) {
        try await client.start(call) { response in
            (response, OpenStream(self, response.head, body.take(for: response)))
        }
    }

    /// Decodes an element of the body.
    ///
    /// - Parameters:
    ///   - response: the response with the element in place of its body.
    ///   - part: the element's name in errors.
    ///   - isFailure: true if the server says that the element is an error.
    /// - Throws: an error that the caller passes to ``OpenStream/failure(_:)``.
    func element<Value: Decodable>(
        of response: Response<Data>, as type: Value.Type, _ part: String, isFailure: Bool
    ) throws -> Value {
        let reader = ResponseReader(client.configuration)
        do { return try reader.decoder(for: response).decode(type, from: response.data) } catch {
            // The record must receive the element before the error is created, so that the error can hide credentials
            // in the element.
            call.record.receive(response)
            throw call.failure(error, of: response, as: type, readBy: reader, part: part, isFailure: isFailure)
        }
    }

    /// Returns the error for a response that the loop cannot read, with the message in the response.
    func refusal(_ error: APIError, of response: Response<Data>) -> APIError {
        call.refusal(error, of: response, readBy: ResponseReader(client.configuration))
    }

    // MARK: Another call after this one

    /// The account that sent the call. Nil if the account is unknown.
    var account: String? { call.record.account }

    /// The idempotency key that was sent.
    var idempotencyKey: String? {
        call.record.request?.value(forHTTPHeaderField: "Idempotency-Key")
    }

    /// Returns the wait before a retry. If the scope has a seed, each run gets the same waits.
    func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        call.wait(backoff, beforeRetry: number)
    }

    /// Returns the wait that the server requests with an error response.
    func waitAsked(by error: APIError) -> Duration? { call.waitAsked(by: error) }

    /// Waits on the clock of the call.
    ///
    /// - Throws: ``/Fingerpost/APIError`` when the task is cancelled.
    func pause(_ duration: Duration) async throws(APIError) {
        do { try await call.deadline.pause(duration) } catch {
            throw client.failure(APIError(transport: error), of: call.record.route)
        }
    }
}

extension OpenCall: CustomReflectable {
    /// This mirror is empty, because the call contains credentials.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// The state of an open stream: its call, the head of the response, and the body as it arrives. The call ends when the
/// loop over the stream ends, or when the stream is released.
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

    /// Marks the stream as read. Returns false if a loop has already begun, because only one loop can read a stream.
    func claim() -> Bool {
        isRead.withLock { isRead in
            defer { isRead = true }
            return !isRead
        }
    }

    /// Returns the next bytes. Returns nil at the end of the body.
    func next() async throws(APIError) -> Data? {
        do { return try await body.next() } catch { throw failure(error) }
    }

    /// Decodes an element of the stream.
    ///
    /// - Parameters:
    ///   - part: the element's name in errors.
    ///   - isFailure: true if the server says that the element is an error.
    /// - Throws: an error that the caller passes to ``failure(_:)``.
    func decode<Value: Decodable>(
        _ data: Data, as type: Value.Type, _ part: String, isFailure: Bool = false
    ) throws -> Value {
        try opened.element(of: Response(head, data: data), as: type, part, isFailure: isFailure)
    }

    /// Returns the error for a body that the loop cannot read, with the message at the start of the body. Because a
    /// body such as a log may never end, reading stops after a second, or when the start has as many bytes as an error
    /// can store.
    ///
    /// - Parameter start: the bytes that were already read.
    /// - Throws: `CancellationError` if the task is cancelled.
    func refusal(_ error: APIError, after start: [UInt8]) async throws -> APIError {
        let timer = Task { [body] in
            try await Task.sleep(for: .seconds(1))
            body.leave()
        }
        defer { timer.cancel() }
        var data = Data(start)
        // If the connection is lost meanwhile, the error still reports the body's type, and contains the bytes that
        // have arrived.
        while data.count < APIError.maximumBodySize, let piece = try? await body.next() { data += piece }
        try Task.checkCancellation()
        return opened.refusal(error, of: Response(head, data: data.prefix(APIError.maximumBodySize)))
    }

    /// Ends the connection, because the stream is no longer read.
    func end() {
        close()
        call.finish()
    }

    private func close() {
        body.leave()
        // If another thread is ending the body, the closure of `whenOver` may not have run yet.
        call.record.endBody()
    }

    /// Ends the connection, and returns the error that the loop throws.
    func failure(_ error: any Error) -> APIError {
        // The connection is closed first, so that observers receive this error.
        close()
        return call.failure(APIError(transport: error).adding(Response(head, data: Data())))
    }
}

extension OpenStream: CustomReflectable {
    /// This mirror is empty, because the call contains credentials.
    var customMirror: Mirror { Mirror(self, children: []) }
}
