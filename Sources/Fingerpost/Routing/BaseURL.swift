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

    init(_ url: URL) throws(Unusable) {
        try self.init(url.absoluteString, scheme: url.scheme, host: url.host)
    }

    init(_ text: String) throws(Unusable) {
        let url = URL(string: text)
        try self.init(text, scheme: url?.scheme, host: url?.host)
    }

    private init(_ text: String, scheme: String?, host: String?) throws(Unusable) {
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
        let withoutFragment = text.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var prefix = parts[0]
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = String(prefix)
        query = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }
}

extension BaseURL {
    /// Where a base URL comes from, or why there is none. Only routes with relative paths need to know.
    enum Source: Sendable {
        case url(BaseURL)
        case none(APIError)

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
