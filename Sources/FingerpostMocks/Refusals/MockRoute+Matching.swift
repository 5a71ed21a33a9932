package import Fingerpost
import FingerpostFiles
package import FingerpostMockFiles
import Foundation

extension MockSettings {
    /// Checks that a mock's `for` matches the route. A mock is found by its name alone, so without this check the mock
    /// would keep answering after the route has changed.
    func check(
        _ expected: MockRoute, _ route: Route, _ request: URLRequest, _ folder: MockIndex
    ) throws(APIError) {
        let method = request.httpMethod ?? "GET"
        if expected.method == method, expected.matches(pathOf: route), expected.matches(queryOf: request) { return }
        // If only the query differs, the message shows the query that is sent.
        let query = expected.query.isEmpty ? nil : request.url?.query(percentEncoded: true)
        let shown = query.map { "\(route.path.text.prefix(before: "?"))?\($0)" } ?? route.path.text
        var fix = "correct the route, or \"for\" in \(path)"
        if expected.isBelow(host: request.url, route) { fix += ", whose path begins below the base URL" }
        // A mock outside the folder of the router can belong to a case of another router with the same name. Reading
        // the names throws no error, because the mock was found by one of them.
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
    /// True when the query of a request contains all items of this one.
    func matches(queryOf request: URLRequest) -> Bool {
        query.isEmpty || matches(query: request.url?.query(percentEncoded: true) ?? "")
    }

    /// True when this is the whole path of a request, with the path of its base URL.
    fileprivate func isBelow(host url: URL?, _ route: Route) -> Bool {
        guard let url, !route.path.isAbsolute else { return false }
        return matches(path: RoutePath(raw: url.path(percentEncoded: true)))
    }

    /// True if this is the path of a route. The path of a page is the path of the link to the page, which can contain
    /// the path of the recorded base URL.
    func matches(pathOf route: Route) -> Bool { matches(path: route.path, isLinked: route.pageItems != nil) }

    /// True when a path has these segments; a placeholder matches any segment.
    ///
    /// - Parameters:
    ///   - path: the path, with or without a leading slash. Only the last segments of an absolute URL are compared,
    ///     because the segments before are the path of a base URL, perhaps of another environment. An absolute URL
    ///     without a path has the path `/`.
    ///   - isLinked: true for the path of a link, which is compared in the same way, whether it is absolute or not.
    package func matches(path: RoutePath, isLinked: Bool = false) -> Bool {
        let (given, segments) = (path.pathAlone.words(between: "/"), comparedSegments)
        let mayBegin = isLinked || path.isAbsolute && !segments.isEmpty
        return (mayBegin ? given.count >= segments.count : given.count == segments.count)
            && zip(given.suffix(segments.count), segments).allSatisfy { given, expected in
                // `%2f` is `%2F` (RFC 3986 section 6.2.2.1).
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
