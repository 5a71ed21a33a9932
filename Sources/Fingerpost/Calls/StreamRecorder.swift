import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Lets a recorder hear of the body of a call that returns at the head of its response.
struct StreamRecorder: Middleware {
    let recorder: any Middleware
    let stream: CallStream

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        guard let recorder = recorder as? any Recorder else {
            return try await recorder.intercept(request, for: route, next: next)
        }
        return try await recorder.intercept(request, for: route, next: next) { [stream] in try stream.observe($0) }
    }
}
