import FingerpostFiles
import Foundation

/// How the next page of a list is found: see ``APIClient/pages(_:as:by:maximum:)``.
///
/// - Note: Each page is the route itself with another address, cursor or number: it keeps the route's name, mock,
///   headers and policies.
public struct Paging<Value: Sendable>: Sendable {
    /// The next page. A class, because a generic struct with a route needs functions that copy all fields of the route.
    final class Next {
        let route: Route
        /// What tells the page from all others.
        let key: String

        init(route: Route, key: String) {
            (self.route, self.key) = (route, key)
        }
    }

    /// Returns the page after a page of a route; nil if it is the last one.
    let next: @Sendable (Response<Value>, Route, Sender) async throws -> Next?

    /// The server links to the next page, in the header `Link` with the relation `next` (RFC 8288).
    ///
    /// A page of another origin than the route's gets neither the client's credentials nor those of the route, and the
    /// loop throws an ``APIError`` if the route has a body: a redirect with the status 307 or 308 asks for the same
    /// body, but a link only names an address.
    public static var link: Paging {
        Paging { response, route, sender in
            guard let header = response.headers[.link] else { return nil }
            guard let links = LinkHeader(header)?.links else {
                throw APIError(.transport, "the header Link of the page is malformed", fix: "check the server")
            }
            guard let link = links.first(where: \.isNext) else { return nil }
            guard let current = response.request.url,
                let target = Redirects.resolve(String(link.target), against: current)
            else {
                throw APIError(
                    .transport,
                    "the link to the next page, \(Redaction.url(String(link.target)).quoted), is not an http or https URL"
                )
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
            return Next(route: next, key: target.absoluteString)
        }
    }

    /// A value of the page names the next page, and is sent as a parameter.
    ///
    /// ```swift
    /// client.pages(Feed.posts, as: Posts.self, by: .cursor("after") { $0.next })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter, in the place in which the route sends its ``Route/parameters``, or else in the query.
    ///     It must not be a field of a value that the parameters were created from.
    ///   - cursor: the value of the parameter for the next page; nil, or an empty text, after the last page.
    public static func cursor<Cursor: Encodable & Sendable & CustomStringConvertible>(
        _ name: String, _ cursor: @escaping @Sendable (Value) -> Cursor?
    ) -> Paging {
        Paging { response, route, _ in
            guard let cursor = cursor(response.value), !cursor.description.isEmpty else { return nil }
            return Next(route: route.setting(name, to: cursor), key: cursor.description)
        }
    }

    /// The pages have numbers, which are sent as a query item or parameter.
    ///
    /// - Parameters:
    ///   - name: the parameter, as for ``cursor(_:_:)``.
    ///   - first: the number of the page that the server sends if the request has none; 1 by default.
    ///   - isLast: true for the last page, such as one without elements.
    public static func number(
        _ name: String, from first: Int = 1, _ isLast: @escaping @Sendable (Value) -> Bool
    ) -> Paging {
        Paging { response, route, _ in
            if isLast(response.value) { return nil }
            let items = response.request.url.flatMap {
                URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems
            }
            let number = items?.last { $0.name.utf8.elementsEqual(name.utf8) }?.value.flatMap { Int($0) } ?? first
            return Next(route: route.setting(name, to: number + 1), key: "\(number + 1)")
        }
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

    /// This route with another value of one parameter.
    fileprivate func setting(_ name: String, to value: some Encodable & Sendable) -> Route {
        var route = self
        route.query[name] = nil
        route.parameters?[name] = nil
        if route.parameters == nil { route.query.append(name, value) } else { route.parameters?.append(name, value) }
        route.pageItems = [name]
        return route
    }
}
