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
        let text = url.absoluteString
        if !Self.isUsual(text) { try Self.check(text, scheme: url.scheme, host: url.host) }
        self.init(checked: text)
    }

    init(_ text: String) throws(Unusable) {
        let url = URL(string: text)
        try Self.check(text, scheme: url?.scheme, host: url?.host)
        self.init(checked: text)
    }

    private init(checked text: String) {
        (prefix, query) = text.withBytes { bytes in
            let withoutFragment = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex)]
            let question = withoutFragment.firstIndex(of: UInt8(ascii: "?")) ?? withoutFragment.endIndex
            var prefix = withoutFragment[..<question]
            while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
            let query = withoutFragment[question...].dropFirst()
            return (
                String(decoding: prefix, as: UTF8.self), query.isEmpty ? nil : String(decoding: query, as: UTF8.self)
            )
        }
    }

    /// True for URLs that start with `http://` or `https://` and a host, which is all but a few: telling so from the
    /// bytes takes a fraction of the time that Foundation needs.
    private static func isUsual(_ url: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return false }
        return url.withBytes { bytes in
            guard let host = bytes.dropFirst(scheme.utf8.count).first else { return false }
            // Behind a user the host could still be missing.
            return PercentEncoding.unreserved.contains(host) && !bytes.contains(UInt8(ascii: "@"))
        }
    }

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
