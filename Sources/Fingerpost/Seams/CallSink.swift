import FingerpostFiles
package import Foundation

/// Receives the body of a call. A sink writes the body to a file, or passes it to a reader or to a sink of the app. A
/// sink receives the head of every response and the bodies of successful responses.
package protocol CallSink: AnyObject, BodySink {
    /// True if the sink also receives the bodies of failed responses. Otherwise, these bodies stay in memory for the
    /// error.
    var takesFailures: Bool { get }

    /// Returns the response whose body the sink has received.
    ///
    /// - Throws: an error if the body could not be stored.
    func response(_ head: Response<Void>) throws -> Response<Data>

    /// Completes the body, because the call succeeds.
    ///
    /// - Parameter response: the response with the received body. Middleware may have replaced the body.
    /// - Throws: an error that fails the call.
    func finish(_ response: Response<Data>) throws

    /// Called when this sink throws its first error, or when a body is too large for memory. The transport may continue
    /// to deliver bytes after this error.
    func fail(_ error: any Error)

    /// Deletes partial data, because the call has failed. Data that a later call can continue is kept.
    func discard()

    /// True if the app has received bytes of the body, after which no request is sent again.
    var hasDelivered: Bool { get }

    /// Pauses the transport while the app reads slowly; nil if the app does not read the body while it arrives.
    var pace: (any BodyPace)? { get }
}

/// A sink that can keep the received part of a body, and request the rest.
package protocol ResumingSink: CallSink {
    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// Changes a request that is about to be sent: the first one, a redirect, or a retry.
    ///
    /// - Parameter credentials: the headers of the client's authorization, including headers that the route sets.
    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws

    /// Returns true, at most once per call, if a response is not the range of the body that ``adapt(_:credentials:)``
    /// has requested. In this case, the request must be sent again to get the full body.
    func startsOver(after result: Outcome) -> Bool
}

/// An event in the transfers of a call.
package enum TransferEvent: Sendable {
    /// A request is about to be sent. The value is the size of its body in bytes, or nil if the size is unknown.
    case starts(Int64?)
    /// A part of the request's body has been sent. The value is the number of bytes sent so far.
    case sent(Int64)
    /// The session waits for a connection to the internet.
    case waitsForConnection
    /// The head of a response has arrived.
    case began(Response<Void>)
    /// The size of the response's body has become known. The value is the size in bytes.
    case expects(Int64)
    /// A chunk of the response's body has arrived. The value is the size of the chunk in bytes.
    case received(Int64)
    /// The whole response has arrived, and the transport has returned.
    case ended
    /// The call succeeds. The value is the size of the response's body in bytes.
    case succeeded(Int64)
}

/// Receives the events of a call's transfers.
package typealias ProgressHandler = @Sendable (TransferEvent) -> Void

/// Lets a transport wait for the reader of a body.
package protocol BodyPace: AnyObject, Sendable {
    /// True if a transport should pause, because many bytes wait for the reader. False if a transport is already
    /// paused.
    var isFull: Bool { get }

    /// Stores the closure that resumes a paused transport. Returns false if the transport must not pause.
    func hold(_ resume: @escaping @Sendable () -> Void) -> Bool

    /// The last time at which a transport waited for the reader; nil if no transport has waited.
    var held: ContinuousClock.Instant? { get }

    /// Waits until the app has read all bytes and waits for more.
    ///
    /// - Throws: `CancellationError` if the app stops reading.
    func wanted() async throws
}

extension CallSink {
    package var takesFailures: Bool { false }
    package func response(_ head: Response<Void>) -> Response<Data> { Response(head, data: Data()) }
    package func finish(_ response: Response<Data>) {}
    package func fail(_ error: any Error) {}
    package func discard() {}
    package var hasDelivered: Bool { false }
    package var pace: (any BodyPace)? { nil }
}
