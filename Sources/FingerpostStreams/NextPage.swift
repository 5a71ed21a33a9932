import Fingerpost
import FingerpostFiles
import Foundation

// The page after a page. None of it is generic, so that it exists once for all types of pages.
extension APIClient {
    /// The route of the page at an address that the server has named, and the absolute address.
    ///
    /// - Parameter page: the URL of the page before; nil for the first page, whose address the app has stored.
    /// - Throws: ``/Fingerpost/APIError`` if the route must not be sent there.
    func follow(_ address: String, of route: Route, after page: URL?) async throws -> (Route, String) {
        let home = url(of: route)
        let current = page ?? home
        guard let base = current ?? URL(string: address), let target = Redirects.resolve(address, against: base) else {
            throw APIError(
                .transport, "the link to the next page, \(Redaction.url(address).quoted), is not an http or https URL")
        }
        // Where only mocks answer, a link is that of the server that was recorded, and nothing is sent to it.
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
            // The page before may also have come from another environment, which was left meanwhile.
            try await dropCredentials(of: &next)
        } else if home.map(Origin.init) != Origin(target), next.authorization != .none {
            // The encrypted address of the server that the app names is another origin.
            next.authorization = .optional
        }
        return (next, target.absoluteString)
    }
}

extension Origin {
    /// True for an address of this origin, and for one of the same host that is encrypted, where this origin is not.
    /// The pages of a list keep the headers of the route there; a redirect drops them at every change of the origin.
    func includes(_ url: URL) -> Bool {
        let other = Origin(url)
        return other == self
            || other.host == host && scheme == "http" && other.scheme == "https"
                && (port == 80 && other.port == 443 || other.port == port)
    }
}

extension Route {
    /// This route at the address of another page.
    ///
    /// - Parameter base: the base URL of the route; nil if there is none.
    fileprivate func page(at target: URL, below base: URL?) -> Route {
        var route = self
        // A path below the base URL is what the mocks of the route are for.
        let isBelow = !path.isAbsolute && host == nil
        route.path = (isBelow ? base.flatMap { path.path(of: target, below: $0) } : nil) ?? RoutePath(target)
        (route.scheme, route.host, route.port) = (nil, nil, nil)
        route.query = [:]
        if placedParameters.query != nil { route.parameters = nil }
        route.pageItems = Set(target.items.map(\.name))
        return route
    }

    fileprivate var sendsBody: Bool { body != nil || placedParameters.body != nil }

    /// The number of a page that was loaded without a list.
    ///
    /// - Parameter url: the URL of the page.
    func number(_ name: String, in url: URL?) -> Int? {
        let written = parameters?[path: name].flatMap { ([name: $0] as Parameters).items?.last }
        return (written ?? url?.items.last { $0.name.isSame(as: name) })?.value.flatMap { Int($0) }
    }

    /// This route with another value of one parameter, where the route has it.
    ///
    /// - Throws: ``/Fingerpost/APIError`` for a route without a place for it.
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
    /// The value at a dotted path into nested parameters; if there are none, of the name as it is.
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

    /// True if a value whose fields are parameters has a field with a name.
    fileprivate func hasField(_ name: String) -> Bool {
        unnamed.contains { $0.items?.contains { $0.name.isSame(as: name) } ?? false }
    }

    /// The parameters as the items of a query; nil for values that only JSON can contain.
    fileprivate var items: [URLQueryItem]? {
        // What cannot be written at all has failed when the request was built.
        (try? Route.get("https://localhost").query(self).urlRequest())?.url?.items
    }
}

extension URL {
    fileprivate var items: [URLQueryItem] {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }
}

extension RoutePath {
    /// The path of an address below a base URL, written as this path is: without a slash at its start if this one has
    /// none.
    ///
    /// - Returns: nil for an address that is not below the base URL, and for a base URL with a query.
    fileprivate func path(of target: URL, below base: URL) -> RoutePath? {
        let (target, base) = (target.absoluteString, base.absoluteString)
        let prefix = base.ends(with: "/") ? base : base + "/"
        guard target.begins(with: prefix), !base.contains(bytesOf: "?") else { return nil }
        let rest = String(Substring(target.utf8.dropFirst(prefix.utf8.count)))
        let relative = RoutePath(raw: rest)
        // Some text leads elsewhere without its slash: `?page=2`, `http://…`.
        let leadsThere = (try? Route.get(relative).urlRequest(relativeTo: URL(string: base)))?.url?.absoluteString
        return !text.begins(with: "/") && leadsThere == target ? relative : RoutePath(raw: "/" + rest)
    }

    /// This path without the items of its query that have a name.
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

/// Where a page is in its list.
final class PagePlace: Sendable {
    /// How many pages there are up to this one.
    let position: Int
    /// The number of the page; nil if its list has none.
    let number: Int?
    /// What tells the pages of the list apart, with their positions. All pages of the list have the same.
    private let keys: Locked<[String: Int]>

    /// The first page of a list.
    init() {
        (position, number, keys) = (1, nil, Locked([:]))
    }

    private init(after page: PagePlace, number: Int?) {
        (position, self.number, keys) = (page.position + 1, number, page.keys)
    }

    /// The place of the page after this one; nil if that page is this one, or one before. The page after a page may be
    /// loaded several times.
    ///
    /// - Parameters:
    ///   - key: what tells the next page from all others.
    ///   - own: the same of this page, which counts if the page is the first.
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
    /// Where the page is in its list; nil for a response that no list has loaded.
    var place: PagePlace? { page as? PagePlace }
}
