import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request under way at `URLSession`: where its response goes, and the caller that waits for its end.
final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var isOver = false
        /// The status of the response that began last.
        var status: Int?
    }

    private let request: URLRequest
    private let sink: any BodySink
    private let state = Locked(State())

    init(_ request: URLRequest, into sink: any BodySink) {
        self.request = request
        self.sink = sink
    }

    /// False when the exchange was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.continuation = continuation
            return true
        }
    }

    /// A head: of an interim response (100…199) first, possibly, and then of the final one.
    ///
    /// - Throws: what the sink throws.
    func receive(_ response: URLResponse?) throws {
        guard let response = response as? HTTPURLResponse else { return }
        state.withLock { $0.status = response.statusCode }
        try sink.begin(Response(status: response.statusCode, headers: HTTPHeaders(response), request: request))
    }

    /// The response that a challenge came with. It may be reported before too, and its body may be there already.
    func receive(challenged response: URLResponse?) throws {
        if status.map({ $0 < 200 }) ?? true { try receive(response) }
    }

    /// - Throws: what the sink throws.
    func receive(_ data: Data) throws { try sink.receive(data) }

    /// - Parameter last: the response that the task ended with. Foundation on Linux reports a redirect without a
    ///   `Location` nowhere else.
    func complete(_ error: (any Error)?, _ last: URLResponse?) {
        end(
            Result {
                if let error, !isRefusedChallenge(error, last) { throw error }
                if status == nil { try receive(last) }
                if status == nil { throw URLError(.badServerResponse) }
            })
    }

    private var status: Int? { state.withLock { $0.status } }

    /// Resumes the caller, once.
    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }

    /// A 401 or 407 whose challenge was declined ends as "cancelled" although the answer is complete.
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
