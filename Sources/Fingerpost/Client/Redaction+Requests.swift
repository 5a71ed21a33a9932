#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

// A server may repeat what it was told in confidence: in an error, in a body that is recorded.
extension Redaction {
    /// What a request says in confidence: in its headers, its URL and its body.
    package static func credentials(of request: URLRequest) -> [String] {
        let headers = (request.allHTTPHeaderFields ?? [:]).filter { isSensitive($0.key) }.values
        let url = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let items = (url?.queryItems ?? []).filter { isSensitive($0.name) }
        return headers.flatMap(credentials(inHeader:)) + (items.map(\.value) + [url?.password]).compactMap { $0 }
            + BodyCredentials(request).found
    }

    /// What a response tells in confidence with the cookies that it sets.
    package static func credentials(ofCookies headers: HTTPHeaders) -> [String] {
        headers.values(for: .setCookie).flatMap(cookies).flatMap(credentials(inHeader:))
    }

    /// The names and values of `Set-Cookie`, which Foundation joins with commas. Behind the one of a date comes no name.
    static func cookies(_ header: String) -> [String] {
        header.split(separator: /,\s*(?=[^\s=;,]+=)/).map { String($0.prefix { $0 != ";" }) }
    }

    /// The value of a header with its parts: `abc` of `Bearer abc`, and of `sid=abc; theme=dark`; the password of `Basic …`.
    static func credentials(inHeader value: String) -> [String] {
        let parts = [value[...]] + value.split { $0 == " " || $0 == ";" || $0 == "," }
        return parts.flatMap { part in
            [String(part), part.firstIndex(of: "=").map { String(part[$0...].dropFirst()) } ?? "", password(part)]
        }
    }

    /// That of a user and a password in base64 (RFC 7617).
    private static func password(_ part: Substring) -> String {
        guard let data = Data(base64Encoded: String(part)), let text = String(bytes: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return "" }
        return String(text[colon...].dropFirst())
    }
}
