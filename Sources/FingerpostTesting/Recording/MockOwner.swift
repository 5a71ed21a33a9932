import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

/// The route of a recording, as the owner of its mock: it decides which mock the recording becomes, and whether that
/// mock may be replaced.
struct MockOwner: Sendable {
    /// The names that the mock may have, the preferred name first: `Issues/list` and `list` for a case without a name
    /// of its own.
    let names: [String]
    /// The case, or the type of an endpoint; nil for a route that was not created from a router.
    let origin: MockOrigin?
    /// The percent-encoded query items that tell a later page of a list from the others, as in `page=2`; nil for the
    /// first page, and for what is not a page.
    let page: [String]?
    private let isNamed: Bool
    private let method: String
    private let path: RoutePath

    /// - Returns: nil for a route without a mock.
    /// - Throws: ``APIError`` if the name of the mock cannot be read.
    init?(_ route: Route, _ request: URLRequest) throws(APIError) {
        names = try route.mockNames.map(\.rawValue)
        if names.isEmpty { return nil }
        origin = MockOrigin(route)
        page = route.pageItems.map { names in
            let items = request.url?.query(percentEncoded: true)?.parts(between: "&") ?? []
            return items.map(String.init).filter { item in
                let name = item.prefix(before: "=")
                return names.contains(name.removingPercentEncoding ?? String(name))
            }
        }
        isNamed = route.mock != nil
        method = request.httpMethod ?? "GET"
        path = route.path
    }

    /// True if this route may replace the recording of a mock.
    func mayReplace(_ mock: OwnedMock) -> Bool {
        guard let origin, let other = mock.origin else { return fits(mock) }
        // The route can have a new path, and the router a new place or, if it names its mocks, a new name. Two routers
        // with the same name can have cases of the same name, and two servers can have the same paths.
        return origin.isSame(as: other) || fits(mock) && (isNamed || origin.mockName == other.mockName)
    }

    /// True if this route is the one that recorded a mock, by a name of its case that is gone.
    func inherits(_ mock: OwnedMock) -> Bool {
        guard let origin, let other = mock.origin, mock.route != nil else { return false }
        return fits(mock) && other.isGone(besides: origin)
    }

    private func fits(_ mock: OwnedMock) -> Bool {
        mock.route.map { $0.method == method && $0.matches(path: path) } ?? true
    }
}

/// What the settings of a mock tell about the route that recorded it.
struct OwnedMock {
    /// `by` in `recorded`.
    var origin: MockOrigin?
    /// `for`.
    var route: MockRoute?

    var description: String {
        [origin?.text, route?.description].compactMap { $0 }.joined(separator: ", ")
    }
}
