import FingerpostFiles
import FingerpostShared
import Foundation

/// A way to find the next page of a list: see `pages(_:as:by:maximum:)`.
///
/// - Note: The request for each page is the route with another address, cursor or number. The request keeps the route's
///   name, mock, headers and policies.
public struct Paging<Value: Sendable>: Sendable {
    /// The next page. This type is a class, because the compiler generates copying code for each generic struct. If the
    /// struct contains a route, that code copies every field of the route.
    final class Next {
        let route: Route
        /// Identifies the page in its list.
        let key: String
        /// The number of the page. Nil if the pages have no numbers.
        let number: Int?

        init(route: Route, key: String, number: Int? = nil) {
            (self.route, self.key, self.number) = (route, key, number)
        }
    }

    /// True if a server sends the address of the next page. Every page is then created from the route of the list.
    /// Otherwise, the requests of all pages differ in the value of one parameter.
    var hasLinks = false
    /// Finds the page that follows a response of the route. Returns nil after the last page.
    let next: @Sendable (Response<Value>, Route, APIClient) async throws -> Next?

    /// Finds the next page by the link with the relation `next` in the `Link` header (RFC 8288). A link is ignored if
    /// its `anchor` is not the address of the page.
    ///
    /// If a link leads to another origin than the route's, the request contains no credentials of the client or the
    /// route. If the route has a body, the loop throws an ``/Fingerpost/APIError`` for such a link. A redirect with the
    /// status 307 or 308 asks the client to send the body again, but a link does not. A link from https to http is an
    /// error too. If only mocks answer, nothing is sent, so every link is followed.
    ///
    /// If the first page announces another page in any other way, and has no `Link` header with a relation, the loop
    /// throws an error. Without this error, the loop would end after the first of several pages. A page is announced by
    /// headers such as `X-Next-Page`, by a `Content-Range` that ends before its size, and by a body with the key `next`
    /// or with `"has_more": true`. Use ``response(_:_:)``, ``url(_:)`` or ``cursor(_:_:)`` for such a list.
    public static var link: Paging {
        Paging(hasLinks: true) { response, route, client in
            guard let links = WebLink.all(in: response.headers[.link] ?? "") else {
                throw APIError(.transport, "the header Link of the page is malformed", fix: "check the server")
            }
            if let link = links.first(where: { $0.isNext(at: response.request.url) }) {
                return try await Next(at: String(link.target), route, after: response.request, client)
            }
            if links.contains(where: \.hasRelation) { return nil }
            // A mock of a list sends the same headers with every page, so only the first page is checked.
            if response.place?.position ?? 1 == 1 {
                try UnfollowedPage.check(response.headers)
                try UnfollowedPage.check(response.data)
            }
            return nil
        }
    }

    /// Finds the next page by an address in the page's body, as Django REST framework, OData and many music services
    /// send it. For an address of another origin, the rules of ``link`` apply.
    ///
    /// ```swift
    /// let customers = client.pages(Shop.customers, as: Customers.self, by: .url { $0.next })
    /// ```
    ///
    /// - Parameter next: returns the address of the next page as a `String` or a `URL`, absolute or relative to the
    ///   page's address. After the last page, this closure returns nil or an empty text.
    public static func url<Address: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Value) -> Address?
    ) -> Paging {
        Paging(hasLinks: true) { response, route, client in
            guard let value = next(response.value) else { return nil }
            let address = (value as? URL)?.absoluteString ?? value.description
            return address.isEmpty ? nil : try await Next(at: address, route, after: response.request, client)
        }
    }

    /// Finds the next page by a cursor: the next request sends a value from this page as a parameter.
    ///
    /// ```swift
    /// let posts = client.pages(Feed.posts, as: Posts.self, by: .cursor("after") { $0.next })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter's name. The parameter can be in the query, in a query written in the path, or in the
    ///     ``/Fingerpost/Route/parameters``, whatever their encoding. If the parameter is in none of these
    ///     places, it is added to the route's parameters, or to the query if there are none. If the parameters or the
    ///     query were created from a value, the parameter must not be a field of that value. If the route has a body
    ///     instead of parameters, the parameter must already be in the query. A dotted path such as `variables.after`
    ///     leads into nested parameters, if the route has them.
    ///   - cursor: returns the parameter's value for the next page. After the last page, this closure returns nil or an
    ///     empty text.
    public static func cursor<Cursor: Encodable & Sendable & CustomStringConvertible>(
        _ name: String, _ cursor: @escaping @Sendable (Value) -> Cursor?
    ) -> Paging {
        .response(name) { cursor($0.value) }
    }

    /// Finds the next page by a cursor or a number in the response, for example in a header: the next request sends
    /// this value as a parameter.
    ///
    /// ```swift
    /// let posts = client.pages(Feed.posts, as: Posts.self, by: .response("page") { $0.headers["opc-next-page"] })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter's name, as for ``cursor(_:_:)``.
    ///   - cursor: receives the response with its status, headers and value, and returns the parameter's value for the
    ///     next page. After the last page, this closure returns nil or an empty text.
    public static func response<Cursor: Encodable & Sendable & CustomStringConvertible>(
        _ name: String, _ cursor: @escaping @Sendable (Response<Value>) -> Cursor?
    ) -> Paging {
        Paging { response, route, _ in
            guard let cursor = cursor(response), !cursor.description.isEmpty else { return nil }
            return Next(route: try route.setting(name, to: cursor), key: cursor.description)
        }
    }

    /// Finds the next page by a page number or an offset: the next request sends this number as a parameter.
    ///
    /// ```swift
    /// let orders = client.pages(Shop.orders, as: [Order].self, by: .number("page") { $0.isEmpty })
    /// let more = client.pages(
    ///     Shop.orders, as: [Order].self, by: .number("offset", from: 0, step: 50) { $0.count < 50 })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the parameter's name, as for ``cursor(_:_:)``.
    ///   - first: the number of the first page, which the server sends if the request has no number; 1 by default.
    ///   - step: the number that is added for each page; 1 by default. For offsets, pass the number of elements per
    ///     page.
    ///   - isLast: returns true for the last page, such as a page without elements.
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
    /// Creates the page at an address that the server has sent.
    ///
    /// - Parameter request: the request of the previous page.
    /// - Throws: ``/Fingerpost/APIError`` if the route must not be sent to the address.
    fileprivate convenience init(
        at address: String, _ route: Route, after request: URLRequest, _ client: APIClient
    ) async throws {
        let (next, key) = try await client.follow(address, of: route, after: request.url)
        self.init(route: next, key: key)
    }
}
