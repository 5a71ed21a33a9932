import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an audit knows of an endpoint.
struct AuditedRoute: Sendable {
    let name: String
    let mock: String
    let responseType: (any (Decodable & Sendable).Type)?
    let method: String
    /// The segments of the path below the base URL, percent-decoded; nil for one that stands for any.
    let segments: [String?]
    /// Why the route cannot become a request.
    let objection: APIError?

    /// - Returns: nil for a route that names no mock.
    init?(_ convertible: any RouteConvertible) {
        let route = Route(convertible)
        guard let mock = route.mock else { return nil }
        name = route.name
        self.mock = mock.rawValue
        responseType = route.responseType
        method = route.method.rawValue
        do throws(APIError) {
            let request = try route.urlRequest(relativeTo: URL(string: "https://mocks.invalid"))
            let path = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?.percentEncodedPath
            segments = Self.segments(of: path ?? "")
            objection = nil
        } catch {
            segments = []
            objection = error
        }
    }

    /// An endpoint of a catalog, whose placeholders stand for anything.
    ///
    /// - Returns: nil for an endpoint that names no mock.
    init?(_ name: String, of file: EndpointFile) {
        guard let endpoint = file.endpoint(name), let mock = endpoint[.mock]?.string else { return nil }
        self.name = name
        self.mock = mock
        responseType = nil
        method = HTTPMethod(rawValue: endpoint[.httpMethod]?.string ?? "GET").rawValue
        let path = (endpoint[.path]?.string ?? "").prefix { $0 != "?" }
        segments = Self.segments(of: String(path)).map { $0?.contains("{") == true ? nil : $0 }
        objection = nil
    }

    private static func segments(of path: String) -> [String?] {
        path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }

    /// True when a mock's `for` allows the route.
    func fits(_ allowed: MockRoute) -> Bool {
        guard allowed.method.uppercased() == method, allowed.segments.count == segments.count else { return false }
        return zip(allowed.segments, segments).allSatisfy { allowed, segment in
            guard let allowed, let segment else { return true }
            return (allowed.removingPercentEncoding ?? allowed) == segment
        }
    }

    /// `GET /users/octocat`
    var request: String { "\(method) /" + segments.map { $0 ?? "{…}" }.joined(separator: "/") }
}
