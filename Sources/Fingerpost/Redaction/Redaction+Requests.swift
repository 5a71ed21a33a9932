#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

// A server may repeat what it was told in confidence: in an error, in a body that is recorded.
extension Redaction {
    /// The method and the URL of a request, without credentials.
    static func request(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(url(request.url?.absoluteString ?? ""))"
    }

    /// What a request says in confidence: in its headers, its URL and its body.
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

    /// What a response tells in confidence with the cookies that it sets.
    package static func credentials(ofCookies headers: HTTPHeaders) -> [String] {
        headers.values(for: .setCookie).flatMap(cookies).flatMap { credentials(inPair: $0[...]) }
    }

    /// The names and values of `Set-Cookie`, which Foundation joins with commas. Behind the one of a date comes no name.
    static func cookies(_ header: String) -> [String] {
        header.split(separator: /,\s*(?=[^\s=;,]+=)/).map { String($0.prefix { $0 != ";" }) }
    }

    /// The value of a header with its parts: `abc` of `Bearer abc`, and of `Digest response=abc`; the password of `Basic …`.
    static func credentials(inHeader value: String) -> [String] {
        [value]
            + value.split { $0 == " " || $0 == ";" || $0 == "," }
            .flatMap { [String($0), password($0)] + credentials(inPair: $0) }
    }

    /// The value of a cookie or a parameter. The short ones are words, such as those of `theme=dark`, unless their names say otherwise.
    private static func credentials(inPair text: Substring) -> [String] {
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // In base64 = stands at the end.
        guard pair.count == 2, !pair[1].allSatisfy({ $0 == "=" }) else { return [String(text)] }
        let isShort = pair[1].utf8.count < SecretRedactor.unlikelyLength
        return isShort && !SensitiveName.isSensitive(String(pair[0])) ? [] : [String(pair[1])]
    }

    /// That of a user and a password in base64 (RFC 7617).
    private static func password(_ part: Substring) -> String {
        guard let data = Data(base64Encoded: String(part)), let text = String(bytes: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return "" }
        return String(text[colon...].dropFirst())
    }
}
