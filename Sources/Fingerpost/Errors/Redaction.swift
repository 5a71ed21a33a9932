import FingerpostFiles
import Foundation

/// Shows requests without their credentials, which are known by the names of headers, query items and keys.
///
/// | Question | Answer |
/// |---|---|
/// | Is the value under this name a credential? | ``SensitiveName`` |
/// | How is a request shown? | `Redaction` |
/// | Which values does a call know to be credentials? | `Redaction.credentials` |
/// | Where does a text of others repeat one of them? | ``CallSecrets`` |
/// | Which parts of a text of others have the name of a credential? | ``NamedValues`` |
///
/// The testing library asks the same about recordings, and searches them for Base64 and known formats too.
package enum Redaction {
    /// The size in bytes of the largest body that is read for an error.
    package static let largestBody = 1 << 20

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
        return path + "?" + pairs(in: query, separator: "&")
    }

    /// Redacts values in `name=value` pairs if their names are sensitive, and if they are URLs with credentials.
    private static func pairs(in text: Substring, separator: Unicode.Scalar) -> String {
        text.parts(between: separator).map { item in
            guard let (name, value) = item.cut(at: "=") else { return String(item) }
            return isSensitive(parameter: name) || hasCredential(value)
                ? "\(name)=\(SensitiveName.placeholder)" : String(item)
        }.joined(separator: String(separator))
    }

    /// True for the percent-encoded name of a query item or path parameter that is a credential. Some software appends
    /// a query to a URL that has one, as in `?page=2?token=…`.
    package static func isSensitive(parameter name: Substring) -> Bool {
        let name = name.removingPercentEncoding ?? String(name)
        return SensitiveName.isSensitive(name.parts(between: "?").last.map(String.init) ?? name)
    }

    /// True for the value of a query item that is a URL with credentials, or JSON with some.
    private static func hasCredential(_ value: Substring) -> Bool {
        guard value.hasAny(of: "%=@{"), let text = value.removingPercentEncoding else { return false }
        return !NamedValues.hidden(in: text).isSame(as: text)
    }
}

extension HTTPHeaders.Field {
    /// True if the field is a credential: by its name, or because its value is a JSON Web Token.
    package var isSensitive: Bool { name.isSensitive || value.hasWebToken }

    /// True if the field may follow a call to another origin: by a redirect, to the next page of a list, or to a server
    /// other than that of the client. Credentials may not, and neither may values with one inside, such as the
    /// address of a page with a token. It does not matter who set them.
    ///
    /// - Parameter authorization: the headers of the client's authorization, whose names may look harmless.
    package func mayFollow(authorization: Set<HTTPHeaders.Name>) -> Bool {
        name.mayFollow(authorization: authorization) && !isSensitive && NamedValues.found(in: value).isEmpty
    }
}

extension String {
    /// True if a word of the text is a JSON Web Token: three parts, of which two are JSON objects, if it is signed, and
    /// five if it is encrypted (RFC 7519 section 3, RFC 7516 section 3.1).
    fileprivate var hasWebToken: Bool {
        words(between: " \t,;:=\"'()[]{}<>/?&").contains { word in
            let parts = word.parts(between: ".")
            guard parts[0].begins(with: "eyJ") else { return false }
            return parts.count == 5 || parts.count == 3 && parts[1].begins(with: "eyJ") && !parts[2].isEmpty
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
