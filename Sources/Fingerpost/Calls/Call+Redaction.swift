import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ClientConfiguration {
    /// The credentials in the headers, the base URL, and the authorization if it never changes.
    var credentials: [String] {
        headers.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: baseURL?.absoluteString ?? "")
            + (authorization?.constant ?? []).flatMap { Redaction.credentials(inHeader: $0.value) }
    }
}

extension Call: KnowsSecrets {
    var id: ObjectIdentifier { ObjectIdentifier(self) }

    private var requests: [URLRequest] { state.withLock { ($0.built.map { [$0] } ?? []) + $0.sent.all } }

    /// The client's credentials, and those of every request that was built or sent.
    var sentCredentials: [String] {
        let (requests, credentials) = (requests, state.withLock { $0.credentials })
        return (requests.isEmpty ? route.credentials : requests.flatMap(Redaction.credentials(of:)) + formCredentials)
            + credentials.flatMap { Redaction.credentials(inHeader: $0.value) } + clientCredentials
    }

    /// The passwords in the route's form, which may be too large to be part of a request.
    private var formCredentials: [String] {
        if case .multipart? = route.body { route.bodyCredentials } else { [] }
    }

    var unsearchedRequest: String? {
        // The form knows the fields of a body that is streamed from it.
        let isForm = if case .multipart? = route.body { true } else { false }
        if isForm, route.hasUnreadPassword { return "the request's body has a file under the name of a secret" }
        return requests.lazy.filter { !isForm || $0.httpBodyStream == nil }.compactMap(Redaction.unsearched).first
    }

    var redactor: SecretRedactor { knownSecrets.redactor }

    /// Removes the environment's secrets and the call's credentials from text: those that were sent, and those that
    /// servers issued in responses. Also returns why the call may have a secret that the redactor does not know; nil if
    /// all requests and responses were searched.
    var knownSecrets: (redactor: SecretRedactor, unsearched: () -> String?) {
        let responses = state.withLock { $0.received.all }
        let bodies = responses.map { BodyCredentials(response: $0.data, type: $0.headers[.contentType]) }
        let credentials =
            sentCredentials + responses.flatMap { Redaction.credentials(of: $0.headers) } + bodies.flatMap(\.found)
        return (
            SecretRedactor(decision.environment, credentials: credentials),
            { [self] in
                unsearchedRequest ?? bodies.lazy.compactMap(\.unsearched).first.map { "the response's body \($0)" }
            }
        )
    }

    /// Turns any error into the ``APIError`` that the call throws: adds the context and redacts secrets. Every error
    /// of a call passes through this method.
    func failure(_ error: any Error) -> APIError {
        var failure = APIError(transport: error)
        failure.route = failure.route ?? route.name
        failure.environment = failure.environment ?? decision.environment?.label
        let now = elapsed
        let (request, attempts, redirector, note, added, history) = state.withLock { state in
            state.form = nil
            return (
                state.request, state.attempts, state.redirector, state.note, state.credentials, state.history(at: now)
            )
        }
        failure.redirector = redirector.map(Redaction.request)
        failure.request = failure.request ?? request.map(Redaction.request)
        failure.attempts = failure.attempts ?? request.map { _ in attempts }
        if failure.history.isEmpty, let request {
            let error = failure.status == nil ? failure.message : nil
            let last = history.last.map { [Attempt(request, status: failure.status, error: error, $0)] }
            failure.history = history.earlier + (last ?? [])
        }
        if let note { failure.message += "; \(note)" }
        let (redactor, unsearched) = knownSecrets
        if failure.body?.isEmpty == false, let reason = unsearched() { failure.withholdServerTexts(because: reason) }
        failure = failure.redacted(by: redactor)
        if failure.makeCurl == nil, let request {
            let credentials = clientCredentials + added.flatMap { Redaction.credentials(inHeader: $0.value) }
            failure.makeCurl = { [environment = decision.environment] in
                CurlCommand(request, SecretRedactor(environment, credentials: credentials)).text
            }
        }
        decision.entry?.end(failure)
        return failure
    }
}
