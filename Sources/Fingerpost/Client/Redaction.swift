import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps credentials out of everything that people read: errors, logs, descriptions.
enum Redaction {
    static let placeholder = "<redacted>"

    /// Whole names of headers, query items and JSON keys that carry credentials.
    private static let names: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "auth", "key", "pwd", "pin", "otp", "sig", "jwt",
        "sessionid", "sid",
    ]

    /// Words that make a name sensitive wherever they stand in it.
    private static let words = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "credential",
        "signature", "authorization",
    ]

    /// True when the value of a header, a query item or a JSON key of this name is a credential. Letter case, `-` and `_`
    /// do not count: `X-Api-Key`, `apiKey` and `api_key` are one.
    static func isSensitive(_ name: String) -> Bool {
        let folded = String(
            decoding: name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }, as: UTF8.self
        )
        .lowercased()
        return names.contains(folded) || words.contains { folded.contains($0) }
    }

    /// A URL without the password of its user and the values of sensitive query items.
    static func url(_ text: String) -> String {
        var text = text
        if let scheme = text.range(of: "://") {
            let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                text.replaceSubrange(authority.startIndex..<at, with: placeholder)
            }
        }
        guard let question = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = items.map { item -> String in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = item[..<equals]
            return isSensitive(name.removingPercentEncoding ?? String(name)) ? "\(name)=\(placeholder)" : String(item)
        }
        return text[...question] + shown.joined(separator: "&")
    }

    /// Text that may repeat what the request said in confidence, without it.
    static func text(_ text: String, withoutCredentialsOf request: URLRequest) -> String {
        let values = (request.allHTTPHeaderFields ?? [:]).filter { isSensitive($0.key) }.values
        // The whole value first, then its parts without the scheme: `Bearer abc`, `abc`.
        let parts = values.flatMap { value in [value] + value.split(separator: " ").dropFirst().map(String.init) }
        return parts.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
            .reduce(text) { $0.replacingOccurrences(of: $1, with: placeholder) }
    }
}
