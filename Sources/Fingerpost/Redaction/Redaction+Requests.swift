package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

// Finds a request's credentials, because a server may echo them in an error or in a body that is recorded.
extension Redaction {
    /// A request's method and URL, without credentials.
    static func request(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(url(request.url?.absoluteString ?? ""))"
    }

    /// The credentials in a request's headers, URL and body.
    package static func credentials(of request: URLRequest) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).flatMap {
            credentials(inHeader: $1, named: HTTPHeaders.Name(rawValue: $0))
        }
            + credentials(inURL: request.url?.absoluteString ?? "") + BodyCredentials(request).found
    }

    /// The credentials that a response contains: cookies, headers with sensitive names, and the values under names such
    /// as `access_token` in a JSON body.
    package static func credentials(of headers: HTTPHeaders, body: Data) -> [String] {
        credentials(of: headers) + BodyCredentials(response: body).found
    }

    /// The credentials in a response's headers: cookies, the credentials in a redirect's URL, and the values of headers
    /// with sensitive names.
    package static func credentials(of headers: HTTPHeaders) -> [String] {
        headers.flatMap { field in
            switch field.name {
            case .setCookie: cookies(field.value).flatMap { credentials(inPair: $0[...]) }
            case .location: credentials(inURL: field.value)
            default: credentials(inHeader: field.value, named: field.name)
            }
        }
    }

    /// The `name=value` pairs in the `Set-Cookie` fields.
    static func cookies(_ header: String) -> [String] {
        HTTPHeaders.setCookieValues(in: header).map { String($0.prefix { $0 != ";" }) }
    }

    /// The credentials in a header; an empty list if the header's name is not sensitive.
    static func credentials(inHeader value: String, named name: HTTPHeaders.Name) -> [String] {
        let found =
            name == .cookie
            ? value.split(separator: ";").flatMap(credentials(inPair:))
            : name.isSensitive ? credentials(inHeader: value) : []
        // Text that a header cannot contain is often percent-encoded.
        return found.flatMap { $0.contains("%") ? decoded($0[...]) : [$0] }
    }

    /// A header's value and the credentials inside the value: `abc` in `Bearer abc` and in `Digest response="abc"`, and
    /// the password in `Basic …`.
    static func credentials(inHeader value: String) -> [String] {
        [value]
            + value.split { $0 == " " || $0 == ";" || $0 == "," }
            .flatMap { [String($0), password($0)] + credentials(inPair: $0) }
            + quotedParameters(in: value[...]).flatMap { credential($0.name, $0.value) }
    }

    /// The parameters of a header whose values are quoted, such as `response="abc"` (RFC 9110 section 5.6.6).
    private static func quotedParameters(in text: Substring) -> [(name: Substring, value: Substring)] {
        var found: [(name: Substring, value: Substring)] = []
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals].reversed().drop(while: \.isWhitespace)
            let name = before.prefix { !$0.isWhitespace && !",;\"".contains($0) }
            rest = rest[equals...].dropFirst()
            let quoted = rest.drop(while: \.isWhitespace)
            guard quoted.first == "\"" else { continue }
            var isEscaped = false
            let end = quoted.dropFirst().firstIndex { character in
                if !isEscaped, character == "\"" { return true }
                isEscaped = character == "\\" && !isEscaped
                return false
            }
            // No later quotation mark can be closed either.
            guard let end else { break }
            if !name.isEmpty {
                found.append((rest.base[name.endIndex.base..<name.startIndex.base], quoted[..<end].dropFirst()))
            }
            rest = quoted[end...].dropFirst()
        }
        return found
    }

    /// The credentials in a URL: the user information, and the values of sensitive path parameters and query items.
    static func credentials(inURL text: String) -> [String] {
        let parts = URLParts(text)
        let pairs = parts.pathParameters + parts.queryItems
        let values = pairs.compactMap { item -> [String]? in
            guard let equals = item.firstIndex(of: "=") else { return nil }
            let (name, value) = (item[..<equals], item[equals...].dropFirst())
            guard SensitiveName.isSensitive(name.removingPercentEncoding ?? String(name)) else { return nil }
            return decoded(value)
        }
        return values.flatMap { $0 } + credentials(inUserInfo: parts.userInfo)
    }

    /// The password in a URL's user information. Services such as Stripe and GitHub accept a token as the user, with no
    /// password or with one that is not secret.
    private static func credentials(inUserInfo text: Substring) -> [String] {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let password = parts.count > 1 ? parts[1] : ""
        let isToken = password.isEmpty || password == "x-oauth-basic" || parts[0].utf8.count >= 20
        return (isToken ? decoded(parts[0]) : []) + (password.isEmpty ? [] : decoded(password))
    }

    /// A text from a URL, verbatim and without escapes.
    private static func decoded(_ text: Substring) -> [String] {
        let plain = text.removingPercentEncoding ?? String(text)
        return Array(Set([String(text), plain]))
    }

    /// The value of a cookie or a parameter.
    private static func credentials(inPair text: Substring) -> [String] {
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A trailing `=` is base64 padding, not a separator.
        guard pair.count == 2, !pair[1].allSatisfy({ $0 == "=" }) else { return [String(text)] }
        let quotes = CharacterSet(charactersIn: "\"")
        return credential(pair[0], pair[1])
            + credential(pair[0], pair[1].trimmingCharacters(in: quotes)[...])
    }

    /// The value of a parameter, unless it is no credential. A short value, such as `dark` in `theme=dark`, is assumed
    /// to be an ordinary word. A short value is left out unless its name is sensitive.
    private static func credential(_ name: Substring, _ value: Substring) -> [String] {
        let name = name.trimmingCharacters(in: .whitespaces)
        if notSecret.contains(name.lowercased()) { return [] }
        let isShort = value.utf8.count < SecretRedactor.unlikelyLength
        return isShort && !SensitiveName.isSensitive(name) ? [] : [String(value)]
    }

    /// The parameters of `Authorization` (RFC 7616, RFC 5849, AWS Signature 4) whose values are not secret.
    private static let notSecret: Set<String> = [
        "username", "realm", "uri", "algorithm", "qop", "nc", "opaque", "nonce", "signedheaders",
        "oauth_signature_method", "oauth_version", "oauth_timestamp",
    ]

    /// The password in Base64 credentials (RFC 7617), or an empty string.
    private static func password(_ part: Substring) -> String {
        guard let data = Data(base64Encoded: String(part)), let text = String(bytes: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return "" }
        return String(text[colon...].dropFirst())
    }
}

/// The parts of a URL that can contain credentials.
private struct URLParts {
    let userInfo: Substring
    let pathParameters: [Substring]
    let queryItems: [Substring]

    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        queryItems = text[path.endIndex...].dropFirst().split(separator: "&")
        // A path segment can have parameters (RFC 3986 section 3.3): `/cart;jsessionid=1`.
        pathParameters = path.split(separator: "/").flatMap { $0.split(separator: ";").dropFirst() }
        let authority = path.range(of: "//").map { path[$0.upperBound...].prefix { $0 != "/" } } ?? ""
        userInfo = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
    }
}
