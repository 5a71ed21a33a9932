import FingerpostFiles
package import Foundation

/// A sink of the client's own. Beside the body, it hears what its transport knows, and it can set the pace of the
/// transport or change the request. By default it does nothing of this: it only receives.
package protocol CallSink: AnyObject, BodySink {
    /// True if the call reports its progress. A mock then passes its bodies in chunks.
    var isMeasured: Bool { get }

    /// The client or its transport tells something beside the body.
    func note(_ event: TransferEvent)

    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// Changes a request that is about to be sent: the first one, a redirect, or a retry.
    ///
    /// - Parameter credentials: the headers of the client's authorization, also those that the route sets.
    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws

    /// True if a response does not fit what ``adapt(_:credentials:)`` added, and the request must be sent again without
    /// it.
    func startsOver(after result: Outcome) -> Bool

    /// The last response received.
    ///
    /// - Throws: an error when no response has started, or when the body could not be stored.
    func response() throws -> Response<Data>

    /// Does the last step: the call succeeds.
    ///
    /// - Parameter response: with the received body, unless middleware replaced it.
    /// - Throws: an error that fails the call.
    func finish(_ response: Response<Data>) throws

    /// True if a body that succeeds is in memory, so that an error can show what came of it.
    var isMemory: Bool { get }

    /// True if the app has received bytes of the body, so that nothing must be sent again.
    var hasDelivered: Bool { get }

    /// The pace of the transport, if the app reads the body as it arrives.
    var pace: (any BodyPace)? { get }
}

/// What the client and its transport know of a transfer beside the body.
package enum TransferEvent: Sendable {
    /// So many bytes of the request's body have been sent.
    case sent(Int64)
    /// The response, whose head has come, has a body of this size in bytes.
    case expects(Int64)
    /// The session waits for a connection to the internet.
    case waitsForConnection
    /// The whole response has come, and the transport has returned.
    case ended
    /// The body has ended with an error of this sink, although the transport may go on.
    case failed(any Error)
    /// The call has failed: partial data is deleted, unless a later call can resume it.
    case discarded
}

/// Lets a transport wait for the reader of a body.
package protocol BodyPace: AnyObject, Sendable {
    /// True if so much waits to be read that a transport should pause, where it can, and does not yet.
    var isFull: Bool { get }

    /// Keeps how a paused transport goes on. Returns false if it must not pause.
    func hold(_ resume: @escaping @Sendable () -> Void) -> Bool

    /// When a transport last waited for the reader; nil if none has.
    var held: ContinuousClock.Instant? { get }

    /// Waits until the app has read everything and waits for more.
    ///
    /// - Throws: `CancellationError` if the app reads no more.
    func wanted() async throws
}

extension CallSink {
    package var isMeasured: Bool { false }
    package func note(_ event: TransferEvent) {}
    package func prepare() {}
    package func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) {}
    package func startsOver(after result: Outcome) -> Bool { false }
    package func response() throws -> Response<Data> { throw URLError(.badServerResponse) }
    package func finish(_ response: Response<Data>) {}
    package var isMemory: Bool { false }
    package var hasDelivered: Bool { false }
    package var pace: (any BodyPace)? { nil }
}

extension BodySink {
    /// This sink, if it is one of the client; nil for a sink of the app.
    package var ofCall: (any CallSink)? { self as? any CallSink }
}

/// Collects a body in memory.
package final class MemorySink: CallSink {
    private let received = Locked<(head: Response<Void>?, body: Data)>((nil, Data()))
    private let maximumSize: Int
    /// The transport that returns the body as a whole; nil if it is collected for another purpose.
    let owner: (any Transport.Type)?

    /// - Parameter maximumSize: the maximum size of the body, in bytes.
    package init(maximumSize: Int = .max, of owner: (any Transport.Type)? = nil) {
        (self.maximumSize, self.owner) = (maximumSize, owner)
    }

    package var isMemory: Bool { true }

    package func begin(_ head: Response<Void>) { received.withLock { $0 = (head, Data()) } }

    /// - Throws: ``APIError`` when the body becomes too large. The bytes received so far are released.
    package func receive(_ bytes: Data) throws {
        try received.withLock { received in
            guard bytes.count <= maximumSize - received.body.count else {
                received.body = Data()
                let error = APIError(
                    .transport, "the response's body is larger than \(maximumSize) bytes",
                    fix: "write it to a file with download(_:to:), or raise the configuration's maximumResponseSize")
                throw received.head.map { error.adding(Response($0, data: Data())) } ?? error
            }
            // Most bodies arrive in one chunk: keep that chunk instead of copying its bytes.
            if received.body.isEmpty { received.body = bytes } else { received.body.append(bytes) }
        }
    }

    package func response() throws -> Response<Data> {
        let (head, body) = received.withLock { $0 }
        guard let head else { throw URLError(.badServerResponse) }
        return Response(head, data: body)
    }
}
