import FingerpostFiles
package import Foundation

// Finds the credentials in what a call sends and receives, because a server may echo them.
extension Redaction {
    /// The credentials in a request's headers, URL and body.
    package static func credentials(of request: URLRequest, upTo limit: Int = largestBody) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).flatMap { credentials(inHeader: $1, named: .init(rawValue: $0)) }
            + credentials(inURL: request.url?.absoluteString ?? "")
            + credentials(inBody: request.httpBody ?? Data(), upTo: limit)
    }

    /// The credentials in the headers of a response: its cookies, and those in the URLs of redirects and links.
    package static func credentials(of headers: HTTPHeaders) -> [String] {
        headers.flatMap { credentials(inHeader: $0.value, named: $0.name) }
    }

    /// The credentials that a response issues in its body, in the order of the body.
    static func issued(in body: Data) -> [String] {
        // The name of a field can also be the key of a message about it: `{"password": "too short"}`.
        credentials(inBody: body).filter { $0.utf8.count >= CallSecrets.unlikelyLength && !$0.hasAny(of: " ") }
    }

    /// The credentials in a header; an empty list if its name is not sensitive.
    static func credentials(inHeader value: String, named name: HTTPHeaders.Name) -> [String] {
        switch name {
        case .cookie: values(of: value.parts(between: ";"))
        case .setCookie: values(of: HTTPHeaders.setCookieValues(in: value).map { $0.prefix(before: ";") })
        // In a `Link`, the URLs are in angle brackets.
        case .location, .contentLocation, .link:
            value.parts(between: "<").flatMap { credentials(inURL: String($0.prefix(before: ">"))) }
        default:
            HTTPHeaders.Field(name, value).isSensitive ? credentials(inHeader: value) : NamedValues.found(in: value)
        }
    }

    /// The value of a header; the credential after its scheme, as in `Bearer abc`; the values of parameters, as in
    /// `Digest response="abc"` (RFC 9110 section 11.2); and the password of `Basic` (RFC 7617).
    static func credentials(inHeader value: String) -> [String] {
        guard let (scheme, credential) = value.cut(at: " ") else { return [value] }
        let pair = Data(base64Encoded: String(credential))?.text.cut(at: ":")
        let password = scheme.lowercased().isSame(as: "basic") ? pair.map { [String($0.after)] } ?? [] : []
        return [value, String(credential)] + values(of: credential.parts(between: ",")) + password
    }

    /// The values of cookies or of parameters. A short one, such as `dark` in `theme=dark`, is an ordinary word unless
    /// its name says otherwise.
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

    /// The credentials in a URL: the user information, and the values of sensitive path parameters, query items and
    /// items of the fragment.
    static func credentials(inURL text: String) -> [String] {
        let (path, query) = text.cut(at: "?") ?? (text[...], "")
        let items = path.words(between: "/;#&") + query.words(between: "&?#")
        let userInfo = URLText.userInfo(of: text).map { text[$0] } ?? ""
        let (user, password) = userInfo.cut(at: ":") ?? (userInfo, "")
        // Services accept a token as the user, with no password or with one that is public.
        let isToken = password.isEmpty || password == "x-oauth-basic" || user.utf8.count >= 20
        let values = items.compactMap { $0.cut(at: "=") }.filter { isSensitive(parameter: $0.before) }.map(\.after)
        return (values + [password, isToken ? user : ""]).filter { !$0.isEmpty }.map(String.init)
            // A value can be a URL itself, or JSON.
            + NamedValues.found(in: query.removingPercentEncoding ?? "")
    }

    /// The values with the names of credentials in a body: in JSON, in forms, and in other text.
    package static func credentials(inBody body: Data, upTo limit: Int = largestBody) -> [String] {
        guard !body.isEmpty, body.count <= limit else { return [] }
        let text = body.text
        let named = NamedValues.found(in: text)
        guard let root = Document.inspect(body) else {
            // The names of a form can be percent-encoded.
            if text.begins(with: "--") { return named + credentials(inParts: text) }
            return named + NamedValues.found(in: text.removingPercentEncoding ?? "")
        }
        // In the order of the body, because a part of what an answer issues counts.
        var found: [String] = []
        root.visit(false) { node, entry, isInside in
            let isInside = isInside || entry.map { SensitiveName.isPassword($0.key) } ?? false
            switch node.value {
            case .string(let text) where isInside: found.append(text)
            case .integer(let number) where isInside: found.append("\(number.magnitude)")
            default: break
            }
            return isInside
        }
        return found + named
    }

    /// The fields of a multipart form (RFC 7578 section 4.2).
    private static func credentials(inParts text: String) -> [String] {
        let pieces = text.replacing(bytesOf: "\r", with: "").replacing(bytesOf: "\n\n", with: "\0").parts(between: "\0")
        return zip(pieces, pieces.dropFirst()).compactMap { head, content in
            let head = head.replacing(bytesOf: " Name=", with: " name=")
            let parameters = head.replacing(bytesOf: " name=", with: "\0").parts(between: "\0")
            guard let name = parameters.dropFirst().last?.words(between: "\";\n").first,
                SensitiveName.isPassword(String(name))
            else { return nil }
            return content.replacing(bytesOf: "\n--", with: "\0").prefix(before: "\0")
                .trimmingCharacters(in: .newlines)
        }
    }
}
