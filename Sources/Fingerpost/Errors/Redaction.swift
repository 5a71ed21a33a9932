import FingerpostFiles
package import Foundation

/// Finds credentials by their names in the headers, query items and bodies of requests and responses. Shows requests
/// without credentials, and lists the values that a call must hide.
///
/// | Question | Answer |
/// |---|---|
/// | Is the value under this name a credential? | ``SensitiveName`` |
/// | How is a request shown? | `Redaction` |
/// | Which values of a call are credentials? | `Redaction.credentials` |
/// | Where does a text repeat one of these values? | ``CallSecrets`` |
/// | Which parts of a text are under the name of a credential? | ``NamedValues`` |
///
/// The testing library uses the same rules for recordings, and also searches for secrets in Base64 and for tokens in
/// known formats.
package enum Redaction {
    /// The size in bytes of the largest body that is read for an error.
    static let largestBody = 1 << 20

    /// A request's method and URL, without credentials.
    static func request(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(url(request.url?.absoluteString ?? ""))"
    }

    /// Redacts a URL. The URL's fragment is removed. The user, the password, and the values of sensitive query items
    /// and path parameters are replaced by `<redacted>`.
    package static func url(_ text: String) -> String {
        let text = URLText.hidingUserInfo(String(text.prefix(before: "#")))
        // A path segment can have parameters (RFC 3986 section 3.3): `/cart;jsessionid=1`.
        let path = text.prefix(before: "?").parts(between: "/")
            .map { pairs(in: $0, separator: ";") }.joined(separator: "/")
        guard let query = text.cut(at: "?")?.after else { return path }
        return path + "?" + form(query)
    }

    /// The fields of a form or the items of a query, without credentials.
    static func form(_ text: some StringProtocol) -> String { pairs(in: Substring(text), separator: "&") }

    /// Redacts values in `name=value` pairs if their names are sensitive, or if the values are URLs with credentials.
    private static func pairs(in text: Substring, separator: Unicode.Scalar) -> String {
        text.parts(between: separator).map { item in
            guard let (name, value) = item.cut(at: "=") else {
                return String(item).isWebToken ? SensitiveName.placeholder : String(item)
            }
            return isSensitive(parameter: name) || hasCredential(value)
                ? "\(name)=\(SensitiveName.placeholder)" : String(item)
        }.joined(separator: String(separator))
    }

    /// Returns true if the percent-encoded name of a query item or path parameter is the name of a credential. Some
    /// software appends a query to a URL that already has a query, as in `?page=2?token=…`.
    static func isSensitive(parameter name: Substring) -> Bool {
        let name = name.removingPercentEncoding ?? String(name)
        return SensitiveName.isSensitive(name.parts(between: "?").last.map(String.init) ?? name)
    }

    /// Returns true for the value of a query item that is a URL with credentials, or JSON with credentials.
    private static func hasCredential(_ value: Substring) -> Bool {
        guard value.hasAny(of: "%=@{."), let text = value.removingPercentEncoding else { return false }
        return NamedValues.hidden(in: text) != text
    }
}

extension HTTPHeaders.Field {
    /// True if the field is a credential: by its name, or because its value is a JSON Web Token.
    var isSensitive: Bool { name.isSensitive || value.hasWebToken }

    /// Returns true if the field may be sent to another origin: after a redirect, for the next page of a list, or to a
    /// server other than the client's. Returns false for a credential, and for a value that contains a credential, such
    /// as a URL with a token. These rules apply whether the client, the route or middleware has set the field.
    ///
    /// - Parameter authorization: the names of the client's authorization headers. These names may look harmless.
    @inline(never)
    func mayFollow(authorization: Set<HTTPHeaders.Name>) -> Bool {
        name.mayFollow(authorization: authorization) && !isSensitive && NamedValues.found(in: value).isEmpty
    }
}

