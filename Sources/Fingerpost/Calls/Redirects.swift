import FingerpostFiles
package import Foundation

/// Follows redirects (RFC 9110 section 15.4) in the same way on every platform and with every transport.
///
/// | Status | Method | Body |
/// |---|---|---|
/// | 301, 302 | POST becomes GET; other methods do not change | is dropped if the method changes |
/// | 303 | HEAD does not change; all other methods become GET | is dropped if the method changes |
/// | 307, 308 | does not change | does not change |
///
/// Any other 3xx response, and any redirect without a `Location`, is returned to the caller. Headers that contain
/// credentials are removed when the origin (scheme, host, port) changes. A redirect from https to http fails the call.
package enum Redirects {
    /// The maximum number of redirects, as in the Fetch standard (fetch.spec.whatwg.org, HTTP-redirect fetch).
    static let maximum = 20

    /// The statuses of redirects that the client follows.
    static let statuses = [301, 302, 303, 307, 308]

    /// The request that a response redirects to; nil when the response is not a redirect that the client follows.
    ///
    /// - Parameters:
    ///   - unsigned: the request without its signature; nil if the request has no signature.
    ///   - credentials: the headers of the client's authorization, including headers that the route or middleware has
    ///     set. A redirect to another origin drops all headers with these names, even if a name does not resemble the
    ///     name of a credential.
    @inline(never)
    static func next(
        after response: Response<Data>, to unsigned: URLRequest? = nil,
        credentials: @autoclosure () -> [Authorization.Header] = []
    ) throws -> URLRequest? {
        guard statuses.contains(response.status),
            let location = response.headers[.location], let current = response.request.url
        else { return nil }
        guard !location.withoutPadding.prefix(before: "#").isEmpty else {
            throw refusal(of: response, "its Location \(location.quoted) names no URL")
        }
        guard let target = resolve(location, against: current) else {
            throw refusal(of: response, "its Location \(Redaction.url(location).quoted) is not an http or https URL")
        }
        do throws(FileProblem) { try BaseURL.check(target, called: "its Location") } catch {
            throw refusal(of: response, error.message)
        }
        if current.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            throw refusal(
                of: response, "it leads from https to http, \(Redaction.url(target.absoluteString))",
                fix: "let the server redirect to https (behind a proxy, it must heed X-Forwarded-Proto)")
        }
        var request = unsigned ?? response.request
        // If the transport followed redirects itself, the response may come from a server other than the one that the
        // unsigned request names.
        let hasLeft = unsigned?.url.map { Origin($0) != Origin(current) } ?? false
        request.url = target
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        if response.status == 303 && method != .head && method != .get
            || (response.status == 301 || response.status == 302) && method == .post
        {
            request.httpMethod = HTTPMethod.get.rawValue
            request.httpBody = nil
            request.httpBodyStream = nil
            request.removeHeaders { $0.name.describesContent }
        }
        if Origin(current) != Origin(target) || hasLeft {
            let names = Set(credentials().map(\.name))
            request.removeHeaders { !$0.mayFollow(authorization: names) }
        }
        return request
    }

    private static func refusal(of response: Response<Data>, _ reason: String, fix: String? = nil) -> APIError {
        APIError(.status(response.status), "the redirect was not followed: \(reason)", fix: fix).adding(response)
    }

    /// Resolves a `Location` (RFC 3986 section 5). Drops the fragment, because it is never sent, and the user
    /// information, because a server must not choose a request's credentials.
    package static func resolve(_ location: String, against current: URL) -> URL? {
        var reference = location.withoutPadding.prefix(before: "#")
        // A reference without a scheme gets the scheme of the request. The host in a reference may be an IPv6 address
        // in brackets.
        if reference.begins(with: "//"), let scheme = current.scheme { reference = "\(scheme):\(reference)" }
        // Escape invalid characters first. Otherwise Foundation escapes the whole text, including the `%` of existing
        // escapes.
        reference = reference.withoutUserInfo
        guard let target = URL(string: RoutePath(raw: String(reference)).text, relativeTo: current)?.absoluteURL,
            ["http", "https"].contains(target.scheme?.lowercased()), target.host?.isEmpty == false
        else { return nil }
        return URLText.resolvingHost(of: target)
    }
}

extension Substring {
    /// The reference without the user information of its authority.
    fileprivate var withoutUserInfo: Substring {
        let text = String(self)
        guard URLText.isAbsolute(text.utf8), let userInfo = URLText.userInfo(of: text) else { return self }
        return text[..<userInfo.lowerBound] + text[userInfo.upperBound...].dropFirst()
    }
}

extension URLRequest {
    @inline(never)
    mutating func removeHeaders(where isRemoved: (HTTPHeaders.Field) -> Bool) {
        for (name, value) in allHTTPHeaderFields ?? [:] where isRemoved(.init(.init(rawValue: name), value)) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension HTTPHeaders.Name {
    /// True for a field that describes the body, or that asks the server whether the body should be sent. If a redirect
    /// drops the body, it drops these fields too (RFC 9110 sections 10.1.1 and 15.4, RFC 9530).
    fileprivate var describesContent: Bool {
        rawValue.lowercased().begins(with: "content-")
            || ["Last-Modified", "Digest", "Repr-Digest", "Expect"].contains(self)
    }
}
