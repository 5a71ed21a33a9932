package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Middleware that runs after authorization and around redirects. A recorder sees requests with their credentials, and
/// the response after all redirects. Only recorders need to see the credentials: they redact the credentials in the
/// files that they write.
package protocol Recorder: Middleware {
    /// Passes on a call that returns at the head of its response. Its body is read as it arrives, so the response has
    /// none yet.
    ///
    /// - Parameter observe: takes what hears of the body of the last response.
    func intercept(
        _ request: URLRequest, for route: Route, next: Next, observe: @escaping @Sendable (any CallSink) throws -> Void
    ) async throws -> Response<Data>
}

extension Recorder {
    package func intercept(
        _ request: URLRequest, for route: Route, next: Next, observe: @escaping @Sendable (any CallSink) throws -> Void
    ) async throws -> Response<Data> { try await intercept(request, for: route, next: next) }
}
