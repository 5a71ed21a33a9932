import FingerpostFiles
import Foundation

// These checks reject everything that HTTP does not allow. They run before the values are passed to Foundation, because
// Foundation would silently drop some of the invalid parts and send the others.

extension HTTPMethod {
    /// True if a request can have this method.
    var isToken: Bool { HTTPSyntax.isToken(rawValue) }
}

extension APIError {
    /// The error for a method that is not a token.
    ///
    /// - Parameter name: the method's name as it is sent.
    init(invalidMethod name: String) {
        self.init(
            .invalidRoute, "the method \(name.quoted) is not a token (RFC 9110 section 5.6.2)",
            fix: "use a static member of HTTPMethod, or letters only")
    }
}

extension HTTPHeaders {
    /// Checks all fields.
    func check() throws(APIError) {
        for (name, value) in fields { try Self.check(name, value) }
    }

    /// Checks one field.
    static func check(_ name: Name, _ value: String) throws(APIError) {
        guard HTTPSyntax.isToken(name.rawValue) else {
            throw APIError(
                .invalidRoute,
                "the header name \(name.rawValue.quoted) is not a token (RFC 9110 section 5.6.2)",
                fix: "use letters, digits and hyphens")
        }
        guard HTTPSyntax.isFieldValue(value) else {
            throw APIError(
                .invalidRoute,
                "the value of the header \(name) contains CR, LF or NUL, which could start another header",
                fix: "remove the line break, or encode the value")
        }
        guard !isReserved(name) else {
            throw APIError(.invalidRoute, "the header \(name) is set by the connection", fix: "remove it")
        }
        guard name != .idempotencyKey || !value.allSatisfy(\.isWhitespace) else {
            throw APIError(
                .invalidRoute, "the idempotency key is empty",
                fix: "use a text that is unique to the operation, or leave it out for a random key")
        }
    }

    /// True for the fields that set the message's length or its host. A request could smuggle in a second request if an
    /// app set these fields by hand (RFC 9112 section 11.2).
    private static func isReserved(_ name: Name) -> Bool {
        switch name.rawValue.utf8.count {
        case 4: name == .host
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }
}

extension URL {
    /// Checks a URL that is not joined to a base URL.
    func check() throws(APIError) {
        do throws(FileProblem) { _ = try BaseURL(self, called: "the URL") } catch {
            throw APIError(.invalidRoute, error)
        }
    }
}

extension URLRequest {
    /// Checks the parts of a request that code outside this library may have changed, and adds the content type that
    /// its body may lack.
    mutating func complete() throws(APIError) {
        try check()
        addMissingContentType()
    }

    /// Says that the body is of no particular type, unless a header says more. Without the header, `URLSession` would
    /// call the body of a POST a form, and servers would parse it as one.
    mutating func addMissingContentType() {
        let name = HTTPHeaders.Name.contentType.rawValue
        guard httpBody != nil || httpBodyStream != nil, value(forHTTPHeaderField: name) == nil else { return }
        setValue("application/octet-stream", forHTTPHeaderField: name)
    }

    private func check() throws(APIError) {
        let name = httpMethod ?? "GET"
        let method = HTTPMethod(rawValue: name)
        guard method.isToken else { throw APIError(invalidMethod: name) }
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try HTTPHeaders.check(HTTPHeaders.Name(rawValue: name), value)
        }
        if method.forbidsBody, httpBody != nil || httpBodyStream != nil {
            throw APIError(.invalidRoute, "\(method) cannot carry a body", fix: "use another method")
        }
        guard let url else { throw APIError(.invalidRoute, "the request has no URL") }
        try url.check()
    }
}
