import Fingerpost
import FingerpostFiles
import Foundation

// Finds the page that follows a page. This code is not generic, so that the app contains it once and not for each type
// of page.
extension APIClient {
    /// Returns the route for the address of a page that the server has sent, and this address in absolute form.
    ///
    /// - Parameter page: the URL of the previous page. Nil for the first page, whose address the app has stored.
    /// - Throws: ``/Fingerpost/APIError`` if the route must not be sent to the address.
    func follow(_ address: String, of route: Route, after page: URL?) async throws -> (Route, String) {
        let home = url(of: route)
        let current = page ?? home
        guard let base = current ?? URL(string: address), let target = Redirects.resolve(address, against: base) else {
            throw APIError(
                .transport, "the link to the next page, \(Redaction.url(address).quoted), is not an http or https URL")
        }
        // If only mocks answer, a link leads to the server of the recording, but nothing is sent to that server.
        let isSealed = isSealed
        if !isSealed, current?.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            throw APIError(
                .transport,
                "the link to the next page leads from https to http, \(Redaction.url(target.absoluteString))",
                fix: "let the server link to https (behind a proxy, it must heed X-Forwarded-Proto); the links of a "
                    + "mock are followed where the environment is sealed")
        }
        var root = Route.get("")
        root.baseURLKey = route.baseURLKey
        var next = route.page(at: target, below: url(of: root))
        if home.map({ Origin($0).includes(target) }) != true {
            if !isSealed, route.sendsBody, current.map({ Origin($0).includes(target) }) != true {
                throw APIError(
                    .transport,
                    "the link to the next page leads to another server, \(Redaction.url(target.absoluteString)), "
                        + "which does not get the body of the route",
                    fix: "use .cursor, or send a route for that server")
            }
            // The previous page's origin does not count, because the app may have switched to another environment
            // since.
            try await dropCredentials(of: &next)
        } else if home.map(Origin.init) != Origin(target), next.authorization != .none {
            // The origins differ only because the address uses https. With the policy `required`, the call would fail.
            next.authorization = .optional
        }
        return (next, target.absoluteString)
    }
}

extension Origin {
    /// Returns true for an address of this origin. If this origin uses http, also returns true for an https address of
    /// the same host. For both kinds of addresses, the pages of a list keep the route's headers. A redirect, in
    /// contrast, drops these headers at every change of the origin.
    func includes(_ url: URL) -> Bool {
        let other = Origin(url)
        return other == self
            || other.host == host && scheme == "http" && other.scheme == "https"
                && (port == 80 && other.port == 443 || other.port == port)
    }
}

extension Route {
    /// Returns this route with the address of another page.
    ///
    /// - Parameter base: the base URL of the route. Nil if there is none.
    fileprivate func page(at target: URL, below base: URL?) -> Route {
        var route = self
        // The path is relative if possible, because the `for` entries of mocks contain such paths.
        let isBelow = !path.isAbsolute && host == nil
        route.path = (isBelow ? base.flatMap { path.path(of: target, below: $0) } : nil) ?? RoutePath(target)
        (route.scheme, route.host, route.port) = (nil, nil, nil)
        route.query = [:]
        if placedParameters.query != nil { route.parameters = nil }
        route.pageItems = Set(target.items.map(\.name))
        return route
    }

    fileprivate var sendsBody: Bool { body != nil || placedParameters.body != nil }

    /// Returns the page number from the route's parameters or from the URL of a page. This method is for a page that
    /// was loaded without a list.
    ///
    /// - Parameter url: the URL of the page.
    func number(_ name: String, in url: URL?) -> Int? {
        let written = parameters?[path: name].flatMap { ([name: $0] as Parameters).items?.last }
        return (written ?? url?.items.last { $0.name.isSame(as: name) })?.value.flatMap { Int($0) }
    }

    /// Returns this route with another value of one parameter. The parameter keeps its place in the route.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the route cannot contain the parameter.
    func setting(_ name: String, to value: any Encodable & Sendable) throws(APIError) -> Route {
        var route = self
        route.pageItems = [name]
        route.path = path.removing(item: name)
        if parameters?.hasField(name) == true || query.hasField(name) {
            throw APIError(
                .invalidRoute,
                "the parameter \(name.quoted) of the next page is a field of a value, which does not change",
                fix: "leave it nil in the value, and add it to the route with .parameters or .query")
        }
        let isInQuery = query.has(name) || route.path != path
        if parameters != nil, !isInQuery || parameters?.has(name) == true {
            route.parameters?[path: name] = value
        } else if !isInQuery, body != nil {
            throw APIError(
                .invalidRoute, "the body of the route has no place for the parameter \(name.quoted) of the next page",
                fix: "send the values of the body as .parameters, or, if the server reads it in the query, add "
                    + ".query(\(name.quoted), …) for the first page")
        }
        if isInQuery || parameters == nil { route.query[path: name] = value }
        return route
    }
}

