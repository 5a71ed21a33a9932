public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension RouteConvertible {
    /// Builds the request of this value's route, with the default coders and only the route's own headers.
    ///
    /// Use it to inspect what a route sends, or to send it by other means. ``APIClient`` adds its own headers, coders
    /// and timeout.
    ///
    /// - Parameter baseURL: the URL that a relative path is joined to, with exactly one slash between them. Its path
    ///   and query are kept. Absolute paths do not need it.
    /// - Throws: ``APIError`` of the kind `invalidRoute` for anything HTTP does not allow, and of the kind `encoding`
    ///   for values that cannot be encoded.
    public func urlRequest(relativeTo baseURL: URL? = nil) throws(APIError) -> URLRequest {
        do {
            return try RequestBuilder(base: BaseURL.Source(baseURL)).request(for: route)
        } catch {
            // The name is computed only when there is an error to report.
            throw error.named(Route(self).name)
        }
    }
}
