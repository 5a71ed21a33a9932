import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Call {
    /// Removes the environment's secrets and the request's credentials from text.
    var redactor: SecretRedactor { redactor(and: []) }

    private func redactor(and others: [String]) -> SecretRedactor {
        let (request, headers) = state.withLock { ($0.request, $0.credentials) }
        return SecretRedactor(
            answer.environment,
            credentials: (request.map(Redaction.credentials(of:)) ?? [])
                + headers.flatMap { Redaction.credentials(inHeader: $0.value) } + others)
    }

    /// Turns any error into the ``APIError`` that the call throws: adds the context and redacts secrets. Every error
    /// that a client throws passes through this method.
    func failure(_ error: any Error) -> APIError {
        var failure = APIError(transport: error)
        failure.route = failure.route ?? route.name
        failure.environment = failure.environment ?? answer.environment?.label
        let now = elapsed
        let (request, attempts, note, history) = state.withLock { state in
            state.form = nil
            return (state.request, state.attempts, state.note, state.history(at: now))
        }
        failure.request = failure.request ?? request.map(Redaction.request)
        failure.attempts = failure.attempts ?? request.map { _ in attempts }
        if failure.history.isEmpty, let request {
            let error = failure.status == nil ? failure.message : nil
            let last = history.last.map { [Attempt(request, status: failure.status, error: error, $0)] }
            failure.history = history.earlier + (last ?? [])
        }
        // A server may repeat a cookie that it sets.
        let redactor = redactor(and: failure.headers.map(Redaction.credentials(ofCookies:)) ?? [])
        if let note { failure.message += "; \(note)" }
        failure = failure.mapTexts(redactor.redact)
        if failure.makeCurl == nil, let request {
            failure.makeCurl = { [environment = answer.environment] in
                CurlCommand(request, SecretRedactor(environment)).text
            }
        }
        answer.entry?.end(failure)
        return failure
    }
}
