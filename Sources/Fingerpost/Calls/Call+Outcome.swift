package import Foundation

/// The responses of a call: as they arrive, as middleware sees them, and as the call returns them.
extension Call {
    /// Stores a response, and returns the response with a reference to this call.
    ///
    /// - Parameter part: the status that the server sent, such as 206, if a download has joined the partial response to
    ///   earlier bytes; nil for any other response.
    @inline(never)
    func received(_ response: consuming Response<Data>, part: Int? = nil) -> Response<Data> {
        let attempts = record.receive(response, part: part)
        response.update { ($0.call, $0.attempts) = (record, attempts) }
        return response
    }

    /// Stores the response that a transfer has received.
    @inline(never)
    func received(by transfer: Transfer) throws -> Response<Data> {
        let response = try transfer.response()
        return received(response, part: transfer.head.flatMap { $0.status == response.status ? nil : $0.status })
    }

    /// Stores the outcome of an attempt, because another attempt may follow.
    func endAttempt(_ result: Outcome) { record.endAttempt(result, at: deadline.elapsed) }

    /// Returns the error of a call that has reached its deadline. Call this method before the call's operation is
    /// cancelled, so that the history names this error, and not the cancellation, for the attempt in progress.
    func reachDeadline() -> APIError {
        let error = timedOut
        record.reachDeadline(error)
        return error
    }

    /// Returns the response as middleware sees it: without the client's credentials, and with the time since the start
    /// of the call. The attempt ends here, because middleware may send the request again.
    func hidden(_ response: Response<Data>) -> Response<Data> {
        endAttempt(.success(response))
        let added = record.read(\.added)
        var response = response
        response.update { ($0.request, $0.duration) = ($0.request.without(added), deadline.systemElapsed) }
        return response
    }