extension String {
    /// True if a word of the text is a JSON Web Token.
    fileprivate var hasWebToken: Bool {
        words(between: " \t,;:=\"'()[]{}<>/?&").contains { String($0).isWebToken }
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
    var shownValue: String { isSensitive ? SensitiveName.placeholder : NamedValues.hidden(in: value).printable }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields as text, one `Name: value` per line. Values that are credentials are replaced by `<redacted>`.
    public var description: String { map(\.description).joined(separator: "\n") }

    /// The fields, with `<redacted>` instead of credentials.
    public var customMirror: Mirror {
        Mirror(self, children: map { ($0.name.rawValue, $0.shownValue) }, displayStyle: .struct)
    }
}

// Finds the credentials in requests and responses, because a server may repeat them in its texts.
extension Redaction {
    /// The credentials in a request's headers, URL and body.
    package static func credentials(of request: URLRequest, upTo limit: Int = largestBody) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).flatMap { credentials(inHeader: $1, named: .init(rawValue: $0)) }
            + credentials(inURL: request.url?.absoluteString ?? "")
            + credentials(inBody: request.httpBody ?? Data(), isForm: request.isForm, upTo: limit)
    }

    /// Returns the credentials in the headers of a response: cookies, and credentials in the URLs of redirects and
    /// links.
    package static func credentials(of headers: HTTPHeaders) -> [String] {
        headers.flatMap { credentials(inHeader: $0.value, named: $0.name) }
    }

    /// The credentials that a response issues in its body, in the order of the body.
    static func issued(in body: Data) -> [String] {
        // The name of a field can also be the key of a message about the field: `{"password": "too short"}`.
        credentials(inBody: body).filter { $0.utf8.count >= CallSecrets.unlikelyLength && !$0.hasAny(of: " ") }
    }

    /// The credentials in a header; an empty list if its name is not sensitive.
    static func credentials(inHeader value: String, named name: HTTPHeaders.Name) -> [String] {
        switch name {
        case .cookie: values(of: value.parts(between: ";"))
        case .setCookie: values(of: HTTPHeaders.setCookieValues(in: value).map { $0.prefix(before: ";") })
        // In a `Link`, the URLs are in angle brackets.
        case .location, "Content-Location", .link:
            value.parts(between: "<").flatMap { credentials(inURL: String($0.prefix(before: ">"))) }
        default:
            HTTPHeaders.Field(name, value).isSensitive ? credentials(inHeader: value) : NamedValues.found(in: value)
        }
    }

    /// Returns the credentials in a header's value: the whole value, and the text after a scheme, as in `Bearer abc`.
    /// The result also contains the values of parameters, as in `Digest response="abc"` (RFC 9110 section 11.2), and
    /// the password of `Basic` (RFC 7617).
    static func credentials(inHeader value: String) -> [String] {
        guard let (scheme, credential) = value.cut(at: " ") else { return [value] }
        let pair = Data(base64Encoded: String(credential))?.text?.cut(at: ":")
        let password = scheme.lowercased() == "basic" ? pair.map { [String($0.after)] } ?? [] : []
        return [value, String(credential)] + values(of: credential.parts(between: ",")) + password
    }

    /// Returns the values of cookies or of parameters. A short value, such as `dark` in `theme=dark`, is left out
    /// unless its name is the name of a credential.
    private static func values(of pairs: [Substring]) -> [String] {
        pairs.compactMap { $0.cut(at: "=") }.compactMap { name, value in
            let name = name.trimmingCharacters(in: .whitespaces)
            let value = value.trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
            let isLong = value.utf8.count >= CallSecrets.unlikelyLength && !harmless.contains(name.lowercased())
            return isLong || SensitiveName.isSensitive(name) ? value : nil
        }
    }

    /// The parameters of `Authorization` (RFC 7616, AWS Signature 4) whose values are public.
    private static let harmless: Set = [
        "username", "realm", "uri", "algorithm", "qop", "nc", "opaque", "nonce", "signedheaders",
    ]

    /// Returns the credentials in a URL: the user information, and the values of sensitive path parameters, query items
    /// and items in the fragment.
    static func credentials(inURL text: String) -> [String] {
        let (path, query) = text.cut(at: "?") ?? (text[...], "")
        let items = path.words(between: "/;#&") + query.words(between: "&?#")
        let userInfo = URLText.userInfo(of: text).map { text[$0] } ?? ""
        let (user, password) = userInfo.cut(at: ":") ?? (userInfo, "")
        // Services accept a token as the user, without a password or with a public password.
        let isToken = password.isEmpty || password == "x-oauth-basic" || user.utf8.count >= 20
        return credentials(in: items) + [password, isToken ? user : ""].filter { !$0.isEmpty }.map(String.init)
            // A value can be a URL itself, or JSON.
            + NamedValues.found(in: query.removingPercentEncoding ?? "")
    }

    /// The values of sensitive items.
    private static func credentials(in items: [Substring]) -> [String] {
        items.compactMap { $0.cut(at: "=") }.filter { isSensitive(parameter: $0.before) && !$0.after.isEmpty }
            .map { String($0.after) }
    }

    /// Returns the values in a body that have sensitive names: in JSON, in forms, and in other text.
    ///
    /// - Parameter isForm: true for a body that is declared as a form.
    package static func credentials(
        inBody body: Data, isForm: Bool = false, upTo limit: Int = largestBody
    ) -> [String] {
        guard !body.isEmpty, body.count <= limit else { return [] }
        // A text that does not start like JSON is not parsed, because describing the parsing error would take a long
        // time.
        let first = body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
        if !isForm, first?.isOne(of: "{[") == true, let root = Document.inspect(body) {
            return credentials(in: root, body)
        }
        let text = body.searchedText
        let found = isForm ? credentials(in: text.parts(between: "&")) : NamedValues.found(in: text)
        // The fields of a form can be percent-encoded and can contain JSON.
        let isPlain = !isForm && !text.hasAny(of: "%")
        return isPlain ? found : found + NamedValues.found(in: text.removingPercentEncoding ?? text)
    }

    /// Returns the credentials in JSON in the order of the body, because only a limited number of them is searched for.
    private static func credentials(in root: Node, _ body: Data) -> [String] {
        var (found, named, searched) = ([String](), [String](), 0)
        let hasEscapes = body.contains(UInt8(ascii: "\\"))
        // Bodies repeat a few keys many times.
        var known: [String: (isCount: Bool, isPassword: Bool)] = [:]
        root.visit(false) { node, entry, isInside in
            let name = entry.map { entry in
                known[entry.key] ?? (SensitiveName.countsTokens(entry.key), SensitiveName.isPassword(entry.key))
            }
            if let entry { known[entry.key] = name }
            let isCount = name?.isCount == true && entry?.isCredential == true
            let isInside = isInside || isCount || name?.isPassword == true
            switch node.value {
            case .string(let text) where isInside:
                found.append(text)
                // The text is also added with its escapes, because a message that repeats the body can escape them
                // again.
                if hasEscapes, let offset = node.offset { found.append(body.string(at: offset)) }
            case .integer(let number) where isInside: found.append("\(number.magnitude)")
            case .real where isInside:
                let number = node.offset.map { body.number(at: $0) } ?? ""
                found.append(String(Substring(number.utf8.drop { $0 == UInt8(ascii: "-") })))
            // A text can contain JSON, a form or a URL.
            case .string(let text) where searched < CallSecrets.mostIssued && text.hasAny(of: ":="):
                searched += 1
                // If there are many texts, fewer values are searched for in each text.
                named += NamedValues.found(in: text, upTo: CallSecrets.mostIssued / searched)
            case .dictionary(let entries):
                if let text = node.namedCredential?.value.scalarText { found.append(text) }
                // A `code` is a credential only if it is an authorization code of OAuth (RFC 6749 section 4.1.3).
                let isGrant = entries.contains { $0.key == "grant_type" }
                if isGrant, let code = node["code"]?.string { found.append(code) }
            default: break
            }
            return isInside
        }
        return found + named
    }
}

extension URLRequest {
    /// True if the body is declared as a form.
    var isForm: Bool {
        let type = value(forHTTPHeaderField: HTTPHeaders.Name.contentType.rawValue)
        return type.map { MediaType(contentType: $0).rawValue } == "application/x-www-form-urlencoded"
    }
}
