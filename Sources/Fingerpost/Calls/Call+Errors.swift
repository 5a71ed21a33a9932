package import Foundation

/// The errors of a call: with what its record knows, and without its secrets.
extension Call {
    /// Turns any error into the ``APIError`` that the call throws. Every error of a call passes through this method.
    package func failure(_ error: any Error) -> APIError {
        removeForm()
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

    /// Adds what the record knows to an error, unless the error has it already.
    private func described(_ error: APIError, _ secrets: CallSecrets) -> APIError {
        let facts = record.facts
        var details = error.details
        details.route = details.route ?? route.name
        details.environment = details.environment ?? environment?.label
        details.redirector = facts.redirector.map(Redaction.request)
        for note in notes { details.message += "; \(note)" }
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

    /// The error for a body that is not a value of the requested type. Secrets are removed before the body is truncated
    /// to the fragment that the error shows, because truncation could cut a secret in two.
    ///
    /// - Parameter part: what was decoded: the body, or an element of a stream.
    package func failure(
        _ error: any Error, of response: Response<Data>, as type: Any.Type, readBy reader: ResponseReader,
        part: String = "the body"
    ) -> APIError {
        let isDecoded = !reader.passesThrough(type, isWrapped: route.isWrapped)
        let decoder = isDecoded ? reader.decoder(for: response) as? JSONDecoder : nil
        return APIError(
            decoding: error, of: response, as: type, by: decoder, part: part, hide: record.secrets.withoutNamed
        ).adding(response)
    }
}
