package import Foundation

/// A sink of the client's own. Beside the body, it hears what its transport knows, and it can set the pace of the
/// transport or change the request. By default it does nothing of this: it only receives.
package protocol CallSink: AnyObject, BodySink {
    // MARK: What the transport knows

    /// True if the call reports its progress. A mock then passes its bodies in pieces.
    var isMeasured: Bool { get }

    /// A part of the request's body has been sent.
    ///
    /// - Parameter total: the bytes of the body that have been sent.
    func sent(_ total: Int64)

    /// The response, whose head has come, has a body of this size in bytes.
    func expect(_ size: Int64)

    /// The session waits for a connection to the internet.
    func waitForConnection()

    /// The body has ended. Its reader hears of it when this method has returned. It can be called more than once and
    /// from several threads; each call returns when the first one has done its work.
    ///
    /// - Parameter isWhole: false if the connection was lost, or if the body is no longer read.
    /// - Throws: an error that ends the body.
    func end(isWhole: Bool) throws

    /// The body has ended with an error of this sink, although the transport may go on.
    func fail(_ error: any Error)

    // MARK: The pace of the transport

    /// True if the app reads the body as it arrives.
    var isPaced: Bool { get }

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

    // MARK: The request and the response

    /// True if the body is written to a file, which no answer that the client has kept can replace.
    var isFile: Bool { get }

    /// True if the app has received bytes of the body, so that nothing must be sent again.
    var isCommitted: Bool { get }

    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// Changes a request that is about to be sent: the first one, a redirect, or a retry.
    ///
    /// - Parameter credentials: the headers of the client's authorization, whoever set them.
    func adapt(_ request: inout URLRequest, credentials: [Authorization.Header]) throws

    /// How many bytes of the body an earlier response brought, if the one that has begun brings the rest.
    var kept: Int64 { get }

    /// True if a response does not fit what ``adapt(_:credentials:)`` added, and the request must be sent again without
    /// it.
    func startsOver(after result: Result<Response<Data>, any Error>) -> Bool

    /// The last response received.
    ///
    /// - Throws: an error when no response has started, or when the body could not be stored.
    func response() throws -> Response<Data>

    /// Deletes partial data after a failed call, unless a later call can go on with it.
    func discard()
}

extension CallSink {
    package var isMeasured: Bool { false }
    package func sent(_ total: Int64) {}
    package func expect(_ size: Int64) {}
    package func waitForConnection() {}
    package func end(isWhole: Bool) {}
    package func fail(_ error: any Error) {}

    package var isPaced: Bool { false }
    package var isFull: Bool { false }
    package func hold(_ resume: @escaping @Sendable () -> Void) -> Bool { false }
    package var held: ContinuousClock.Instant? { nil }
    package func wanted() {}

    package var isFile: Bool { false }
    package var isCommitted: Bool { false }
    package func prepare() {}
    package func adapt(_ request: inout URLRequest, credentials: [Authorization.Header]) {}
    package var kept: Int64 { 0 }
    package func startsOver(after result: Result<Response<Data>, any Error>) -> Bool { false }
    package func response() throws -> Response<Data> { throw URLError(.badServerResponse) }
    package func discard() {}
}

extension BodySink {
    /// This sink, if it is one of the client; nil for a sink of the app.
    package var ofCall: (any CallSink)? { self as? any CallSink }
}