extension Parameters {
    /// The value of a parameter with a dotted path, such as `filter.name`. If there are no nested parameters, the whole
    /// text is the name of the parameter.
    fileprivate subscript(path path: String) -> (any Encodable & Sendable)? {
        get { nested(path).map { $0.parameters[path: $0.rest] } ?? self[path] }
        set {
            guard let (name, nested, rest) = nested(path) else {
                self[path] = newValue
                return
            }
            var parameters = nested
            parameters[path: rest] = newValue
            self[name] = parameters
        }
    }

    private func nested(_ path: String) -> (name: String, parameters: Parameters, rest: String)? {
        let name = String(path.prefix(before: "."))
        guard !has(path), let parameters = self[name] as? Parameters else { return nil }
        return (name, parameters, String(path.dropFirst(name.count + 1)))
    }

    /// Returns true if the parameters were created from a value that has a field with this name.
    fileprivate func hasField(_ name: String) -> Bool {
        unnamed.contains { $0.items?.contains { $0.name.isSame(as: name) } ?? false }
    }

    /// The parameters as items of a query. Nil if a query cannot contain the values, although JSON can.
    fileprivate var items: [URLQueryItem]? {
        // The request of the page was built with these parameters, so an error only means that a query cannot contain
        // them.
        (try? Route.get("https://localhost").query(self).urlRequest())?.url?.items
    }
}

extension URL {
    fileprivate var items: [URLQueryItem] {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }
}

extension RoutePath {
    /// Returns the path of an address relative to a base URL. The result starts with a slash if this path does, or if
    /// the result would otherwise lead elsewhere.
    ///
    /// - Returns: nil if the address is not below the base URL, or if the base URL has a query.
    fileprivate func path(of target: URL, below base: URL) -> RoutePath? {
        let (target, base) = (target.absoluteString, base.absoluteString)
        let prefix = base.ends(with: "/") ? base : base + "/"
        guard target.begins(with: prefix), !base.contains(bytesOf: "?") else { return nil }
        let rest = String(Substring(target.utf8.dropFirst(prefix.utf8.count)))
        let relative = RoutePath(raw: rest)
        // A text without a leading slash, such as `?page=2` or `http://…`, may be resolved to another address, so the
        // result is checked.
        let leadsThere = (try? Route.get(relative).urlRequest(relativeTo: URL(string: base)))?.url?.absoluteString
        return !text.begins(with: "/") && leadsThere == target ? relative : RoutePath(raw: "/" + rest)
    }

    /// Returns this path without the query items that have the given name.
    fileprivate func removing(item name: String) -> RoutePath {
        guard let (start, query) = text.cut(at: "?") else { return self }
        let items = query.parts(between: "&")
        let rest = items.filter { item in
            let key = String(item.prefix(before: "="))
            return !(key.removingPercentEncoding ?? key).isSame(as: name)
        }
        if rest.count == items.count { return self }
        return with(text: String(start) + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&")))
    }
}

/// The position of a page in its list.
final class PagePlace: Sendable {
    /// The number of pages up to this page.
    let position: Int
    /// The number of the page. Nil if the list has no numbers.
    let number: Int?
    /// The positions of the list's pages. The keys identify the pages. All pages of a list share this value.
    private let keys: Locked<[String: Int]>

    /// Creates the position of the first page.
    init() {
        (position, number, keys) = (1, nil, Locked([:]))
    }

    private init(after page: PagePlace, number: Int?) {
        (position, self.number, keys) = (page.position + 1, number, page.keys)
    }

    /// Returns the position of the page after this page. Returns nil if that page is this page or an earlier page. The
    /// same next page may be loaded several times.
    ///
    /// - Parameters:
    ///   - key: identifies the next page.
    ///   - own: identifies this page. The key is used only if this page is the first page.
    func next(_ key: String, number: Int?, after own: String) -> PagePlace? {
        let isKnown = keys.withLock { keys in
            if position == 1 { keys[own] = 1 }
            if let known = keys[key], known <= position { return true }
            keys[key] = position + 1
            return false
        }
        return isKnown ? nil : PagePlace(after: self, number: number)
    }
}

extension Response {
    /// The position of the page in its list. Nil for a response that no list has loaded.
    var place: PagePlace? { page as? PagePlace }
}
