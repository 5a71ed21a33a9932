/// An enum router: each case is an endpoint, described by properties that switch over the cases.
///
/// ```swift
/// enum GitHub {
///     case user(login: String)
///     case repos(owner: String, page: Int)
/// }
///
/// nonisolated extension GitHub: Routable {
///     var path: RoutePath {
///         switch self {
///         case .user(let login): "users/\(login)"
///         case .repos(let owner, _): "users/\(owner)/repos"
///         }
///     }
///     var parameters: Parameters? {
///         switch self {
///         case .user: nil
///         case .repos(_, let page): ["page": page, "per_page": 100]
///         }
///     }
/// }
/// ```
///
/// Write the conformance as an extension, because the compiler then warns about a property with a misspelled name or a
/// wrong type. In the enum itself, the compiler would take such a property for one of your own. The word `nonisolated`
/// is needed if the main actor is the default isolation of the module.
///
/// In tests, the file `Mocks/user.json` answers the case `user`: see ``mock``.
///
/// Every property except ``path`` has a default. If you prefer one switch that returns whole routes, conform to
/// ``RouteConvertible`` instead.
public protocol Routable: RouteConvertible {
    /// The request method; GET by default.
    var method: HTTPMethod { get }
    /// The path below the environment's base URL, or an absolute URL.
    var path: RoutePath { get }
    /// Named values, which are sent in the query or in the body, as ``encoding`` selects; none by default.
    var parameters: Parameters? { get }
    /// Named values that go into the query, whatever the request method is; none by default.
    var query: Parameters { get }
    /// Where ``parameters`` are sent: by default, in the query for GET, HEAD and DELETE, and in a JSON body for other
    /// methods.
    var encoding: ParameterEncoding? { get }
    /// Header fields that are sent in addition to the client's header fields; none by default. A field replaces the
    /// client's field with the same name.
    var headers: HTTPHeaders { get }
    /// A body that is not made from ``parameters``; none by default.
    var body: RequestBody? { get }
    /// The mock that answers in a sealed environment. By default, the property is nil, and the mock has the name of the
    /// enum case: `Mocks/GitHub/user.json` answers `GitHub.user(login:)`. If there is no such file, `Mocks/user.json`
    /// answers. For a struct, the mock has the name of the struct.
    ///
    /// Implement this property if a mock has another name. For a case without a mock, return ``MockName/unmocked``:
    /// calls of this case fail in a sealed environment. If an enum implements `description` or `customMirror` itself,
    /// the library cannot find the names of its cases, so the enum must name its mocks.
    var mock: MockName? { get }
    /// Whether the client's ``Authorization`` is sent; ``AuthorizationPolicy/optional`` by default.
    var authorization: AuthorizationPolicy { get }
    /// The time limit for the whole call, including redirects and retries; the client's timeout by default.
    var timeout: Duration? { get }
    /// When and how often the call is retried after a failure; nil, the default, means the environment's or the
    /// client's policy. The property alone does not permit a retry of a POST: a POST is retried only if it has an
    /// idempotency key, or if ``isRepeatable`` is true. If the environment sets `"$retry": "off"`, this property has no
    /// effect.
    var retry: RetryPolicy? { get }
    /// Whether the request may safely be sent twice although its method is not idempotent; false by default.
    var isRepeatable: Bool { get }
    /// The environment key whose value is the base URL; nil, the default, means the client's base URL. Set a key if the
    /// router's endpoints are on a server other than the client's, such as the OAuth server beside an API. That server
    /// gets the client's credentials only if a route's ``authorization`` allows that.
    var baseURLKey: String? { get }
    /// Whether the value of the response is inside the client's ``ClientConfiguration/wrapper``; true by default.
    /// Return false for a route whose service sends the value alone, such as a login.
    var isWrapped: Bool { get }
    /// The type of the response body, for tools that check mocks against models; unknown by default.
    var responseType: (any (Decodable & Sendable).Type)? { get }
}

extension Routable {
    /// The default method, GET.
    public var method: HTTPMethod { .get }
    /// The default: no parameters.
    public var parameters: Parameters? { nil }
    /// The default: no items. The query contains only the values of ``path`` and ``parameters``.
    public var query: Parameters { Parameters() }
    /// The default: the method decides where the parameters go.
    public var encoding: ParameterEncoding? { nil }
    /// The default: no headers.
    public var headers: HTTPHeaders { HTTPHeaders() }
    /// The default: no body except the parameters.
    public var body: RequestBody? { nil }
    /// The default: the mock has the name of the case.
    public var mock: MockName? { nil }
    /// The default policy, ``AuthorizationPolicy/optional``.
    public var authorization: AuthorizationPolicy { .optional }
    /// The default: the timeout of the environment or of the client.
    public var timeout: Duration? { nil }
    /// The default: the policy of the environment or of the client.
    public var retry: RetryPolicy? { nil }
    /// The default, false: the request may be sent twice only if its method is idempotent or it has an idempotency key.
    public var isRepeatable: Bool { false }
    /// The default: the client's base URL.
    public var baseURLKey: String? { nil }
    /// The default: if the client has a wrapper, the value is inside the wrapper.
    public var isWrapped: Bool { true }
    /// The default: the response type is not known.
    public var responseType: (any (Decodable & Sendable).Type)? { nil }

    /// The route built from the properties.
    public var route: Route { Route(properties: self) }
}
