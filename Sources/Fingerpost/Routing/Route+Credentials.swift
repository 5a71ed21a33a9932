import FingerpostFiles

extension Route {
    /// The credentials in the route, for the error of a route that no request was built from.
    package var credentials: [String] {
        headers.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: path.text) + formCredentials
    }

    /// The passwords in a form, which may be too large to be part of a request.
    var formCredentials: [String] {
        (writtenBody?.fields ?? []).filter { SensitiveName.isPassword($0.name) }.compactMap { $0.value?.text }
    }

    /// The body, if it is written before the request is built.
    package var writtenBody: (any WrittenBody)? {
        if case .stream(let stream)? = body { stream.written } else { nil }
    }
}
