public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension RouteConvertible {
    /// The request of this value's route, with this library's default coders and no headers but the route's own.
    ///
    /// Use it to look at what a route sends, or to send it by other means. ``APIClient`` adds its own headers, coders and
    /// timeout.
    ///
    /// - Parameter baseURL: what a relative path is joined to. Its path and query are kept; one slash stands between its
    ///   path and the route's, whoever wrote it. An absolute path needs none.
    /// - Throws: ``APIError`` of the kind `invalidRoute` for anything that HTTP does not allow, and `encoding` for values
    ///   that cannot be written.
    public func urlRequest(relativeTo baseURL: URL? = nil) throws(APIError) -> URLRequest {
        do {
            return try RequestBuilder(base: BaseURL.Source(baseURL)).request(for: route)
        } catch {
            // Only an error needs a route that knows its name.
            throw error.named(Route(self).name)
        }
    }
}
