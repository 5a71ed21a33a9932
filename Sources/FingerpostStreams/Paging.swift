import FingerpostFiles
import FingerpostShared
import Foundation

/// How the next page of a list is found: see `pages(_:as:by:maximum:)`.
///
/// - Note: Each page is the route itself with another address, cursor or number: it keeps the route's name, mock,
///   headers and policies.
public struct Paging<Value: Sendable>: Sendable {
    /// The next page. A class, because a generic struct with a route needs functions that copy all fields of the route.
    final class Next {
        let route: Route
        /// What tells the page from all others.
        let key: String
        /// The number of the page; nil if the pages have none.
        let number: Int?

        init(route: Route, key: String, number: Int? = nil) {
            (self.route, self.key, self.number) = (route, key, number)
        }
    }

    /// True if a server names the address of the next page. Then the route of the list decides what follows there;
    /// other pages are the first one with another parameter.
    var hasLinks = false
    /// Returns the page after a page of a route; nil if it is the last one.
    let next: @Sendable (Response<Value>, Route, APIClient) async throws -> Next?

    /// The server links to the next page, in the header `Link` with the relation `next` (RFC 8288).
    /// A link of another address than that of the page, which has an `anchor`, does not count.
    ///
    /// A page of another origin than the route's gets neither the client's credentials nor those of the route, and the
    /// loop throws an ``/Fingerpost/APIError`` if the route has a body: a redirect with the status 307 or 308 asks for
    /// the same body, but a link only names an address. A link from https to http is an error too. Where mocks alone
    /// may answer, nothing can be sent, and every link is followed.
    ///
    /// A list whose first page has no header `Link`, but a `next` or a true `has_more` in its body, is an error,
    /// because the loop would end after one of several pages. Use ``url(_:)`` or ``cursor(_:_:)`` for it.
    public static var link: Paging {
        Paging(hasLinks: true) { response, route, client in
            guard let header = response.headers[.link] else {
                if response.place?.position ?? 1 == 1 { try UnfollowedPage.check(response.data) }
                return nil
            }
            guard let links = LinkHeader(header)?.links else {
                throw APIError(.transport, "the header Link of the page is malformed", fix: "check the server")
            }
            guard let link = links.first(where: { $0.isNext(at: response.request.url) }) else { return nil }
            return try await Next(at: String(link.target), route, after: response.request, client)
        }
    }

    /// A value of the page is the address of the next page, as Django REST framework, OData and many music services
    /// send it. What follows to another origin is as for ``link``.
    ///
    /// ```swift
    /// let customers = client.pages(Shop.customers, as: Customers.self, by: .url { $0.next })
    /// ```
    ///
    /// - Parameter next: the address, a `String` or a `URL`, absolute or relative to that of the page; nil, or an empty
    ///   text, after the last page.
    public static func url<Address: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Value) -> Address?
    ) -> Paging {
        Paging(hasLinks: true) { response, route, client in
            guard let value = next(response.value) else { return nil }
            let address = (value as? URL)?.absoluteString ?? value.description
            return address.isEmpty ? nil : try await Next(at: address, route, after: response.request, client)
        }
    }

    /// A value of the page names the next page, and is sent as a parameter.
    ///
    /// ```swift
    /// let posts = client.pages(Feed.posts, as: Posts.self, by: .cursor("after") { $0.next })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter, in the place in which the route has it: the query, the path's query, or the
    ///     ``/Fingerpost/Route/parameters`` in any encoding. If the route does not have it yet, it is one of the
    ///     parameters, or an item of the query if there are none. It must not be a field of a value that the parameters
    ///     were created from. A route whose body is a value has no place for it but the query, and must have it there.
    ///     A dotted path such as `variables.after` leads into nested parameters, if the route has them.
    ///   - cursor: the value of the parameter for the next page; nil, or an empty text, after the last page.
    public static func cursor<Cursor: Encodable & Sendable & CustomStringConvertible>(
        _ name: String, _ cursor: @escaping @Sendable (Value) -> Cursor?
    ) -> Paging {
        Paging { response, route, _ in
            guard let cursor = cursor(response.value), !cursor.description.isEmpty else { return nil }
            return Next(route: try route.setting(name, to: cursor), key: cursor.description)
        }
    }

    /// The pages have numbers, or begin at offsets, which are sent as a query item or parameter.
    ///
    /// ```swift
    /// let orders = client.pages(Shop.orders, as: [Order].self, by: .number("page") { $0.isEmpty })
    /// let more = client.pages(
    ///     Shop.orders, as: [Order].self, by: .number("offset", from: 0, step: 50) { $0.count < 50 })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter, as for ``cursor(_:_:)``.
    ///   - first: the number of the page that the server sends if the request has none; 1 by default.
    ///   - step: what is added for each page; 1 by default. For an offset, it is the number of elements of a page.
    ///   - isLast: true for the last page, such as one without elements.
    public static func number(
        _ name: String, from first: Int = 1, step: Int = 1, _ isLast: @escaping @Sendable (Value) -> Bool
    ) -> Paging {
        Paging { response, route, _ in
            if isLast(response.value) { return nil }
            let number = (response.place?.number ?? route.number(name, in: response.request.url) ?? first) &+ step
            return Next(route: try route.setting(name, to: number), key: "\(number)", number: number)
        }
    }
}

