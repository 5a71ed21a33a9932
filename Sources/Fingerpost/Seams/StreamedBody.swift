/// The body of a call that returns when the head of its response arrives: see ``APIClient/open(_:into:as:)``. Each
/// attempt has its own body, and the app reads the body of the last attempt.
package protocol StreamedBody: AnyObject, Sendable {
    /// Begins the body of an attempt.
    ///
    /// - Throws: `CancellationError` if the call is over.
    func begin() throws -> any AttemptBody

    /// Ends the body of the last attempt.
    func end()

    /// Ends the body, because the call has failed, and lets no other body begin.
    func discard()

    /// Returns a recorder that also observes the body of the last attempt.
    func heard(by recorder: any Middleware) -> any Middleware

    /// Runs a closure when the body of the last attempt has ended. Returns false if there is no body.
    func whenOver(_ body: @escaping @Sendable () -> Void) -> Bool
}

/// Receives a body that the app reads while it arrives.
package protocol BodyObserver: BodySink {
    /// Called when the body has ended. The reader of the body is notified after this method has returned. Several
    /// threads may call this method, and each thread more than once. Every call waits until the first call has done its
    /// work.
    ///
    /// - Parameter isWhole: false if the connection was lost, or if the app has stopped reading.
    /// - Throws: an error that ends the body.
    func end(isWhole: Bool) throws
}

package protocol AttemptBody: CallSink {
    /// Starts the transport, and waits for the head of a stream.
    ///
    /// - Parameter send: sends the request, and returns when the body ends.
    /// - Returns: the head; nil for a failed response, which has arrived completely.
    func open(_ send: @escaping @Sendable () async throws -> Void) async throws -> Response<Void>?
}
