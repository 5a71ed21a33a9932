import FingerpostFiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

extension MockSettings {
    /// Checks that a mock's `for` matches the route. A mock is found by its name alone, so without this check the mock
    /// would keep answering after the route has changed.
    func check(_ expected: MockRoute, _ route: Route, _ request: URLRequest) throws(APIError) {
        let method = request.httpMethod ?? "GET"
        if expected.method == method, expected.matches(path: route.path) { return }
        throw APIError(
            .mock, "\(path) is for \(expected), but the route is \(method) \(Redaction.url(route.path.text))",
            fix: "correct the route, or \"for\" in \(path)")
    }
}

extension MockRoute {
    /// True when a path has these segments; a placeholder matches any segment.
    ///
    /// - Parameter path: the path, with or without a leading slash. For an absolute URL, only the URL's path is
    ///   compared.
    package func matches(path: RoutePath) -> Bool {
        let given = path.pathAlone.words(between: "/")
        return given.count == segments.count
            && zip(given, segments).allSatisfy { given, expected in expected.map { $0 == given } ?? true }
    }
}
