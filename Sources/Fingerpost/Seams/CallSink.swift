import FingerpostFiles
package import Foundation

/// Where the body of a call goes: into a file, to a reader, or into a sink of the app. A sink hears of each head, and
/// receives the bodies of successful responses.
package protocol CallSink: AnyObject, BodySink {
    /// True if the bodies of other responses go into the sink too. Otherwise, they stay in memory, for the error.
    var takesFailures: Bool { get }

    /// The response whose body has gone into the sink.
    ///
    /// - Throws: an error when the body could not be stored.
    func response(_ head: Response<Void>) throws -> Response<Data>

    /// Does the last step: the call succeeds.
    ///
    /// - Parameter response: with the received body, unless middleware replaced it.
    /// - Throws: an error that fails the call.
    func finish(_ response: Response<Data>) throws

    /// Called for the first error of this sink, or if a body is too large for memory. The transport may still go on.
    func fail(_ error: any Error)

    /// The call has failed: partial data is deleted, unless a later call can resume it.
    func discard()

    /// True if the app has received bytes of the body, so that nothing must be sent again.
    var hasDelivered: Bool { get }

    /// The pace of the transport, if the app reads the body as it arrives.
    var pace: (any BodyPace)? { get }
}

/// A sink that keeps the part of a body that has arrived, and asks for the rest.
package protocol ResumingSink: CallSink {
    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// Changes a request that is about to be sent: the first one, a redirect, or a retry.
    ///
    /// - Parameter credentials: the headers of the client's authorization, also those that the route sets.
    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws

    /// Returns true, at most once in a call, if a response does not fit the part that ``adapt(_:credentials:)`` has
    /// asked for. The request must then be sent again to get the whole body.
    func startsOver(after result: Outcome) -> Bool
}

/// What happens in the transfers of a call.
package enum TransferEvent: Sendable {
    /// A request with a body of this size in bytes is about to be sent; nil if the size is not known.
    case starts(Int64?)
    /// So many bytes of the request's body have been sent.
    case sent(Int64)
    /// The session waits for a connection to the internet.
    case waitsForConnection
    /// The head of a response has arrived.
    case began(Response<Void>)
    /// The response whose head has arrived has a body of this size in bytes.
    case expects(Int64)
    /// So many more bytes of the response's body have arrived.
    case received(Int64)
    /// The whole response has arrived, and the transport has returned.
    case ended
    /// The call succeeds with a body of this size in bytes.
    case succeeded(Int64)
}

/// Hears of what happens in the transfers of a call.
package typealias ProgressHandler = @Sendable (TransferEvent) -> Void

/// Lets a transport wait for the reader of a body.
package protocol BodyPace: AnyObject, Sendable {
    /// True if so many bytes wait for the reader that a transport should pause, and no transport is paused yet.
    var isFull: Bool { get }

    /// Stores the closure that resumes a paused transport. Returns false if the transport must not pause.
    func hold(_ resume: @escaping @Sendable () -> Void) -> Bool

    /// When a transport last waited for the reader; nil if no transport has waited.
    var held: ContinuousClock.Instant? { get }

    /// Waits until the app has read everything and waits for more.
    ///
    /// - Throws: `CancellationError` if the app reads no more.
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
