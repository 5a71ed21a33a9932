import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What HTTP does not allow is refused before Foundation sees it: Foundation drops some of it silently and sends the rest.

extension HTTPMethod {
    func check() throws(APIError) {
        try Self.check(rawValue)
    }

    /// - Parameter name: the method as it is sent.
    fileprivate static func check(_ name: String) throws(APIError) {
        guard HTTPSyntax.isToken(name) else {
            throw APIError(
                .invalidRoute, "the method \(name.quoted) is not a token (RFC 9110 section 5.6.2)",
                fix: "use a static member of HTTPMethod, or letters only")
        }
    }
}

extension HTTPHeaders.Field {
    func check() throws(APIError) {
        guard HTTPSyntax.isToken(name.rawValue) else {
            throw APIError(
                .invalidRoute,
                "the header name \(name.rawValue.quoted) is not a token (RFC 9110 section 5.6.2)",
                fix: "use letters, digits and hyphens")
        }
        guard HTTPSyntax.isFieldValue(value) else {
            throw APIError(
                .invalidRoute, "the value of the header \(name) holds CR, LF or NUL, which could start another header",
                fix: "remove the line break, or encode the value")
        }
        guard !HTTPSyntax.isReserved(name) else {
            throw APIError(
                .invalidRoute, "the header \(name) belongs to the connection, which sets it", fix: "remove it")
        }
    }
}

extension HTTPHeaders {
    /// The headers as a request has them.
    func checked() throws(APIError) -> [String: String] {
        for field in self { try field.check() }
        return combined
    }
}

extension URL {
    /// Checks one that is not joined to a base URL.
    func check() throws(APIError) {
        do throws(FileProblem) { _ = try BaseURL(self, called: "the URL") } catch {
            throw APIError(.invalidRoute, error)
        }
    }
}

extension URLRequest {
    /// Checks what code outside this library may have changed.
    func check() throws(APIError) {
        let name = httpMethod ?? "GET"
        try HTTPMethod.check(name)
        let method = HTTPMethod(rawValue: name)
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try HTTPHeaders.Field(HTTPHeaders.Name(rawValue: name), value).check()
        }
        if method.forbidsBody, httpBody != nil || httpBodyStream != nil {
            throw APIError(.invalidRoute, "\(method) cannot carry a body", fix: "use another method")
        }
        guard let url else { throw APIError(.invalidRoute, "the request has no URL") }
        try url.check()
    }
}
