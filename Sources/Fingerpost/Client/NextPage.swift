import FingerpostFiles
package import Foundation

// The page after a page. What may follow to another origin is one rule, with that of redirects.
extension APIClient {
    /// The route of the page at an address that the server has named, and the absolute address. Not generic, so that it
    /// exists once for all types of pages.
    package func follow(_ address: String, of route: Route, after request: URLRequest) async throws -> (
        Route, String
    ) {
        guard let current = request.url, let target = Redirects.resolve(address, against: current) else {
            throw APIError(
                .transport, "the link to the next page, \(Redaction.url(address).quoted), is not an http or https URL")
        }
        if current.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            throw APIError(.transport, "the link to the next page leads from https to http")
        }
        var next = route.page(at: target, below: sender.baseURL(of: route))
        let home = sender.origin(of: route) ?? Origin(current)
        if !home.includes(target) {
            if route.sendsBody, !Origin(current).includes(target) {
                throw APIError(
                    .transport,
                    "the link to the next page leads to another server, \(Redaction.url(target.absoluteString)), "
                        + "which does not get the body of the route",
                    fix: "use .cursor, or send a route for that server")
            }
            try await next.leave(authorization: sender.namesOfAuthorization())
        }
        return (next, target.absoluteString)
    }
}

extension Route {
    /// This route at the address of another page.
    fileprivate func page(at target: URL, below base: BaseURL?) -> Route {
        var route = self
        let isBelow = !path.isAbsolute && host == nil && base?.query == nil
        // A path below the base URL is what the mocks of the route are for.
        route.path = RoutePath((isBelow ? base?.rest(of: target) : nil) ?? target).spelled(like: path)
        (route.scheme, route.host, route.port) = (nil, nil, nil)
        route.query = [:]
        if placedParameters.query != nil { route.parameters = nil }
        let items = URLComponents(url: target, resolvingAgainstBaseURL: true)?.queryItems ?? []
        route.pageItems = Set(items.map(\.name))
        return route
    }

    /// Drops what must not go to another origin. The page before may also have come from another environment, which was
    /// left meanwhile.
    fileprivate mutating func leave(authorization names: Set<HTTPHeaders.Name>) {
        if authorization == .required { authorization = .optional }
        // The values of keys may be credentials.
        headers = headers.following(authorization: names, withoutKeys: true)
    }

    fileprivate var sendsBody: Bool {
        if case nil = body { placedParameters.body != nil } else { true }
    }

    /// The number of a page that was loaded without a list.
    ///
    /// - Parameter url: the URL of the page.
    package func number(_ name: String, in url: URL?) -> Int? {
        // A value that cannot be written in a query is not a number.
        let written = parameters?[path: name].flatMap {
            try? QueryWriter.fields(of: [name: $0], dialect: .standard).last?.value
        }
        let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems }
        return (written ?? items?.last { $0.name.isSame(as: name) }?.value).flatMap { Int($0) }
    }

    /// This route with another value of one parameter, where the route has it.
    ///
    /// - Throws: ``APIError`` for a route without a place for it.
    package func setting(_ name: String, to value: some Encodable & Sendable) throws(APIError) -> Route {
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
}

extension RoutePath {
    /// This path without the items of its query that have a name.
    fileprivate func removing(item name: String) -> RoutePath {
        guard let question = bytes.firstIndex(of: UInt8(ascii: "?")) else { return self }
        let items = bytes[(question + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let rest = items.filter { item in
            let key = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            return !(key.removingPercentEncoding ?? key).isSame(as: name)
        }
        if rest.count == items.count { return self }
        let query = rest.isEmpty ? [] : [UInt8(ascii: "?")] + rest.joined(separator: [UInt8(ascii: "&")])
        return RoutePath(bytes[..<question] + query, isAbsolute: isAbsolute, flaw: flaw, namesKeys: namesKeys)
    }
}

extension APIClient {
    /// Loads a page that continues a list.
    ///
    /// - Parameters:
    ///   - account: the only account as which the page may be loaded; nil for the one that is signed in.
    ///   - place: what the list keeps with the page.
    package func loadPage<Value: Decodable & Sendable>(
        _ route: Route, as account: String?, keeping place: any AnyObject & Sendable
    ) async throws(APIError) -> Response<Value> {
        var page: Response<Value> = try await response(to: sender.call(route, as: account))
        page.update { $0.page = place }
        return page
    }
}
