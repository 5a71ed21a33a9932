package import Fingerpost
import FingerpostFiles
package import FingerpostMockFiles
import Foundation

extension MockSettings {
    /// Checks that a mock's `for` entry matches the route. A mock is found only by its name, so without this check the
    /// mock would still answer after the route has changed.
    func check(
        _ expected: MockRoute, _ route: Route, _ request: URLRequest, _ folder: MockIndex
    ) throws(APIError) {
        let method = request.httpMethod ?? "GET"
        if expected.method == method, expected.matches(pathOf: route), expected.matches(queryOf: request) { return }
        // If the `for` entry has a query, the message shows the request's query too.
        let query = expected.query.isEmpty ? nil : request.url?.query(percentEncoded: true)
        let shown = query.map { "\(route.path.text.prefix(before: "?"))?\($0)" } ?? route.path.text
        var fix = "correct the route, or \"for\" in \(path)"
        if expected.isBelow(host: request.url, route) { fix += ", whose path begins below the base URL" }
        // A mock outside the router's folder may belong to another router that has an enum case of the same name. The
        // names can be read without an error here, because the mock was found by one of these names.
        if route.mock == nil, let names = try? route.mockNames, names.count > 1, let own = names.first,
            !folder.stub(named: own.rawValue).exists
        {
            let file = "\(folder.path)/\(MockFileName.newFile(of: own.rawValue))"
            fix = "if the mock is that of another router's case, add \(file) for this one; otherwise \(fix)"
        }
        throw APIError(
            .mock, "\(path) is for \(expected), but the route is \(method) \(Redaction.url(shown))",
            fix: fix)
    }
}

extension MockRoute {
    /// Returns true if a request's query contains all query items of this route.
    func matches(queryOf request: URLRequest) -> Bool {
        query.isEmpty || matches(query: request.url?.query(percentEncoded: true) ?? "")
    }

    /// Returns true if this route has the whole path of a request, including the path of the base URL.
    fileprivate func isBelow(host url: URL?, _ route: Route) -> Bool {
        guard let url, !route.path.isAbsolute else { return false }
        return matches(path: RoutePath(raw: url.path(percentEncoded: true)))
    }

    /// Returns true if a route has this path. The path of a list's page comes from the link to the page, so that path
    /// may contain the path of the recorded base URL.
    func matches(pathOf route: Route) -> Bool { matches(path: route.path, isLinked: route.pageItems != nil) }

    /// Returns true if a path has these segments. A placeholder matches any segment.
    ///
    /// - Parameters:
    ///   - path: the path, with or without a leading slash. Only the last segments of an absolute URL are compared,
    ///     because the first segments are the path of a base URL, perhaps of another environment. An absolute URL
    ///     without a path has the path `/`.
    ///   - isLinked: true for the path of a link. If true, a relative path is compared in the same way as the path of
    ///     an absolute URL.
    package func matches(path: RoutePath, isLinked: Bool = false) -> Bool {
        let (given, segments) = (path.pathAlone.words(between: "/"), comparedSegments)
        let mayBegin = isLinked || path.isAbsolute && !segments.isEmpty
        return (mayBegin ? given.count >= segments.count : given.count == segments.count)
            && zip(given.suffix(segments.count), segments).allSatisfy { given, expected in
                // `%2f` equals `%2F` (RFC 3986 section 6.2.2.1).
                expected.map { Self.decoded($0[...]) == Self.decoded(given) } ?? true
            }
    }
}

extension RoutePath {
    /// The path without the query; for an absolute URL, also without the scheme and the host.
    package var pathAlone: Substring {
        let path = text.prefix(before: "?")
        guard isAbsolute, let scheme = path.firstRange(ofBytes: "://") else { return path }
        let rest = path[scheme.upperBound...]
        return rest[rest.prefix(before: "/").endIndex...]
    }
}
