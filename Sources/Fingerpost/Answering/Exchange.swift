import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request in progress at `URLSession`: the sink of its response, and the caller that waits for it.
final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var isOver = false
        /// The status of the newest response head.
        var status: Int?
    }

    private let request: URLRequest
    private let sink: any BodySink
    private let state = Locked(State())

    init(_ request: URLRequest, into sink: any BodySink) {
        self.request = request
        self.sink = sink
    }

    /// Stores the caller. False when the exchange was cancelled before.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.continuation = continuation
            return true
        }
    }

    /// Passes a response head to the sink. Heads of interim responses (100...199) may come before the final one.
    ///
    /// - Throws: the sink's error.
    func receive(_ response: URLResponse?) throws {
        guard let response = response as? HTTPURLResponse else { return }
        state.withLock { $0.status = response.statusCode }
        try sink.begin(Response(status: response.statusCode, headers: HTTPHeaders(response), request: request))
    }

    /// Passes the response of an authentication challenge to the sink, unless the session has reported its head before:
    /// a second head would discard the body received so far.
    func receive(challenged response: URLResponse?) throws {
        if status.map({ $0 < 200 }) ?? true { try receive(response) }
    }

    /// Passes bytes of the body to the sink.
    ///
    /// - Throws: the sink's error.
    func receive(_ data: Data) throws { try sink.receive(data) }

    /// Ends the exchange when its task ends.
    ///
    /// - Parameter last: the final response of the task. For a redirect without a `Location`, Foundation on Linux
    ///   reports no other.
    func complete(_ error: (any Error)?, _ last: URLResponse?) {
        end(
            Result {
                if let error, !isRefusedChallenge(error, last) { throw error }
                if status == nil { try receive(last) }
                if status == nil { throw URLError(.badServerResponse) }
            })
    }

    private var status: Int? { state.withLock { $0.status } }

    /// Resumes the caller. Later calls have no effect.
    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }

    /// True for the "cancelled" error of a 401 or 407 whose challenge was declined. The response is complete.
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
