import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request under way: what has come back so far, and who waits for it.
final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Response<Data>, any Error>?
        var isOver = false
        var response: HTTPURLResponse?
        var body = Data()
    }

    private let request: URLRequest
    private let file: PartialFile?
    private let state = Locked(State())

    /// - Parameter file: what the body of a success goes into; nil for memory.
    init(_ request: URLRequest, into file: PartialFile?) {
        self.request = request
        self.file = file
    }

    /// False when the exchange was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<Response<Data>, any Error>) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.continuation = continuation
            return true
        }
    }

    /// A head: of an interim response (100…199) first, possibly, and then of the final one.
    func receive(_ response: URLResponse) {
        state.withLock { $0.response = response as? HTTPURLResponse }
    }

    /// - Throws: ``APIError`` when the file cannot be written.
    func receive(_ data: Data) throws(APIError) {
        if let file = state.withLock({ destination(of: $0.response) }) {
            try file.append(data)
        } else {
            state.withLock { $0.body.append(data) }
        }
    }

    private func destination(of response: HTTPURLResponse?) -> PartialFile? {
        response.map { 200..<300 ~= $0.statusCode } ?? false ? file : nil
    }

    /// - Parameter last: the response that the task ended with. Foundation on Linux tells nobody else of a redirect
    ///   without a `Location`.
    func complete(_ error: (any Error)?, _ last: URLResponse?) {
        let (response, body) = state.withLock { ($0.response ?? last as? HTTPURLResponse, $0.body) }
        if let error, !isRefusedChallenge(error, response) {
            end(.failure(error))
        } else if let response {
            end(
                Result {
                    let data = try destination(of: response)?.end() ?? body
                    return Response(
                        status: response.statusCode, headers: HTTPHeaders(response), data: data, request: request)
                })
        } else {
            end(.failure(URLError(.badServerResponse)))
        }
    }

    /// Resumes the caller, once.
    func end(_ result: Result<Response<Data>, any Error>) {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }

    /// A 401 or 407 whose challenge was declined ends as "cancelled" although the answer is complete.
    private func isRefusedChallenge(_ error: any Error, _ response: HTTPURLResponse?) -> Bool {
        guard let status = response?.statusCode, status == 401 || status == 407 else { return false }
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
