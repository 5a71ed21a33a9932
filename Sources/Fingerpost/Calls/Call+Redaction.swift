import Foundation

extension ClientConfiguration {
    /// The credentials in the base URL, in some of the headers, and in the authorization if it never changes.
    func credentials(in headers: [HTTPHeaders.Field]) -> [String] {
        headers.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: baseURL?.absoluteString ?? "")
            + (authorization?.constant ?? []).flatMap { Redaction.credentials(inHeader: $0.value) }
    }
}

extension Call {
    /// What is known of the call's secrets.
    struct Known {
        let redactor: SecretRedactor
        /// Why the call may have a secret that the redactor does not know; nil if all requests and responses were
        /// searched.
        let unsearched: () -> String?
    }

    var isForm: Bool { route.writtenBody != nil }

    /// The secrets of the call that are neither in a response nor in its request.
    func secrets(besides response: borrowing Response<Data>) -> CallSecrets {
        let (request, data) = (response.request, response.data)
        let (requests, received, added) = record.read {
            // Middleware may have changed the request, or answered itself.
            (isSeen ? $0.requests : $0.sent.earlier, $0.received.all, $0.credentials)
        }
        let rest = requests.map { $0.rest(besides: request) }
        var responses: [String] = []
        for other in received {
            responses +=
                other.data == data
                ? Redaction.credentials(of: other.headers) : Redaction.credentials(of: other.headers, body: other.data)
        }
        return CallSecrets(
            requests: rest.flatMap(Redaction.credentials(of:)) + credentials(and: added), responses: responses,
            unsearched: unsearched(rest), isForm: isForm
        ) { [environment] in environment?.layers.secretTexts ?? [] }
    }

    /// The client's credentials, and those of the route's form, which may be too large to be part of a request.
    ///
    /// - Parameter added: the headers that the client's authorization added.
    private func credentials(and added: [Authorization.Header]) -> [String] {
        var credentials = clientCredentials
        for header in added { credentials += Redaction.credentials(inHeader: header.value) }
        if isForm { credentials += route.bodyCredentials }
        return credentials
    }

    private func unsearched(_ requests: [URLRequest]) -> String? {
        // The form knows the fields of a body that is streamed from it.
        if isForm, route.hasUnreadPassword { return "the request's body has a file under the name of a secret" }
        return requests.lazy.filter { [isForm] in !isForm || $0.httpBodyStream == nil }.compactMap(Redaction.unsearched)
            .first
    }

    /// The environment's secrets and the call's credentials: those that were sent, and those that servers issued.
    var known: Known {
        let facts = record.facts
        let requests = facts.requests
        let bodies = facts.received.all.map { BodyCredentials(response: $0.data, type: $0.headers[.contentType]) }
        let sent = requests.isEmpty ? route.credentials : requests.flatMap(Redaction.credentials(of:))
        let issued = facts.received.all.flatMap { Redaction.credentials(of: $0.headers) } + bodies.flatMap(\.found)
        let credentials = sent + credentials(and: facts.credentials) + issued
        return Known(redactor: SecretRedactor(environment, credentials: credentials)) { [self] in
            unsearched(requests)
                ?? bodies.lazy.compactMap(\.unsearched).first.map { "the response's body \($0)" }
        }
    }

    /// Removes secrets from the texts of attempts.
    func withoutSecrets(_ attempts: [Attempt]) -> [Attempt] {
        if attempts.isEmpty { return [] }
        let redactor = known.redactor
        return attempts.map { $0.mapTexts(redactor.redact) }
    }

    /// The error for a body that does not decode, without the call's secrets.
    ///
    /// - Parameter part: what does not decode, if it is not the whole body.
    func failure(
        _ error: any Error, of response: Response<Data>, as type: Any.Type, readBy reader: ResponseReader,
        part: String = "the body"
    ) -> any Error {
        let known = known
        return reader.failure(
            error, of: response, as: type, isWrapped: route.isWrapped, part: part,
            hidesText: known.unsearched() != nil, redact: known.redactor.withoutCredentials)
    }

    /// Turns any error into the ``APIError`` that the call throws: adds the context and redacts secrets. Every error
    /// of a call passes through this method.
    func failure(_ error: any Error) -> APIError {
        removeForm()
        let failure = explained(error)
        record.end(failure)
        finish()
        record.close()
        return failure
    }

    /// Turns any error into an ``APIError`` with the context of the call and without secrets, but does not end the
    /// call.
    func explained(_ error: any Error) -> APIError {
        let known = known
        var failure = described(APIError(transport: error))
        if failure.body?.isEmpty == false, let reason = known.unsearched() {
            failure.withholdServerTexts(because: reason)
        }
        return failure.redacted(by: known.redactor)
    }

    /// Adds what the record knows to an error, unless the error has it already.
    private func described(_ error: APIError) -> APIError {
        let facts = record.facts
        var details = error.details
        details.route = details.route ?? route.name
        details.environment = details.environment ?? environment?.label
        details.redirector = facts.redirector.map(Redaction.request)
        for note in notes { details.message += "; \(note)" }
        guard let request = facts.request else { return APIError(details) }
        details.request = details.request ?? Redaction.request(request)
        details.attempts = details.attempts ?? facts.attempts
        if details.history.isEmpty {
            let (earlier, last) = facts.history(at: deadline.elapsed)
            let error = details.status == nil ? error.message : nil
            details.history =
                earlier + (last.map { [Attempt(request, status: details.status, error: error, $0)] } ?? [])
        }
        let credentials = clientCredentials + facts.credentials.flatMap { Redaction.credentials(inHeader: $0.value) }
        details.makeCurl =
            details.makeCurl ?? { [environment] in
                CurlCommand(request, SecretRedactor(environment, credentials: credentials)).text
            }
        return APIError(details)
    }
}

extension URLRequest {
    /// The parts of this request that another request does not have. Most requests of a call differ in few headers.
    fileprivate func rest(besides other: URLRequest) -> URLRequest {
        var rest = self
        if url == other.url { rest.url = nil }
        if httpBody == other.httpBody { rest.httpBody = nil }
        return rest
    }
}
