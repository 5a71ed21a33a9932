import Foundation

/// A sink that returns the whole response when it is complete.
protocol ResponseSink: BodySink {
    /// Prepares for a body. Called once, before anything is sent.
    func prepare() throws

    /// The response that was received last.
    ///
    /// - Throws: when no response has started, or its body could not be stored.
    func response() throws -> Response<Data>

    /// Deletes partial data after a failed call.
    func discard()
}
