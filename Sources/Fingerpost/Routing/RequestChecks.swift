import FingerpostFiles
import Foundation

// These checks reject everything that HTTP does not allow. The checks run before the values are passed to Foundation,
// because Foundation would silently drop some of the invalid parts and send the others.

extension HTTPMethod {
    /// Checks that a request can have this method.
    func check() throws(APIError) {
        guard HTTPSyntax.isToken(rawValue) else {
            throw APIError(
                .invalidRoute, "the method \(rawValue.quoted) is not a token (RFC 9110 section 5.6.2)",
                fix: "use a static member of HTTPMethod, or letters only")
        }
        if let problem = HTTPSyntax.problem(ofMethod: rawValue) { throw APIError(.invalidRoute, problem) }
    }
}

extension HTTPHeaders {
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
        // If an app set the length or the host, a request could smuggle in a second request (RFC 9112 section 11.2).
        guard name != .host, name != .contentLength, name != .transferEncoding else {
            throw APIError(.invalidRoute, "the header \(name) is set by the connection", fix: "remove it")
        }
        guard name != .idempotencyKey || !value.allSatisfy(\.isWhitespace) else {
            throw APIError(
                .invalidRoute, "the idempotency key is empty",
                fix: "use a text that is unique to the operation, or leave it out for a random key")
        }
    }
}

extension Route {
    /// Checks that the route's own headers fit its body.
    ///
    /// | Body | `Content-Type` | `Content-Encoding` |
    /// |---|---|---|
    /// | JSON | a JSON type or a vendor's type, in UTF-8 | absent |
    /// | form | `application/x-www-form-urlencoded`, in UTF-8 | absent |
    /// | multipart form | absent, because the form sets the type and its boundary | absent |
    /// | bytes, stream | any type; `multipart/…` needs a boundary | any value: the app has encoded the bytes |
    ///
    /// - Parameter all: all headers of the request, in which values have replaced the environment keys.
    func checkBody(against all: HTTPHeaders) throws(APIError) {
        // Most routes with JSON or a form set neither header.
        switch body {
        case .json?, nil: if !headers.contains(.contentType), !headers.contains(.contentEncoding) { return }
        case .data?, .stream?: break
        }
        let media = MediaType(contentType: all[.contentType] ?? "")
        let (type, charset) = (media.rawValue, media.charset?.lowercased() ?? "utf-8")
        let (name, fits): (String, Bool)
        switch (body, encoding) {
        case (.stream?, _) where writtenBody != nil: (name, fits) = ("a multipart form", false)
        case (.data?, _), (.stream?, _):
            if type.begins(with: "multipart/"), all[.contentType]?.lowercased().contains(bytesOf: "boundary=") == false
            {
                throw APIError(
                    .invalidRoute, "the Content-Type \(type) names no boundary (RFC 2046 section 5.1.1)",
                    fix: "send the form as RequestBody.multipart, or add the boundary between the parts of the body")
            }
            return
        case (nil, .form?):
            (name, fits) = ("a form", type == "application/x-www-form-urlencoded")
        default:
            (name, fits) = ("JSON", type.contains(bytesOf: "json") || type.begins(with: "application/vnd."))
        }
        guard fits && ["utf-8", "utf8"].contains(charset) || !headers.contains(.contentType) else {
            throw APIError(
                .invalidRoute,
                "the route has the Content-Type \((fits ? all[.contentType] ?? "" : type).quoted), but its body is \(name)"
                    + (fits ? " in UTF-8" : ""),
                fix: name.hasSuffix("form")
                    ? "remove it: the form sets it" : "remove it, or send other bytes as RequestBody.data")
        }
        let coding = headers.contains(.contentEncoding) ? all[.contentEncoding]?.lowercased() : nil
        guard coding.map({ $0 == "identity" }) ?? true else {
            throw APIError(
                .invalidRoute, "the route has a Content-Encoding, but its body is \(name), which is sent as it is",
                fix: "remove it, or send the encoded bytes as RequestBody.data")
        }
    }
}

extension URL {
    /// Checks a URL that is not joined to a base URL.
    func check() throws(APIError) {
        do throws(FileProblem) { try BaseURL.check(self, called: "the URL") } catch {
            throw APIError(.invalidRoute, error)
        }
    }
}

extension URLRequest {
    /// Checks the parts of a request that code outside this library may have changed, and adds a content type to a body
    /// that has none.
    mutating func complete() throws(APIError) {
        let method = HTTPMethod(rawValue: httpMethod ?? "GET")
        try method.check()
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try HTTPHeaders.check(HTTPHeaders.Name(rawValue: name), value)
        }
        if method.forbidsBody, httpBody != nil || httpBodyStream != nil {
            throw APIError(.invalidRoute, "\(method) cannot carry a body", fix: "use another method")
        }
        guard let url else { throw APIError(.invalidRoute, "the request has no URL") }
        try url.check()
        addMissingContentType()
    }

    /// Sets the content type `application/octet-stream`, unless a header sets another type. Without this header,
    /// `URLSession` would declare the body of a POST as a form, and servers would parse it as a form.
    mutating func addMissingContentType() {
        let name = HTTPHeaders.Name.contentType.rawValue
        if httpBody == nil, httpBodyStream == nil { return }
        guard value(forHTTPHeaderField: name) == nil else { return }
        setValue("application/octet-stream", forHTTPHeaderField: name)
    }
}
