import Foundation

/// Removes credentials from everything shown to people: errors, logs, descriptions.
package enum Redaction {
    /// The size in bytes of the largest body that is searched for credentials. Searching a larger body would take too
    /// long.
    static let largestBody = 1 << 20

    /// Redacts a URL. The URL's fragment is removed. The user, the password, and the values of sensitive query items
    /// and path parameters are replaced by `<redacted>`.
    package static func url(_ text: String) -> String {
        var text = String(text.prefix { $0 != "#" })
        if let scheme = text.range(of: "://") {
            let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                text.replaceSubrange(authority.startIndex..<at, with: SensitiveName.placeholder)
            }
        }
        let path = text.prefix { $0 != "?" }
        // A path segment can have parameters (RFC 3986 section 3.3): `/cart;jsessionid=1`.
        let shown = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { pairs(in: $0, separator: ";") }.joined(separator: "/")
        let query = text[path.endIndex...].dropFirst()
        return path.endIndex == text.endIndex ? shown : shown + "?" + pairs(in: query, separator: "&")
    }

    /// Redacts values in `name=value` pairs if their names are sensitive.
    private static func pairs(in text: Substring, separator: Character) -> String {
        text.split(separator: separator, omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = item[..<equals]
            return SensitiveName.isSensitive(name.removingPercentEncoding ?? String(name))
                ? "\(name)=\(SensitiveName.placeholder)" : String(item)
        }.joined(separator: String(separator))
    }
}
