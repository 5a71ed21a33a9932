import Fingerpost
import FingerpostFiles
import Foundation

/// The properties of an endpoint that an audit checks.
struct AuditedRoute: Sendable {
    let name: String
    let mock: String
    let responseType: (any (Decodable & Sendable).Type)?
    /// The method and path: `GET users/octocat`.
    let request: String
    /// The reason that no request can be created from the route; nil if a request can be created.
    let objection: APIError?
    /// Returns true if the `for` entry in a mock's settings matches the route's method and path.
    let fits: @Sendable (MockRoute) -> Bool

    /// - Returns: nil if the route has no mock.
    init?(_ route: Route) {
        guard let mock = route.mock else { return nil }
        name = route.name
        self.mock = mock.rawValue
        responseType = route.responseType
        let (method, path) = (route.method.rawValue, route.path)
        request = "\(method) \(Redaction.url(path.description))"
        fits = { $0.method == method && $0.matches(path: path) }
        do throws(APIError) {
            _ = try route.urlRequest(relativeTo: URL(string: "https://mocks.invalid"))
            objection = nil
        } catch {
            objection = error
        }
    }

    /// Creates an audited route from an endpoint in a catalog. A path segment with a placeholder matches any segment.
    ///
    /// - Returns: nil if the endpoint has no mock.
    init?(_ name: String, of file: EndpointFile) {
        guard let endpoint = file.endpoint(name), let mock = endpoint[.mock]?.string else { return nil }
        self.name = name
        self.mock = mock
        responseType = nil
        objection = nil
        let method = HTTPMethod(rawValue: endpoint[.httpMethod]?.string ?? "GET").rawValue
        let path = (endpoint[.path]?.string ?? "").prefix { $0 != "?" }
        request = "\(method) \(path)"
        let segments = path.split(separator: "/").map { segment -> String? in
            let pieces = Placeholders(String(segment)).pieces
            guard pieces.count == 1, case .text(let text) = pieces[0] else { return nil }
            return RoutePath(raw: text).description
        }
        fits = { allowed in
            allowed.method == method && allowed.segments.count == segments.count
                && zip(allowed.segments, segments).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
        }
    }
}
