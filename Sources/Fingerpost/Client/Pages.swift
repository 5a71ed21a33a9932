import Foundation

extension APIClient {
    /// The pages of a list. Nothing is sent before the loop asks for a page, and nothing after it has been left.
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
    ///   - paging: how the next page is found; by the links of the server by default.
    ///   - maximum: how many pages a loop may load; 1,000 by default. A further one is an error.
    public func pages<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, by paging: Paging<Value> = .link,
        maximum: Int = 1000
    ) -> Pages<Value> {
        Pages(client: self, route: Route.from(route), paging: paging, maximum: maximum)
    }
}

/// The pages of a list, each with its status and headers: see ``APIClient/pages(_:as:by:maximum:)``.
///
/// A loop ends after the last page. It throws an ``APIError`` if a page cannot be loaded, if the server leads to a page
/// that the loop has seen, and if there are too many pages. Every page is a call of its own, with its own timeout, but
/// no page is loaded as another account than the page before: that is an error of the kind `cancelled`.
public struct Pages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Response<Value>

    /// The properties of the list, behind a reference: iterators contain a copy of the list.
    private final class Contents: Sendable {
        let client: APIClient
        let route: Route
        let paging: Paging<Value>
        let maximum: Int

        init(_ client: APIClient, _ route: Route, _ paging: Paging<Value>, maximum: Int) {
            self.client = client
            self.route = route
            self.paging = paging
            self.maximum = maximum
        }
    }

    private let contents: Contents
    var client: APIClient { contents.client }
    var route: Route { contents.route }
    var paging: Paging<Value> { contents.paging }
    var maximum: Int { contents.maximum }

    init(client: APIClient, route: Route, paging: Paging<Value>, maximum: Int) {
        contents = Contents(client, route, paging, maximum: maximum)
    }

    /// Loads one page: for a list that loads the next page when the user scrolls to its end.
    ///
    /// - Parameter response: the page before; nil to load the first page.
    /// - Returns: nil after the last page.
    /// - Throws: ``APIError``.
    public func page(after response: Response<Value>? = nil) async throws(APIError) -> Response<Value>? {
        guard let response else { return try await load(route, after: nil) }
        guard let next = try await next(after: response) else { return nil }
        return try await load(next.route, after: response)
    }

    fileprivate func load(_ route: Route, after page: Response<Value>?) async throws(APIError) -> Response<Value> {
        try await client.response(to: client.sender.call(route, as: page?.account))
    }

    fileprivate func next(after response: Response<Value>) async throws(APIError) -> Paging<Value>.Next? {
        do { return try await paging.next(response, route, client.sender) } catch {
            throw client.sender.failure(
                APIError(transport: error).adding(response.map { _ in response.data }), of: route)
        }
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Loads page after page.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var last: Response<Value>?
        /// What tells the pages so far from others.
        private var seen: Set<String> = []
        private var count = 0
        private var isOver = false

        fileprivate init(_ pages: Pages) {
            self.pages = pages
        }

        /// The next page; nil after the last one.
        ///
        /// - Throws: ``APIError``.
        public mutating func next() async throws -> Response<Value>? {
            if isOver { return nil }
            // After an error, too, the loop has ended.
            isOver = true
            guard let route = try await nextRoute() else { return nil }
            let page = try await pages.load(route, after: last)
            count += 1
            last = page
            isOver = false
            return page
        }

        private mutating func nextRoute() async throws(APIError) -> Route? {
            guard let last else { return pages.route }
            if count == 1 { seen.insert(last.request.url?.absoluteString ?? "") }
            guard let next = try await pages.next(after: last) else { return nil }
            let reason: String
            if !seen.insert(next.key).inserted {
                reason = "page \(count) leads to a page that was loaded before"
            } else if count >= pages.maximum {
                reason = "there are more than \(pages.maximum) pages"
            } else {
                return next.route
            }
            throw pages.client.sender.failure(
                APIError(
                    .transport, reason, fix: "check the server and the kind of paging, or raise the maximum"),
                of: next.route)
        }
    }
}
