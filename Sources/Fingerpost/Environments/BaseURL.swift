import FingerpostFiles
import Foundation

/// A base URL that is split into prefix and query in advance, so that a path is joined by appending bytes.
package struct BaseURL: Sendable {
    /// `scheme://host:port/path`, without a slash at its end.
    package let prefix: String
    /// True if the base URL ends with a slash. A route without a path keeps this slash.
    let endsInSlash: Bool
    /// The base URL's own query, which is added to every request that uses the base URL.
    let query: String?
}

extension BaseURL {
    /// - Parameter name: the name of the URL in error messages; nil for a base URL, which must have no fragment.
    init(_ text: String, called name: String? = nil) throws(FileProblem) {
        if Self.isPlain(text) {
            self.init(prefix: text, endsInSlash: false, query: nil)
            return
        }
        try Self.check(text, URL(string: text), name)
        let text = text.prefix(before: "#")
        let prefix = String(text.prefix(before: "?"))
        let endsInSlash = prefix.ends(with: "/")
        self.init(
            prefix: endsInSlash ? prefix.withoutEnd("/") : prefix, endsInSlash: endsInSlash,
            query: (text.cut(at: "?")?.after).map(String.init))
    }

    /// Checks a URL that is not a base URL.
    static func check(_ url: URL, called name: String) throws(FileProblem) {
        let text = url.absoluteString
        if !isPlain(text) { try check(text, url, name) }
    }

    /// True if the URL can be used verbatim as a prefix, that is, if it consists of `http://` or `https://`, a host, an
    /// optional path, and nothing else. Most base URLs have this form. Checking the bytes takes a fraction of the time
    /// that Foundation needs to parse the scheme and the host.
    static func isPlain(_ url: String) -> Bool {
        url.withBytes { bytes in
            guard let scheme = schemes.first(where: { bytes.starts(with: $0) }) else { return false }
            let rest = UnsafeBufferPointer(rebasing: bytes[scheme.count...])
            let host = UnsafeBufferPointer(rebasing: rest.prefix { $0 != UInt8(ascii: "/") })
            guard !host.isEmpty, PercentEncoding.unreserved.containsAll(of: host), rest.last != UInt8(ascii: "/")
            else { return false }
            // Two dots in a row can be an empty label in the host name. Two slashes can be the rest of a second scheme.
            var last = UInt8(ascii: ".")
            for byte in rest {
                if byte == last, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") { return false }
                last = byte
            }
            return PercentEncoding.hostAndPath.containsAll(of: rest)
        }
    }

    private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

    /// - Parameter url: the URL parsed from the text; nil if Foundation rejects the text.
    private static func check(_ text: String, _ url: URL?, _ name: String?) throws(FileProblem) {
        func problem(_ flaw: String, fix: String?) -> FileProblem {
            FileProblem("\(name ?? "the base URL") \"\(Redaction.url(text))\" \(flaw)", fix: fix)
        }
        guard URLText.hasValidPort(text) else {
            throw problem("has a port that is not in 1...65535", fix: "correct the port, or leave it out")
        }
        guard let url else {
            throw problem("is not a URL", fix: "write it in full, for example https://api.example.com")
        }
        let scheme = url.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            // In `localhost:8080`, Foundation reads the host as a scheme.
            let flaw = URLText.url(text) == nil ? "has no scheme" : "has the scheme \(scheme.quoted)"
            throw problem(flaw, fix: "start it with https:// or http://")
        }
        guard let host = url.host, !host.isEmpty else {
            throw problem("has no host", fix: "write it in full, for example https://api.example.com")
        }
        let flaw = URLText.problem(ofHostIn: text) ?? (name == nil ? BaseURLKey.problem(ofFragmentIn: text) : nil)
        if let flaw { throw problem(flaw.message, fix: flaw.fix) }
    }
}

extension BaseURL {
    /// A base URL, or the error that explains why there is no base URL. The error is thrown only for routes with
    /// relative paths.
    typealias Source = Result<BaseURL, APIError>
}

extension Result<BaseURL, APIError> {
    /// - Parameter url: nil if every route must use an absolute URL.
    init(_ url: URL?) {
        self.init { () throws(APIError) in
            guard let url else {
                throw APIError(
                    .invalidRoute, "the path is relative and there is no base URL",
                    fix: "set a base URL, or use an absolute URL")
            }
            do throws(FileProblem) { return try BaseURL(url.absoluteString) } catch {
                throw APIError(.invalidRoute, error)
            }
        }
    }

    /// The base URL of an environment.
    init(environment: Environment?, key: String) {
        self.init { () throws(APIError) in
            guard let environment else { return try BaseURL.Source(nil).get() }
            do throws(EnvironmentError) { return try environment.baseURL(key) } catch { throw APIError(error) }
        }
    }

}

/// The servers that get the client's credentials; nil if every server may get the credentials.
extension [BaseURL.Source]? {
    /// True if the URL has the same origin as one of the base URLs. A missing base URL has no origin. Without a base
    /// URL, a client therefore sends credentials only for routes that allow any origin.
    func include(_ url: URL?) -> Bool {
        self?.contains { base in
            guard let url, case .success(let base) = base, let home = URL(string: base.prefix) else { return false }
            return Origin(url) == Origin(home)
        } ?? true
    }
}
