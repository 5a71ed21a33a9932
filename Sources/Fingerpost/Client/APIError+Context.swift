import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// An error gathers what is known on its way up; what an inner step said is never replaced.
extension APIError {
    func adding(route: Route, environment: Environment? = nil) -> APIError {
        var error = self
        error.route = error.route ?? route.name
        error.environment = error.environment ?? environment?.label
        return error
    }

    func adding(_ sent: URLRequest, attempts: Int) -> APIError {
        var error = self
        let url = sent.url.map { Redaction.url($0.absoluteString) } ?? ""
        error.request = error.request ?? "\(sent.httpMethod ?? "GET") \(url)"
        error.attempts = error.attempts ?? attempts
        return error
    }

    func adding(_ response: Response<Data>) -> APIError {
        var error = self
        error.status = error.status ?? response.status
        error.headers = error.headers ?? response.headers
        error.body = error.body ?? response.data.prefix(Self.maximumBodySize)
        if error.serverMessage == nil, !(200..<300).contains(response.status) {
            error.serverMessage = ServerMessage.find(in: response.data)
        }
        // A server may repeat what it was told in confidence.
        let redacted = { Redaction.text($0, withoutCredentialsOf: response.request) }
        error.message = redacted(error.message)
        error.fragment = error.fragment.map(redacted)
        error.serverMessage = error.serverMessage.map(redacted)
        return error.adding(response.request, attempts: response.attempts)
    }
}
