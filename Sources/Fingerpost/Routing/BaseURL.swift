import Foundation

/// A base URL taken apart once, so that joining a path to it is appending bytes.
struct BaseURL: Sendable {
    /// `scheme://host:port/path`, without a trailing slash.
    let prefix: String
    /// The base's own query, which every request keeps.
    let query: String?

    /// Why a URL cannot be a base.
    struct Unusable: Error {
        let reason: String
        let fix: String
    }
}

extension BaseURL {
    init(_ url: URL) throws(Unusable) {
        let text = url.absoluteString
        if Self.isPlain(text) {
            self.init(prefix: text, query: nil)
        } else {
            try Self.check(text, scheme: url.scheme, host: url.host)
            self.init(checked: text)
        }
    }

    init(_ text: String) throws(Unusable) {
        let url = URL(string: text)
        try Self.check(text, scheme: url?.scheme, host: url?.host)
        self.init(checked: text)
    }

    private init(checked text: String) {
        let withoutFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        var prefix = withoutFragment.prefix { $0 != UInt8(ascii: "?") }
        let query = withoutFragment.dropFirst(prefix.count + 1)
        while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        self.init(prefix: String(Substring(prefix)), query: query.isEmpty ? nil : String(Substring(query)))
    }

    /// True for URLs that are a prefix as they stand, which is most: `http://` or `https://`, a host, perhaps a path, and
    /// nothing else. Telling so from the bytes takes a fraction of the time that Foundation needs for scheme and host.
    private static func isPlain(_ url: String) -> Bool {
        url.withBytes { bytes in
            guard let scheme = schemes.first(where: { bytes.starts(with: $0) }), bytes.count > scheme.count,
                PercentEncoding.unreserved.contains(bytes[scheme.count]), bytes.last != UInt8(ascii: "/")
            else { return false }
            return PercentEncoding.hostAndPath.containsAll(of: bytes)
        }
    }

    private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

    private static func check(_ text: String, scheme: String?, host: String?) throws(Unusable) {
        switch scheme?.lowercased() {
        case "http", "https": break
        case nil:
            throw Unusable(
                reason: "the base URL \"\(Redaction.url(text))\" has no scheme",
                fix: "start it with https:// or http://")
        case let scheme?:
            throw Unusable(
                reason: "the base URL \"\(Redaction.url(text))\" has the scheme \"\(scheme)\"",
                fix: "start it with https:// or http://")
        }
        guard let host, !host.isEmpty else {
            throw Unusable(
                reason: "the base URL \"\(Redaction.url(text))\" has no host",
                fix: "write it in full, for example https://api.example.com")
        }
    }
}

extension BaseURL {
    /// Where a base URL comes from, or why there is none. Only routes with relative paths need to know.
    enum Source: Sendable {
        case url(BaseURL)
        indirect case none(APIError)

        /// - Parameter url: nil when the route must be absolute.
        init(_ url: URL?) {
            guard let url else {
                self = .none(
                    APIError(
                        .invalidRoute, "the path is relative and there is no base URL",
                        fix: "give a base URL, or write an absolute URL"))
                return
            }
            do throws(Unusable) { self = .url(try BaseURL(url)) } catch {
                self = .none(APIError(.invalidRoute, error.reason, fix: error.fix))
            }
        }

        /// - Parameter url: comes before the environment's.
        init(_ url: URL?, environment: Environment?, key: String) {
            guard url == nil, let environment else {
                self.init(url)
                return
            }
            do throws(EnvironmentError) {
                self = .url(try environment.baseURL(key))
            } catch {
                self = .none(APIError(error))
            }
        }
    }
}
