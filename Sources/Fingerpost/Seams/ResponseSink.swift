import Foundation

/// A sink that gives the whole response when it is complete.
protocol ResponseSink: BodySink {
    /// Makes room for a body. Called once, before anything is sent.
    func prepare() throws

    /// What was received last.
    ///
    /// - Throws: where no response began, or its body could not be kept.
    func response() throws -> Response<Data>

    /// The call has failed: leaves nothing behind.
    func discard()
}
