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
        let headers = (request.allHTTPHeaderFields ?? [:]).filter { SensitiveName.isSensitive($0.key) }
        let url = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let items = (url?.queryItems ?? []).filter { SensitiveName.isSensitive($0.name) }
        return headers.flatMap { name, value in
            HTTPHeaders.Name(rawValue: name) == .cookie
                ? value.split(separator: ";").flatMap(credentials(inPair:)) : credentials(inHeader: value)
        } + (items.map(\.value) + [url?.password]).compactMap { $0 }
            + BodyCredentials(request).found
    }

    /// The credentials in the cookies that a response sets.
    package static func credentials(ofCookies headers: HTTPHeaders) -> [String] {
        headers.values(for: .setCookie).flatMap(cookies).flatMap { credentials(inPair: $0[...]) }
    }

    /// The `name=value` pairs in the `Set-Cookie` fields.
    static func cookies(_ header: String) -> [String] {
        HTTPHeaders.setCookieValues(in: header).map { String($0.prefix { $0 != ";" }) }
    }

    /// A header's value and the credentials inside the value: `abc` in `Bearer abc` and in `Digest response=abc`, and
    /// the password in `Basic …`.
    static func credentials(inHeader value: String) -> [String] {
        [value]
            + value.split { $0 == " " || $0 == ";" || $0 == "," }
            .flatMap { [String($0), password($0)] + credentials(inPair: $0) }
    }

    /// The value of a cookie or a parameter. A short value, such as `dark` in `theme=dark`, is assumed to be an
    /// ordinary word. A short value is left out unless its name is sensitive.
    private static func credentials(inPair text: Substring) -> [String] {
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A trailing `=` is base64 padding, not a separator.
        guard pair.count == 2, !pair[1].allSatisfy({ $0 == "=" }) else { return [String(text)] }
        let isShort = pair[1].utf8.count < SecretRedactor.unlikelyLength
        return isShort && !SensitiveName.isSensitive(String(pair[0])) ? [] : [String(pair[1])]
    }

    /// The password in Base64 credentials (RFC 7617), or an empty string.
    private static func password(_ part: Substring) -> String {
        guard let data = Data(base64Encoded: String(part)), let text = String(bytes: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return "" }
        return String(text[colon...].dropFirst())
    }
}
