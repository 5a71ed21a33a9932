import Foundation

/// A sink that returns the whole response once the response is complete.
protocol ResponseSink: AnyObject, BodySink {
    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// The last response received.
    ///
    /// - Throws: an error when no response has started, or when the body could not be stored.
    func response() throws -> Response<Data>

    /// Deletes partial data after a failed call.
    func discard()
}