    /// Completes the response that the call returns. Middleware may have replaced this response.
    func complete(_ response: inout Response<Data>) {
        if route.writtenBody != nil { removeForm() }
        if sender.isSeen {
            response.update { $0.call = record }
            // If middleware created the response, errors must not contain the secrets of that response either.
            if record.read({ $0.received.last?.data }) != response.data { record.receive(response) }
            // Restore the credentials that were hidden from middleware, because the sent request contained them.
            let (sent, added) = record.read { ($0.request, $0.added) }
            if !added.isEmpty, let sent, sent.without(added) == response.request {
                response.update { $0.request = sent }
            }
        }
        let duration = deadline.systemElapsed
        let attempts = record.end(response, at: deadline.elapsed, isOver: streamedBody == nil)
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

/// The errors of a call. Each error contains facts from the call's record, and no secrets.
extension Call {
    /// Turns any error into the ``APIError`` that the call throws. Every error of a call passes through this method.
    package func failure(_ error: any Error) -> APIError {
        if route.writtenBody != nil { removeForm() }
        let failure = explained(error)
        record.end(failure)
        finish()
        record.close()
        return failure
    }

    /// Turns any error into an ``APIError`` with the context of the call and without secrets, but does not end the
    /// call.
    package func explained(_ error: any Error) -> APIError {
        let secrets = record.secrets
        return described(APIError(transport: error), secrets).redacted(by: secrets)
    }

    /// Returns the identifier under which the operators of the server can find a request. A header of the response
    /// takes precedence over a header of the request.
    private func requestID(of response: HTTPHeaders?, _ request: URLRequest?) -> String? {
        let names = sender.configuration.requestIDHeaders + Self.usualRequestIDNames
        let received = names.lazy.compactMap { response?[$0] }
        let sent = names.lazy.compactMap { request?.value(forHTTPHeaderField: $0.rawValue) }
        return received.first { !$0.isEmpty } ?? sent.first { !$0.isEmpty }
    }

    /// The headers in which most servers send the identifier of a request, and the headers of Amazon, GitHub, Azure and
    /// Cloudflare.
    private static let usualRequestIDNames: [HTTPHeaders.Name] = [
        "x-request-id", "request-id", "x-amzn-requestid", "x-amz-request-id", "x-github-request-id", "x-ms-request-id",
        "cf-ray",
    ]

    /// Adds facts from the record to an error, unless the error already contains them.
    private func described(_ error: APIError, _ secrets: CallSecrets) -> APIError {
        let facts = record.facts
        var details = error.details
        details.route = details.route ?? route.name
        details.environment = details.environment ?? environment?.label
        details.redirector = facts.redirector.map(Redaction.request)
        for note in notes { details.message += "; \(note)" }
        details.requestID = requestID(of: details.headers, facts.last)
        if details.serverMessage == nil, details.bodyLine == nil, details.fragment == nil, let body = details.body,
            !(200..<300).contains(details.status ?? 200)
        {
            details.fragment = APIError.fragment(of: body, without: secrets)
        }
        guard let request = facts.request else { return APIError(details: details) }
        details.request = details.request ?? Redaction.request(request)
        details.attempts = details.attempts ?? facts.attempts
        if details.history.isEmpty {
            let error = details.status == nil ? error.message : nil
            let last = facts.attempt(request, status: details.status, error: error, at: deadline.elapsed)
            details.history = facts.earlier + (last.map { [$0] } ?? [])
        }
        details.makeCurl = details.makeCurl ?? { CurlCommand(request, secrets).text }
        return APIError(details: details)
    }

    /// Returns the error for a body that is not a value of the requested type. Secrets are removed before the body is
    /// truncated, because truncation could cut a secret in two.
    ///
    /// - Parameters:
    ///   - part: names what was decoded: the body, or an element of a stream.
    ///   - isFailure: true if the server has marked the element of the stream as an error.
    package func failure(
        _ error: any Error, of response: Response<Data>, as type: Any.Type, readBy reader: ResponseReader,
        part: String = "the body", isFailure: Bool = false
    ) -> APIError {
        let isDecoded = !reader.passesThrough(type, isWrapped: route.isWrapped)
        let decoder = isDecoded ? reader.decoder(for: response) as? JSONDecoder : nil
        let failure = APIError(
            decoding: error, of: response, as: type, by: decoder, part: part,
            secrets: record.secrets)
        return reader.adding(response, to: failure, isFailure: isFailure)
    }

    /// Adds a response to an error, because the caller cannot read the response. This method also adds the server's
    /// message.
    package func refusal(
        _ error: APIError, of response: Response<Data>, readBy reader: ResponseReader
    ) -> APIError {
        // Store the response first, so that the error hides the credentials in the body.
        record.receive(response)
        var details = reader.adding(response, to: error).details
        // An error about one line contains only this line, so replace the line with the start of the whole body.
        details.body = Data(response.data.prefix(APIError.maximumBodySize))
        if details.serverMessage == nil {
            details.fragment = APIError.fragment(of: response.data, without: record.secrets)
            if details.fragment == nil { details.bodyLine = ServerMessage.firstLine(of: response.data) }
        }
        return APIError(details: details)
    }
}

extension Call {
    /// Notifies the observers that the call has ended, and lets other calls send its body stream. Calling this method
    /// again does nothing.
    package func finish() {
        // Most calls have no observer.
        guard end(), let observers = allObservers else { return }
        let duration = deadline.elapsed
        let call = LoggedCall(record, duration: duration, responseSize: receivedSize)
        for observer in observers { observer.finished(call) }
    }

    /// The observers that receive the ended call; nil if there are none.
    private var allObservers: [any CallObserver]? {
        let log = observers == nil ? nil : environment?.contents.log
        let logger = log.flatMap { CallLogger.Level(rawValue: $0.rawValue) }
        let ofMocks = if case .mocks(let mocks) = responder { mocks.observer } else { nil as (any CallObserver)? }
        if logger == nil, ofMocks == nil, record.observers.isEmpty, observers?.isEmpty != false { return nil }
        let others: [(any CallObserver)?] = [logger.map { CallLogger($0) }, ofMocks]
        return (observers ?? []) + record.observers + others.compactMap(\.self)
    }
}
