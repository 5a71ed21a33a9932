import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
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

    /// Why a request may contain a secret that ``credentials(of:)-(URLRequest)`` does not find; nil if it was searched.
    static func unsearched(_ request: URLRequest) -> String? {
        BodyCredentials(request).unsearched.map { "the request's body \($0)" }
    }

    /// The credentials that a response contains: cookies, headers with sensitive names, and the values under names such
    /// as `access_token` in a JSON body.
    static func credentials(of headers: HTTPHeaders, body: Data) -> [String] {
        credentials(of: headers) + BodyCredentials(response: body, type: headers[.contentType]).found
    }

    /// The credentials in a response's headers: cookies, the credentials in a redirect's URL, and the values of headers
    /// with sensitive names.
    package static func credentials(of headers: HTTPHeaders) -> [String] {
        headers.flatMap { field in
            switch field.name {
            case .setCookie: cookies(field.value).flatMap { withoutEscapes(credentials(inPair: $0[...])) }
            // In a `Link`, the URLs are in angle brackets.
            case .location, .contentLocation, .link:
                field.value.parts(between: "<").flatMap { credentials(inURL: String($0.prefix(before: ">"))) }
            default: credentials(inHeader: field.value, named: field.name)
            }
        }
    }

    /// The `name=value` pairs in the `Set-Cookie` fields.
    static func cookies(_ header: String) -> [String] {
        HTTPHeaders.setCookieValues(in: header).map { String($0.prefix(before: ";")) }
    }

    /// The credentials in a header; an empty list if the header's name is not sensitive.
    static func credentials(inHeader value: String, named name: HTTPHeaders.Name) -> [String] {
        let found =
            name == .cookie
            ? value.parts(between: ";").filter { !$0.isEmpty }.flatMap(credentials(inPair:))
            : name.isSensitive ? credentials(inHeader: value) : []
        return withoutEscapes(found)
    }

    /// Credentials, verbatim and without escapes. Text that a header cannot contain is often percent-encoded.
    private static func withoutEscapes(_ credentials: [String]) -> [String] {
        credentials.flatMap { $0.utf8.contains(UInt8(ascii: "%")) ? decoded($0[...]) : [$0] }
    }

    /// A header's value and the credentials inside the value: `abc` in `Bearer abc` and in `Digest response="abc"`, and
    /// the password in `Basic …`.
    static func credentials(inHeader value: String) -> [String] {
        var found = [value]
        for word in value.words(between: " ;,") {
            found.append(String(word))
            found.append(password(word))
            found += credentials(inPair: word)
        }
        for parameter in quotedParameters(in: value) {
            found += credential(parameter.name[...], parameter.value[...])
        }
        return found
    }

    /// The parameters of a header whose values are quoted, such as `response="abc"` (RFC 9110 section 5.6.6).
    private static func quotedParameters(in header: String) -> [(name: String, value: String)] {
        guard header.hasAny(of: "\"") else { return [] }
        var found: [(name: String, value: String)] = []
        let text = Array(header.unicodeScalars)
        var rest = text[...]
        // An array's elements are found with much less code than those of a string.
        func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
        // text-by-bytes: the elements are scalars
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals].reversed().drop(while: \.properties.isWhitespace)
            let name = before.prefix { !$0.properties.isWhitespace && !",;\"".unicodeScalars.contains($0) }
            rest = rest[equals...].dropFirst()
            let quoted = rest.drop(while: \.properties.isWhitespace)
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
                let name = text[name.endIndex.base..<name.startIndex.base]
                found.append((string(name), string(quoted[..<end].dropFirst())))
            }
            rest = quoted[end...].dropFirst()
        }
        return found
    }

    /// The credentials in a URL: the user information, and the values of sensitive path parameters, query items and
    /// items of the fragment. Other values can be URLs themselves, with or without escapes.
    ///
    /// - Parameter depth: how many URLs inside each other are searched.
    static func credentials(inURL text: String, depth: Int = 3) -> [String] {
        let parts = URLParts(text)
        let values = (parts.pathParameters + parts.queryItems + parts.fragmentItems).flatMap { item -> [String] in
            guard let (name, value) = item.cut(at: "=") else { return [] }
            return isSensitive(parameter: name)
                ? decoded(value) : credentials(inValue: value, depth: depth - 1)
        }
        return values + credentials(inUserInfo: parts.userInfo)
    }

    /// True for the percent-encoded name of a query item or path parameter that is a credential. Some software appends
    /// a query to a URL that has one, as in `?page=2?token=…`.
    static func isSensitive(parameter name: Substring) -> Bool {
        let name = name.removingPercentEncoding ?? String(name)
        return SensitiveName.isSensitive(name.parts(between: "?").last.map(String.init) ?? name)
    }

    /// The credentials in a value that is a URL or a list of query items, with or without escapes.
    private static func credentials(inValue value: Substring, depth: Int) -> [String] {
        guard depth > 0, value.hasAny(of: "%=@{") else { return [] }
        let text = value.removingPercentEncoding ?? String(value)
        if text.utf8.first.map("{[".utf8.contains) == true {
            let found = BodyCredentials(json: Data(text.utf8)).found
            if !found.isEmpty { return found }
        }
        let isURL = text.contains(bytesOf: "//") || text.hasAny(of: "?#")
        let found = credentials(inURL: isURL ? text : "?\(text)", depth: depth)
        // A URL in a URL in a URL is escaped twice.
        return text.isSame(as: value) ? found : found + credentials(inValue: text[...], depth: depth - 1)
    }

    /// True for the value of a query item that is a URL with credentials.
    static func containsCredential(_ value: Substring) -> Bool { !credentials(inValue: value, depth: 3).isEmpty }

    /// The password in a URL's user information. Services such as Stripe and GitHub accept a token as the user, with no
    /// password or with one that is not secret.
    private static func credentials(inUserInfo text: Substring) -> [String] {
        guard !text.isEmpty else { return [] }
        let (user, password) = text.cut(at: ":") ?? (text, "")
        let isToken = password.isEmpty || password == "x-oauth-basic" || user.utf8.count >= 20
        return (isToken ? decoded(user) : []) + (password.isEmpty ? [] : decoded(password))
    }

    /// A text from a URL, verbatim and without escapes.
    private static func decoded(_ text: Substring) -> [String] {
        let plain = text.removingPercentEncoding ?? String(text)
        return Array(Set([String(text), plain]))
    }

    /// The value of a cookie or a parameter.
    private static func credentials(inPair text: Substring) -> [String] {
        // A trailing `=` is base64 padding, not a separator.
        guard let (name, value) = text.cut(at: "="), !value.utf8.allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return [String(text)]
        }
        let quotes = CharacterSet(charactersIn: "\"")
        return credential(name, value) + credential(name, value.trimmingCharacters(in: quotes)[...])
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
            let password = text.cut(at: ":")?.after
        else { return "" }
        return String(password)
    }
}

