import Foundation

/// The responses of a call: as they come, as middleware sees them, and as the call returns them.
extension Call {
    /// Stores a response, and adds this call to it.
    ///
    /// - Parameter part: the status of the part that was joined to this response; nil for a response as it came.
    @inline(never)
    func received(_ response: consuming Response<Data>, part: Int? = nil) -> Response<Data> {
        let attempts = record.receive(response, part: part)
        response.update { ($0.call, $0.attempts) = (record, attempts) }
        return response
    }

    /// Stores the outcome of the last attempt, because another one may follow.
    func endAttempt(_ result: Outcome) { record.endAttempt(result, at: deadline.elapsed) }

    /// The response as middleware sees it: without the client's credentials, and with the duration so far. Middleware
    /// may send the request again, so the attempt ends here.
    func hidden(_ response: Response<Data>) -> Response<Data> {
        endAttempt(.success(response))
        let added = record.read(\.added)
        var response = response
        response.update { ($0.request, $0.duration) = ($0.request.without(added), deadline.systemElapsed) }
        return response
    }

    /// Completes the response that the call returns, which middleware may have replaced.
    func complete(_ response: inout Response<Data>) {
        removeForm()
        if isSeen {
            response.update { $0.call = record }
            // The error of a response that middleware made has to know its secrets too.
            if record.read({ $0.received.last?.data }) != response.data { record.receive(response) }
            // The credentials were hidden from middleware, but they were part of the request that was sent.
            let (sent, added) = record.read { ($0.request, $0.added) }
            if !added.isEmpty, let sent, sent.without(added) == response.request {
                response.update { $0.request = sent }
            }
        }
        let duration = deadline.systemElapsed
        let attempts = record.end(response, at: deadline.elapsed, isOver: !isStreamed)
        response.update { ($0.duration, $0.attempts) = (duration, attempts) }
    }
}

extension URLRequest {
    fileprivate func without(_ headers: [Authorization.Header]) -> URLRequest {
        var request = self
        request.removeHeaders { field in headers.contains { $0.name == field.name && $0.value == field.value } }
        return request
    }
}
