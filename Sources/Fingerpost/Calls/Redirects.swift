import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Follows redirects (RFC 9110 section 15.4), the same way on every platform and over every transport.
///
/// | Status | Method | Body |
/// |---|---|---|
/// | 301, 302 | POST becomes GET, others stay | kept unless the method changed |
/// | 303 | GET, but HEAD stays | dropped |
/// | 307, 308 | stays | kept |
///
/// Other 3xx, and those without a `Location`, are answers like any other. When the origin (scheme, host, port) changes,
/// headers that carry credentials are dropped. A redirect from https to http is refused.
enum Redirects {
    /// As many as browsers and URLSession follow.
    static let maximum = 20

    /// Sends a request, and the next one as long as the answer is a redirect.
    ///
    /// - Parameter form: the large form of the route, which is opened for every sending.
    static func follow(
        _ request: URLRequest, of call: Call, reopening form: BodyStream?,
        send: (URLRequest) async throws -> Response<Data>
    ) async throws -> Response<Data> {
        var request = request
        for _ in 0...maximum {
            try Task.checkCancellation()
            try renewStream(of: &request, call, form)
            call.beginAttempt(request)
            let response = try await send(request)
            // A mock's redirect is what the test is about: there is nothing behind it.
            guard response.source == .network, let next = try next(after: response, credential: call.credential?.name)
            else { return response }
            request = next
        }
        throw APIError(.transport, "more than \(maximum) redirects")
    }

    /// A stream is used up by sending it, so each sending has one of its own.
    private static func renewStream(of request: inout URLRequest, _ call: Call, _ form: BodyStream?) throws {
        guard request.httpBodyStream != nil else { return }
        if let body = form ?? call.route.bodyStream {
            request.httpBodyStream = try body.open()
        } else if call.attempts > 0 {
            throw APIError(
                .encoding, "the request would have to be sent again, and its body's stream is used up",
                fix: "send a route whose body is RequestBody.stream, which is opened for every sending")
        }
    }

    /// The request that a response redirects to, nil when it is the answer.
    ///
    /// - Parameter credential: the header of the client's authorization, whose name alone may not tell that it is one.
    static func next(
        after response: Response<Data>, credential: HTTPHeaders.Name? = nil
    ) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers[.location], let current = response.request.url
        else { return nil }
        guard let target = resolve(location, against: current) else {
            throw refusal(of: response, "its Location \(Redaction.url(location).quoted) is no http URL")
        }
        if current.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            throw refusal(of: response, "it leads from https to http, \(Redaction.url(target.absoluteString))")
        }
        var request = response.request
        request.url = target
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        if response.status == 303 && method != .head && method != .get
            || (response.status == 301 || response.status == 302) && method == .post
        {
            request.httpMethod = HTTPMethod.get.rawValue
            request.httpBody = nil
            request.httpBodyStream = nil
            for name in [HTTPHeaders.Name.contentType, .contentEncoding, .contentLanguage] {
                request.setValue(nil, forHTTPHeaderField: name.rawValue)
            }
        }
        if Origin(current) != Origin(target) {
            for name in request.allHTTPHeaderFields?.keys ?? [:].keys
            where SensitiveName.isSensitive(name) || HTTPHeaders.Name(rawValue: name) == credential {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return request
    }

    private static func refusal(of response: Response<Data>, _ reason: String) -> APIError {
        APIError(.status(response.status), "the redirect was not followed: \(reason)").adding(response)
    }

    /// Resolves a Location (RFC 3986 section 5), which keeps the fragment out.
    private static func resolve(_ location: String, against current: URL) -> URL? {
        // Characters that may not stand in a URL are escaped first: Foundation would escape the escapes beside them too.
        let reference = location.prefix { $0 != "#" }
        var path = reference.startIndex
        if reference.hasPrefix("//") || HTTPSyntax.isAbsolute(reference.utf8),
            let slashes = reference.range(of: "//")
        {
            path = reference[slashes.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? reference.endIndex
        }
        var bytes: [UInt8] = []
        bytes.append(String(reference[..<path]), completingEscapes: PercentEncoding.authority)
        bytes.append(String(reference[path...]), completingEscapes: PercentEncoding.writtenURL)
        guard let target = URL(string: String(decoding: bytes, as: UTF8.self), relativeTo: current)?.absoluteURL,
            ["http", "https"].contains(target.scheme?.lowercased()), target.host?.isEmpty == false
        else { return nil }
        return target
    }
}