/// The parts of a URL that can contain credentials.
private struct URLParts {
    let userInfo: Substring
    let pathParameters: [Substring]
    let queryItems: [Substring]
    let fragmentItems: [Substring]

    init(_ text: String) {
        fragmentItems = text.cut(at: "#")?.after.parts(between: "&") ?? []
        let text = text.prefix(before: "#")
        let path = text.prefix(before: "?")
        queryItems = text.cut(at: "?")?.after.parts(between: "&") ?? []
        // A path segment can have parameters (RFC 3986 section 3.3): `/cart;jsessionid=1`.
        pathParameters = path.parts(between: "/").flatMap { $0.parts(between: ";").dropFirst() }
        let slashes = path.utf8.firstRange(of: "//".utf8)
        let authority = slashes.map { path[$0.upperBound...].prefix(before: "/") } ?? ""
        userInfo = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[..<$0] } ?? ""
    }
}

extension URLRequest {
    /// A copy without secrets and without a body; nil if no URL is left.
    ///
    /// - Parameter redactor: knows the secrets of the call.
    package func redacted(by redactor: SecretRedactor) -> URLRequest? {
        let text = redactor.withoutCredentials(Redaction.url(url?.absoluteString ?? ""))
        // A placeholder has characters that a URL cannot contain.
        guard let url = URL(string: String(decoding: text.utf8.flatMap(Self.escaped), as: UTF8.self)) else {
            return nil
        }
        var request = URLRequest(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
        request.httpMethod = httpMethod
        request.allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).reduce(into: [:]) { fields, field in
            fields[field.key] =
                SensitiveName.isSensitive(field.key)
                ? SensitiveName.placeholder : redactor.withoutCredentials(field.value)
        }
        return request
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "<"): Array("%3C".utf8)
        case UInt8(ascii: ">"): Array("%3E".utf8)
        case UInt8(ascii: " "): Array("%20".utf8)
        default: [byte]
        }
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// `Name: value`. A value that is a credential is replaced by `<redacted>`, and so are credentials in URLs.
    public var description: String { "\(name): \(shownValue)" }

    /// The name and the value as ``description`` shows them.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.rawValue, "value": shownValue], displayStyle: .struct)
    }

    /// The value without credentials.
    var shownValue: String {
        name.isSensitive ? SensitiveName.placeholder : ForeignText.redacted(value).printable
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields as text, one `Name: value` per line. Values that are credentials are replaced by `<redacted>`.
    public var description: String { map(\.description).joined(separator: "\n") }

    /// The fields, with `<redacted>` instead of credentials.
    public var customMirror: Mirror {
        Mirror(self, children: map { ($0.name.rawValue, $0.shownValue) }, displayStyle: .struct)
    }
}
