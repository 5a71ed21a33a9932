/// An enum router: each case is an endpoint, described by properties that switch over the cases.
///
/// ```swift
/// enum GitHub: Routable {
///     case user(login: String)
///     case repos(owner: String, page: Int)
///
///     var path: RoutePath {
///         switch self {
///         case .user(let login): "users/\(login)"
///         case .repos(let owner, _): "users/\(owner)/repos"
///         }
///     }
///     var parameters: Parameters? {
///         switch self {
///         case .user: nil
///         case .repos(_, let page): ["page": page]
///         }
///     }
///     var mock: MockName? { … }
/// }
/// ```
///
/// Everything but ``path`` has a default. Where one switch that returns whole routes reads better, conform to
/// ``RouteConvertible`` instead.
public protocol Routable: RouteConvertible {
    /// The request method; GET by default.
    var method: HTTPMethod { get }
    /// The path below the environment's base URL, or an absolute URL.
    var path: RoutePath { get }
    /// Named values, placed by ``encoding``; none by default.
    var parameters: Parameters? { get }
    /// Where ``parameters`` go; by default the query for GET, HEAD and DELETE, and a JSON body for the others.
    var encoding: ParameterEncoding? { get }
    /// Header fields beside those of the client, which they replace name by name; none by default.
    var headers: HTTPHeaders { get }
    /// A body other than ``parameters``; none by default.
    var body: RequestBody? { get }
    /// The mock that answers under a sealed environment; none by default, which makes the call an error there.
    var mock: MockName? { get }
    /// Whether the client's ``Authorization`` is sent; by default where there is one.
    var authorization: AuthorizationPolicy { get }
    /// The time for the whole call; the client's by default.
    var timeout: Duration? { get }
    /// What the route answers with, for tools that check mocks against models; unknown by default.
    var responseType: (any (Decodable & Sendable).Type)? { get }
}

extension Routable {
    public var method: HTTPMethod { .get }
    public var parameters: Parameters? { nil }
    public var encoding: ParameterEncoding? { nil }
    public var headers: HTTPHeaders { [:] }
    public var body: RequestBody? { nil }
    public var mock: MockName? { nil }
    public var authorization: AuthorizationPolicy { .optional }
    public var timeout: Duration? { nil }
    public var responseType: (any (Decodable & Sendable).Type)? { nil }

    /// The route that the properties describe.
    public var route: Route { Route(properties: self) }
}

extension Route {
    /// The route that the properties of a router describe, for a router that has more to say than they can:
    ///
    /// ```swift
    /// var route: Route {
    ///     Route(properties: self).configure { $0.cachePolicy = .reloadIgnoringLocalCacheData }
    /// }
    /// ```
    public init(properties router: some Routable) {
        self.init(method: router.method, path: router.path)
        parameters = router.parameters
        encoding = router.encoding
        headers = router.headers
        body = router.body
        mock = router.mock
        authorization = router.authorization
        timeout = router.timeout
        responseType = router.responseType
    }
}
