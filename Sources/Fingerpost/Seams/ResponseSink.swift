import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A sink that returns the whole response once the response is complete.
protocol ResponseSink: AnyObject, BodySink {
    /// Prepares to receive a body. The client calls this method once, before anything is sent.
    func prepare() throws

    /// Changes a request that is about to be sent: the first one, a redirect, or a retry.
    ///
    /// - Parameter credentials: the headers of the client's authorization, whoever set them.
    func adapt(_ request: inout URLRequest, credentials: [Authorization.Header]) throws

    /// How many bytes of the body an earlier response brought, if the one that has begun brings the rest.
    var kept: Int { get }

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

extension ResponseSink {
    func adapt(_ request: inout URLRequest, credentials: [Authorization.Header]) {}

    var kept: Int { 0 }

    func startsOver(after result: Result<Response<Data>, any Error>) -> Bool { false }
}
