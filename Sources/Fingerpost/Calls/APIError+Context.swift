import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// An error gathers what is known on its way up; what an inner step said is never replaced.
extension APIError {
    func adding(route: Route, environment: Environment? = nil) -> APIError {
        var error = named(route.name)
        error.environment = error.environment ?? environment?.label
        guard let environment else { return error }
        // Every text of the error is here by now; the secrets of the environment may be in any.
        let redactor = SecretRedactor(environment)
        error.message = redactor.redact(error.message)
        error.fix = error.fix.map(redactor.redact)
        error.route = error.route.map(redactor.redact)
        error.environment = error.environment.map(redactor.redact)
        error.request = error.request.map(redactor.redact)
        error.serverMessage = error.serverMessage.map(redactor.redact)
        error.codingPath = error.codingPath.map(redactor.redact)
        error.fragment = error.fragment.map(redactor.redact)
        return error
    }

    func adding(_ sent: URLRequest, attempts: Int) -> APIError {
        var error = self
        error.request = error.request ?? Redaction.request(sent)
        error.attempts = error.attempts ?? attempts
        return error
    }

    func adding(_ errorResponse: (any ErrorResponse)?) -> APIError {
        var error = self
        error.response = errorResponse
        error.serverMessage = errorResponse.flatMap { $0.message.isEmpty ? nil : $0.message }
        return error
    }

    func adding(_ response: Response<Data>) -> APIError {
        var error = self
        error.status = error.status ?? response.status
        if case .mock(let file?) = response.source { error.mock = file }
        error.headers = error.headers ?? response.headers
        error.body = error.body ?? Data(response.data.prefix(Self.maximumBodySize))
        if error.serverMessage == nil, !(200..<300).contains(response.status) {
            error.serverMessage = ServerMessage.find(in: response.data)
        }
        return error.redacting(SecretRedactor(credentials: Redaction.credentials(of: response.request)))
            .adding(response.request, attempts: response.attempts)
    }

    /// Without the value that the client's authorization added, whatever its header is called.
    func redacting(_ credential: Authorization.Header?) -> APIError {
        guard let credential else { return self }
        return redacting(SecretRedactor(credentials: Redaction.credentials(inHeader: credential.value)))
    }

    /// A server may repeat what it was told in confidence.
    private func redacting(_ redactor: SecretRedactor) -> APIError {
        var error = self
        error.message = redactor.redact(error.message)
        error.fragment = error.fragment.map(redactor.redact)
        error.serverMessage = error.serverMessage.map(redactor.redact)
        return error
    }
}
