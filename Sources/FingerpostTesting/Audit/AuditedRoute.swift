public import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

/// The properties of an endpoint that an audit checks.
struct AuditedRoute: Sendable {
    let name: String
    let mock: String
    /// The router whose enum case gave the mock its name; nil if the route sets its mock's name.
    private(set) var router: RouterName?
    let responseType: (any (Decodable & Sendable).Type)?
    /// The property that the response type was read from: `responseType of API.user(login:)`.
    let typeProperty: String
    /// The method and path: `GET users/octocat`.
    let request: String
    /// The percent-encoded query of the sample's request. Nil if the route names environment keys, if no request can be
    /// created, or if the endpoint comes from a catalog.
    private(set) var query: String?
    /// True for a route whose responses have no content.
    let isHead: Bool
    /// The reason why no request can be created from the route; nil if a request can be created.
    let objection: APIError?
    /// The environment keys that the route names.
    private(set) var keys: [EnvironmentKey] = []

    /// An environment key that a route contains.
    struct EnvironmentKey: Hashable, Sendable {
        let name: String
        let place: KeyLookup.Place
    }

    /// True if the sample has an absolute URL. The path of an absolute URL does not describe other URLs of the same
    /// enum case.
    let isAbsolute: Bool
    /// Returns true if the `for` entry in a mock's settings matches the route's method and path.
    let fits: @Sendable (MockRoute) -> Bool

    /// - Parameter client: the client whose query dialect and encoder create the request.
    /// - Returns: nil if the route has no mock.
    /// - Throws: ``APIError`` if the mock's name cannot be determined.
    init?(_ route: Route, in folder: MockIndex, by client: APIClient) throws(APIError) {
        guard let mock = try folder.mockName(of: route) else { return nil }
        name = route.name
        self.mock = mock.rawValue
        if route.mock == nil { router = route.origin.map { RouterName(type(of: $0)) } }
        responseType = route.responseType
        typeProperty = "\(route.origin is any Routable ? "responseType" : "route.responseType") of \(route.name)"
        let (method, path) = (route.method.rawValue, route.path)
        request = "\(method) \(Redaction.url(path.description))"
        // A sample with a one-time address can be a list. The server chooses the addresses of the list's other pages,
        // so the paths of `for` entries with a query are not compared.
        let isOfOneTime = route.isOfOneTime
        fits = { $0.method == method && (isOfOneTime && !$0.query.isEmpty || $0.matches(path: path)) }
        isAbsolute = path.isAbsolute
        // The lookup returns a value for every key. lookForEnvironmentKeys later checks whether the environments have
        // the keys.
        let keys = Locked<[EnvironmentKey]>([])
        let lookup = KeyLookup.closure { key, place in
            keys.withLock { $0.append(EnvironmentKey(name: key, place: place)) }
            return Node(.string("value"))
        }
        isHead = route.method == .head
        do throws(APIError) {
            let request = try route.urlRequest(
                relativeTo: URL(string: "https://mocks.invalid"), lookup: lookup, dialect: client.dialect,
                encoder: client.configuration.encoder)
            if keys.withLock({ $0.isEmpty }) { query = request.url?.query(percentEncoded: true) ?? "" }
            objection = nil
        } catch {
            objection = error
        }
        // A base URL may be a secret, so its key gets the place `.header`, where secrets are allowed.
        let server = route.baseURLKey.map { EnvironmentKey(name: $0, place: .header) }
        self.keys = [server].compactMap { $0 } + keys.withLock { $0 }
    }

    /// Creates an audited route from an endpoint in a catalog.
    init(_ endpoint: MockedEndpoint) {
        name = endpoint.name
        mock = endpoint.mock
        responseType = nil
        typeProperty = name
        objection = nil
        isAbsolute = false
        let (method, segments) = (endpoint.method, endpoint.segments)
        isHead = method == "HEAD"
        request = "\(method) \(endpoint.path)"
        fits = { allowed in
            let compared = allowed.comparedSegments
            guard allowed.method == method, compared.count == segments.count else { return false }
            for (one, other) in zip(compared, segments) {
                // A placeholder matches any segment.
                if let one, let other, one != other { return false }
            }
            return true
        }
    }
}

/// A router, together with the client that sends the router's routes. Pass several of these pairs to
/// ``MockAudit/run(_:options:filePath:sourceLocation:)``.
public struct AuditedRouter: Sendable {
    let router: any SampledRoutes.Type
    let client: APIClient

    /// - Parameters:
    ///   - router: the router whose samples are audited.
    ///   - client: the client whose calls the router's mocks answer. The audit uses the client's wrapper, coders, error
    ///     type and dialect.
    public init(_ router: any SampledRoutes.Type, client: APIClient) {
        self.router = router
        self.client = client
    }
}
