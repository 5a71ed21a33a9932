import FingerpostFiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

extension MockSettings {
    /// A mock is named, so it would survive a route that has changed.
    func check(_ expected: MockRoute, _ route: Route, _ request: URLRequest) throws(APIError) {
        let method = request.httpMethod ?? "GET"
        if expected.method == method, expected.matches(path: route.path) { return }
        throw APIError(
            .mock, "\(path) is for \(expected), and the route is \(method) \(Redaction.url(route.path.text))",
            fix: "correct the route, or \"for\" in \(path)")
    }
}

extension MockRoute {
    /// - Parameter path: with or without a leading slash; of an absolute URL the path counts.
    package func matches(path: RoutePath) -> Bool {
        let given = path.pathAlone.split(separator: "/")
        return given.count == segments.count
            && zip(given, segments).allSatisfy { given, expected in expected.map { $0 == given } ?? true }
    }
}
