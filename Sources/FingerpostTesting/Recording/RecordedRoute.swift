import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The route of a recording, as far as it decides which mock the recording becomes.
struct RecordedRoute: Sendable {
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
    func mayReplace(_ mock: RecordedMock) -> Bool {
        guard let origin, let other = mock.origin else { return fits(mock) }
        // The route can have a new path, and the router a new place or, if it names its mocks, a new name. Two routers
        // with the same name can have cases of the same name, and two servers can have the same paths.
        return origin.isSame(as: other) || fits(mock) && (isNamed || origin.mockName == other.mockName)
    }

    private func fits(_ mock: RecordedMock) -> Bool {
        mock.route.map { $0.method == method && $0.matches(path: path) } ?? true
    }
}

/// What the settings of a mock tell about the route that recorded it.
struct RecordedMock {
    /// `by` in `recorded`.
    var origin: MockOrigin?
    /// `for`.
    var route: MockRoute?

    var description: String {
        [origin?.text, route?.description].compactMap { $0 }.joined(separator: ", ")
    }
}

/// The case or type that a recorded route was created from, as `by` in the settings of a mock names it:
/// `App.Issues/list` if the case gave the mock its name, `App.Issues.list` if the route names its mock.
struct MockOrigin: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// - Returns: nil for a route that was not created from a router, and for a case whose name cannot be read.
    init?(_ route: Route) {
        guard let router = route.origin, let names = RouteName.mockNames(of: router) else { return nil }
        let name = RouterName(type(of: router)).qualifiedName
        guard names.count > 1, let last = names.last else {
            text = name
            return
        }
        text = name + (route.mock == nil ? "/" : ".") + last.rawValue
    }

    /// The mock's name in the folder of its router, such as `Issues/list`; nil if the route names its mock.
    var mockName: String? {
        var (depth, last) = (0, Character(" "))
        // The parameters of a generic type are not part of the name. They may contain the arrow of a function type.
        let plain = text.filter { character in
            if character == "<" { depth += 1 }
            defer {
                if character == ">", last != "-" { depth -= 1 }
                last = character
            }
            return depth == 0
        }
        guard let (router, name) = plain.cut(at: "/"), let folder = router.parts(between: ".").last else { return nil }
        return "\(folder)/\(name)"
    }

    /// True for the same case or type, even if the route names its mock by now.
    func isSame(as other: MockOrigin) -> Bool {
        let texts = [text, other.text].map { $0.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 } }
        return texts[0] == texts[1]
    }
}
