import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request that `URLSession` is working on: the sink for its response, and the caller that waits for the response.
final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var isOver = false
        /// The status in the latest response head.
        var status: Int?
    }

    private let request: URLRequest
    private let sink: any BodySink
    private let state = Locked(State())

    init(_ request: URLRequest, into sink: any BodySink) {
        self.request = request
        self.sink = sink
    }

    /// Stores the caller that waits for the response. Returns false when the exchange was already cancelled.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.continuation = continuation
            return true
        }
    }

    /// Passes a response head to the sink. Heads of interim responses (100...199) may come before the final head.
    ///
    /// - Throws: the sink's error.
    func receive(_ response: URLResponse?) throws {
        guard let response = response as? HTTPURLResponse else { return }
        state.withLock { $0.status = response.statusCode }
        try sink.begin(Response(status: response.statusCode, headers: HTTPHeaders(response), request: request))
    }

    /// Passes the response of an authentication challenge to the sink, unless the session has already reported the head
    /// of this response: if the sink received the head twice, it would discard the body received so far.
    func receive(challenged response: URLResponse?) throws {
        if status.map({ $0 < 200 }) ?? true { try receive(response) }
    }

    /// Passes bytes of the body to the sink.
    ///
    /// - Throws: the sink's error.
    func receive(_ data: Data) throws { try sink.receive(data) }

    /// Tells the sink that a part of the request's body has been sent.
    func sent() { (sink as? any UploadObserver)?.sent() }

    /// Ends the exchange when its task ends.
    ///
    /// - Parameter last: the task's final response. For a redirect without a `Location`, the final response is the only
    ///   response that Foundation on Linux reports.
    func complete(_ error: (any Error)?, _ last: URLResponse?) {
        end(
            Result {
                if let error, !isRefusedChallenge(error, last) { throw error }
                if status == nil { try receive(last) }
                if status == nil { throw URLError(.badServerResponse) }
            })
    }

    private var status: Int? { state.withLock { $0.status } }

    /// Resumes the caller that waits for the response. Calling this method again has no effect.
    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }

    /// True for the "cancelled" error that ends a 401 or 407 response whose challenge was declined. Despite this error,
    /// the 401 or 407 response is complete.
    private func isRefusedChallenge(_ error: any Error, _ last: URLResponse?) -> Bool {
        guard let status = status ?? (last as? HTTPURLResponse)?.statusCode, status == 401 || status == 407 else {
            return false
        }
        let code = (error as? URLError)?.code
        return code == .cancelled || code == .userCancelledAuthentication
    }
}

extension HTTPHeaders {
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(
            response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String else { return nil }
                return Field(Name(rawValue: name), "\(value)")
            })
    }
}
