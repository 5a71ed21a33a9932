public import Foundation

extension APIClient {
    /// The pages of a list. Each page is requested only when the loop asks for it.
    ///
    /// ```swift
    /// for try await page in client.pages(GitHub.repos(owner: "apple"), as: [Repository].self) {
    ///     repositories += page.value
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - route: the route of the first page.
    ///   - type: the type of each page.
    ///   - paging: how to find the next page; by default, by the links in the `Link` header.
    ///   - maximum: the maximum number of pages; 1,000 by default. If the list has more pages, the loop throws an
    ///     error.
    public func pages<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, by paging: Paging<Value> = .link,
        maximum: Int = 1000
    ) -> Pages<Value> {
        Pages(client: self, route: Route.from(route), paging: paging, maximum: maximum)
    }

    /// The pages of a list, starting at an address that a server has sent and the app has stored. Such an address is
    /// the `next` link of a page, or the link to later changes (`deltaLink`).
    ///
    /// ```swift
    /// let changes = client.pages(from: link, of: Shop.customers, as: Customers.self, by: .url { $0.next })
    /// ```
    ///
    /// The client follows the address like the link of a page: the request keeps the route's name, mock, headers and
    /// policies. If the address has another origin than the route, the request contains no credentials of the client or
    /// the route.
    ///
    /// - Parameters:
    ///   - url: the address of the first page, absolute or relative to the route's address.
    ///   - route: the route of the list.
    ///   - type: the type of each page.
    ///   - paging: how to find the next page; by default, by the links in the `Link` header.
    ///   - maximum: the maximum number of pages; 1,000 by default. If the list has more pages, the loop throws an
    ///     error.
    public func pages<Value: Decodable & Sendable>(
        from url: URL, of route: some RouteConvertible, as type: Value.Type = Value.self,
        by paging: Paging<Value> = .link, maximum: Int = 1000
    ) -> Pages<Value> {
        Pages(client: self, route: Route.from(route), from: url.absoluteString, paging: paging, maximum: maximum)
    }
}

/// The pages of a list, each with its status and headers: see `pages(_:as:by:maximum:)`.
///
/// A loop ends after the last page. The loop and ``page(after:)`` throw an ``/Fingerpost/APIError`` if a page cannot be
/// loaded, if a page leads back to an earlier page, or if the list has more pages than the maximum. Each page is a
/// separate call with its own timeout. If the user's account has changed since the previous page, loading the next page
/// fails with an error of the kind `cancelled`.
public struct Pages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Response<Value>

    /// The properties of the list. The properties are stored behind a reference, because iterators contain a copy of
    /// the list.
    private final class Contents: Sendable {
        let client: APIClient
        let route: Route
        /// The address of the first page. Nil for the address of the route.
        let address: String?
        let paging: Paging<Value>
        let maximum: Int

        init(_ client: APIClient, _ route: Route, from address: String?, _ paging: Paging<Value>, maximum: Int) {
            self.client = client
            self.route = route
            self.address = address
            self.paging = paging
            self.maximum = maximum
        }
    }

    private let contents: Contents
    var client: APIClient { contents.client }
    var route: Route { contents.route }
    var paging: Paging<Value> { contents.paging }
    var maximum: Int { contents.maximum }

    init(
        client: APIClient, route: Route, from address: String? = nil, paging: Paging<Value>, maximum: Int
    ) {
        contents = Contents(client, route, from: address, paging, maximum: maximum)
    }

    /// Loads one page. Use this method for a list that loads its next page when the user scrolls to the end.
    ///
    /// - Parameter response: the previous page; nil to load the first page.
    /// - Returns: nil after the last page.
    /// - Throws: ``/Fingerpost/APIError``.
    public func page(after response: Response<Value>? = nil) async throws(APIError) -> Response<Value>? {
        guard let (next, place) = try await next(after: response) else { return nil }
        let call = client.open(next, decoding: Value.self, as: response?.record?.account)
        var page: Response<Value> = try await client.response(to: call)
        page.page = place
        return page
    }

    private func next(after response: Response<Value>?) async throws(APIError) -> (Route, PagePlace)? {
        do {
            var route = route
            if let address = contents.address, response == nil || !paging.hasLinks {
                route = try await client.follow(address, of: route, after: nil).0
            }
            guard let response else { return (route, PagePlace()) }
            guard let next = try await paging.next(response, route, client) else { return nil }
            let last = response.place ?? PagePlace()
            guard last.position < maximum else {
                throw APIError(
                    .transport, "there are more than \(maximum) pages",
                    fix: "check the server and the kind of paging, or raise the maximum")
            }
            let own = response.request.url?.absoluteString ?? ""
            guard let place = last.next(next.key, number: next.number, after: own) else {
                throw APIError(
                    .transport, "page \(last.position) leads to a page that was loaded before",
                    fix: "check the server, the kind of paging, and the name of its parameter")
            }
            return (next.route, place)
        } catch {
            let error = APIError(transport: error)
            throw client.failure(response.map { page in error.adding(page.map { _ in page.data }) } ?? error, of: route)
        }
    }

    /// Creates an iterator, which begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Loads one page after another.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var last: Response<Value>?
        private var isOver = false

        fileprivate init(_ pages: Pages) {
            self.pages = pages
        }

        /// The next page; nil after the last one.
        ///
        /// - Throws: ``/Fingerpost/APIError``.
        public mutating func next() async throws -> Response<Value>? {
            if isOver { return nil }
            // After an error, the loop has ended too.
            isOver = true
            guard let page = try await pages.page(after: last) else { return nil }
            (last, isOver) = (page, false)
            return page
        }
    }
}
