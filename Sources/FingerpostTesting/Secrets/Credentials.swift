import Fingerpost
import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Finds the credentials of a call, because a server may echo them in a body that is recorded or archived.
///
/// Several types look for secrets. Each answers one question:
///
/// | Question | Answer |
/// |---|---|
/// | Is the value under this name a credential? | `SensitiveName` |
/// | Which credentials are in this header, URL or request? | ``Credentials``; in bodies ``BodyCredentials`` |
/// | Where does a text repeat a secret that is known? | ``SecretRedactor`` |
/// | Which parts of a text of others look like credentials, when none are known? | ``ForeignText`` |
/// | Is this word random, so that a server has probably issued it? | ``looksIssued(_:)`` |
/// | May this word be hidden wherever it occurs, because it is hardly an ordinary word? | ``isUnlikelyWord(_:)`` |
/// | Does a text contain a credential of a known format, such as a GitHub token? | `SecretShape`, for mocks in files |
///
/// ``SecretScan`` asks the first, the fifth and the last question about recorded mocks.
enum Credentials {
    /// The size in bytes of the largest body that is searched for credentials. Searching a larger body would take too
    /// long.
    static let largestBody = 1 << 20

    /// The credentials in a request's headers, URL and body.
    static func of(_ request: URLRequest) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).flatMap {
            inHeader($1, named: HTTPHeaders.Name(rawValue: $0))
        }
            + inURL(request.url?.absoluteString ?? "") + BodyCredentials(request).found
    }

    /// Why a request may contain a secret that ``of(_:)-(URLRequest)`` does not find; nil if it was searched.
    static func unsearched(_ request: URLRequest) -> String? {
        BodyCredentials(request).unsearched.map { "the request's body \($0)" }
    }

    /// The credentials in a response's headers: cookies, the credentials in a redirect's URL, and the values of headers
    /// with sensitive names.
    static func of(_ headers: HTTPHeaders) -> [String] {
        headers.flatMap { field in
            switch field.name {
            case .setCookie: cookies(field.value).flatMap { withoutEscapes(inPair($0[...])) }
            // In a `Link`, the URLs are in angle brackets.
            case .location, .contentLocation, .link:
                field.value.parts(between: "<").flatMap { inURL(String($0.prefix(before: ">"))) }
            default: inHeader(field.value, named: field.name)
            }
        }
    }

    /// The `name=value` pairs in the `Set-Cookie` fields.
    static func cookies(_ header: String) -> [String] {
        HTTPHeaders.setCookieValues(in: header).map { String($0.prefix(before: ";")) }
    }

    /// The credentials in a header; an empty list if the header's name is not sensitive.
    static func inHeader(_ value: String, named name: HTTPHeaders.Name) -> [String] {
        let found =
            name == .cookie
            ? value.parts(between: ";").filter { !$0.isEmpty }.flatMap(inPair)
            : name.isSensitive ? inHeader(value) : []
        return withoutEscapes(found)
    }

    /// Credentials, verbatim and without escapes. Text that a header cannot contain is often percent-encoded.
    private static func withoutEscapes(_ credentials: [String]) -> [String] {
        credentials.flatMap { $0.utf8.contains(UInt8(ascii: "%")) ? decoded($0[...]) : [$0] }
    }

    /// A header's value and the credentials inside the value: `abc` in `Bearer abc` and in `Digest response="abc"`, and
    /// the password in `Basic …`.
    static func inHeader(_ value: String) -> [String] {
        var found = [value]
        for word in value.words(between: " ;,") {
            found.append(String(word))
            found.append(password(word))
            found += inPair(word)
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
        // The elements are scalars.
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
    static func inURL(_ text: String, depth: Int = 3) -> [String] {
        let parts = URLParts(text)
        let values = (parts.pathParameters + parts.queryItems + parts.fragmentItems).flatMap { item -> [String] in
            guard let (name, value) = item.cut(at: "=") else { return [] }
            return Redaction.isSensitive(parameter: name)
                ? decoded(value) : inValue(value, depth: depth - 1)
        }
        return values + inUserInfo(parts.userInfo)
    }

    /// The credentials in a value that is a URL or a list of query items, with or without escapes.
    private static func inValue(_ value: Substring, depth: Int) -> [String] {
        guard depth > 0, value.hasAny(of: "%=@{") else { return [] }
        let text = value.removingPercentEncoding ?? String(value)
        if text.utf8.first.map("{[".utf8.contains) == true {
            let found = BodyCredentials(json: Data(text.utf8)).found
            if !found.isEmpty { return found }
        }
        let isURL = text.contains(bytesOf: "//") || text.hasAny(of: "?#")
        let found = inURL(isURL ? text : "?\(text)", depth: depth)
        // A URL in a URL in a URL is escaped twice.
        return text.isSame(as: value) ? found : found + inValue(text[...], depth: depth - 1)
    }

    /// True for the value of a query item that is a URL with credentials.
    static func containsCredential(_ value: Substring) -> Bool { !inValue(value, depth: 3).isEmpty }

    /// The password in a URL's user information. Services such as Stripe and GitHub accept a token as the user, with no
    /// password or with one that is not secret.
    private static func inUserInfo(_ text: Substring) -> [String] {
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
    private static func inPair(_ text: Substring) -> [String] {
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

    // MARK: Random text

    /// True if a text is probably neither an ordinary word nor a sentence.
    static func isUnlikelyWord(_ text: String) -> Bool {
        guard text.utf8.count >= SecretRedactor.unlikelyLength else { return false }
        // A long text needs no digit.
        var isUnlikely = text.utf8.count >= 16
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace { return false }
            isUnlikely = isUnlikely || scalar.properties.numericType != nil
        }
        return isUnlikely
    }

    /// True if a text is long and random, like a secret that a server issued. Values that people invent for tests are
    /// short or contain words.
    static func looksIssued(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return false }
        var isUsed = [Bool](repeating: false, count: 256)
        var (length, hasLetter, hasDigit, isLong) = (0, false, false, false)
        for byte in bytes {
            isUsed[Int(byte)] = true
            switch byte {
            case _ where byte.isASCIIDigit: hasDigit = true
            case _ where byte.isASCIILetter: hasLetter = true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"),
                UInt8(ascii: "/"), UInt8(ascii: "="):
                (length, hasLetter, hasDigit) = (0, false, false)
                continue
            default: return false
            }
            length += 1
            isLong = isLong || length >= 16 && hasLetter && hasDigit
        }
        let folded = text.lowercased()
        return isLong && isUsed.count { $0 } >= 10 && !madeUp.contains { folded.contains(bytesOf: $0) }
    }

    private static let madeUp = [
        "token", "test", "fake", "mock", "sample", "example", "dummy", "password", "redacted", "1234", "abcd", "0000",
        "xxxx",
    ]
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
        let slashes = path.firstRange(ofBytes: "//")
        let authority = slashes.map { path[$0.upperBound...].prefix(before: "/") } ?? ""
        userInfo = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[..<$0] } ?? ""
    }
}
