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

    /// The client's credentials, and those of every request that was built or sent.
    var sentCredentials: [String] {
        let (requests, credentials) = state.withLock { state in
            ((state.built.map { [$0] } ?? []) + state.sent.all, state.credentials)
        }
        return (requests.isEmpty ? route.credentials : requests.flatMap(Redaction.credentials(of:)))
            + credentials.flatMap { Redaction.credentials(inHeader: $0.value) } + clientCredentials
    }

    /// Removes the environment's secrets and the call's credentials from text: those that were sent, and those that
    /// servers issued in responses.
    var redactor: SecretRedactor {
        let responses = state.withLock { $0.received.all }
        return SecretRedactor(
            decision.environment,
            credentials: sentCredentials
                + responses.flatMap { Redaction.credentials(of: $0.headers, body: $0.data) })
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
