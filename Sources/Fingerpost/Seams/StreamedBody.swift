/// The body of a call that returns at the head of its response: see ``APIClient/open(_:into:as:)``. A product keeps it
/// for the app. Each attempt has a body of its own; the app reads the last one.
package protocol StreamedBody: AnyObject, Sendable {
    /// Begins the body of an attempt.
    ///
    /// - Throws: `CancellationError` if the call is over.
    func begin() throws -> any AttemptBody

    /// Ends the body of the last attempt.
    func end()

    /// Ends the body, because the call has failed. No other one may begin.
    func discard()

    /// Middleware that lets a recorder hear of the body of the last attempt.
    func heard(by recorder: any Middleware) -> any Middleware

    /// Runs a closure when the body of the last attempt has ended. Returns false if there is none.
    func whenOver(_ body: @escaping @Sendable () -> Void) -> Bool
}

/// Hears of a body that the app reads as it arrives.
package protocol BodyObserver: BodySink {
    /// The body has ended. Its reader is notified when this method has returned. It can be called more than once and
    /// from several threads; each call returns when the first one has done its work.
    ///
    /// - Parameter isWhole: false if the connection was lost, or if the body is no longer read.
    /// - Throws: an error that ends the body.
    func end(isWhole: Bool) throws
}

/// The body of one attempt.
package protocol AttemptBody: CallSink {
    /// Starts the transport, and waits for the head of a stream.
    ///
    /// - Parameter send: sends the request, until the body ends.
    /// - Returns: the head; nil when a whole response has come that is not successful.
    func open(_ send: @escaping @Sendable () async throws -> Void) async throws -> Response<Void>?
}