extension Paging.Next {
    /// The page at an address that the server has named.
    ///
    /// - Parameter request: the request of the page before.
    /// - Throws: ``/Fingerpost/APIError`` if the route must not be sent there.
    fileprivate convenience init(
        at address: String, _ route: Route, after request: URLRequest, _ client: APIClient
    ) async throws {
        let (next, key) = try await client.follow(address, of: route, after: request.url)
        self.init(route: next, key: key)
    }
}

/// The next page of a list whose paging does not follow it.
private enum UnfollowedPage {
    /// Looks for it in a page without a header `Link`.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the page has one.
    @inline(never)
    static func check(_ data: Data) throws(APIError) {
        guard let page = Document.inspect(data),
            // The page can be in an object with what describes it: {"links": {"next": "…"}, "items": […]}.
            let (path, entry) = find(in: page, depth: 1, where: { isName($0.key) && text(of: $0) != nil })
                ?? find(in: page, depth: 4, where: isFlag)
        else { return }
        let isAddress =
            ["http://", "https://", "/", "?"].contains { text(of: entry)?.begins(with: $0) == true }
            || ["link", "url", "uri"].contains { entry.key.lowercased().contains(bytesOf: $0) }
        throw APIError(
            .transport, "the list has more pages, as \(path.quoted) says, and the server sends no header Link",
            fix: isAddress
                ? "follow it with by: .url { … }" : "send its cursor with by: .cursor(\"…\") { … }, or use .number")
    }

    /// The first entry that matches, with its path: the object's own, or one in the objects below it.
    private static func find(
        in node: Node, depth: Int, where isMatch: (Node.Entry) -> Bool
    ) -> (path: String, entry: Node.Entry)? {
        let entries = node.entries ?? []
        if let entry = entries.first(where: isMatch) { return (entry.key, entry) }
        if depth == 0 { return nil }
        for outer in entries {
            if let (path, entry) = find(in: outer.node, depth: depth - 1, where: isMatch) {
                return ("\(outer.key).\(path)", entry)
            }
        }
        return nil
    }

    /// The address, cursor or number of the next page; nil if there is none.
    private static func text(of entry: Node.Entry) -> String? {
        let text = (entry.node["href"] ?? entry.node).value.scalarText
        return text.flatMap { ["", "false", "0"].contains($0) ? nil : $0 }
    }

    /// True for a true `has_more`, `hasMore`, `hasNextPage` and their like.
    private static func isFlag(_ entry: Node.Entry) -> Bool {
        guard case .boolean(true) = entry.node.value else { return false }
        let name = words(of: entry.key)
        return ["hasmore", "hasnext"].contains { start in
            ["", "page", "pages", "items", "results"].contains { name == start + $0 }
        }
    }

    private static func words(of key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// True for `next`, `nextLink`, `@odata.nextLink`, `next_page_url` and their like.
    private static func isName(_ key: String) -> Bool {
        let words = words(of: key)
        let name = words.begins(with: "@odata.") ? words.dropFirst(7) : words[...]
        return name.begins(with: "next")
            && ["", "link", "url", "uri", "href", "token", "cursor", "offset", "marker"].contains {
                name.dropFirst(4) == $0 || name.dropFirst(4) == "page" + $0
            }
    }
}
