import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Call {
    /// Removes the environment's secrets and the request's credentials from text.
    var redactor: SecretRedactor {
        let (request, credential) = state.withLock { ($0.request, $0.credential) }
        return SecretRedactor(
            answer.environment,
            credentials: (request.map(Redaction.credentials(of:)) ?? [])
                + (credential.map { Redaction.credentials(inHeader: $0.value) } ?? []))
    }

    /// Turns any error into the ``APIError`` that the call throws: adds the context and redacts secrets. Every error
    /// that a client throws passes through this method.
    func failure(_ error: any Error) -> APIError {
        var failure = APIError(transport: error)
        failure.route = failure.route ?? route.name
        failure.environment = failure.environment ?? answer.environment?.label
        let (request, attempts) = state.withLock { ($0.request, $0.attempts) }
        failure.request = failure.request ?? request.map(Redaction.request)
        failure.attempts = failure.attempts ?? request.map { _ in attempts }
        failure = failure.mapTexts(redactor.redact)
        answer.entry?.end(failure)
        return failure
    }
}
