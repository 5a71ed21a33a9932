#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One request as a value: method, path, parameters, headers, body, and the mock that answers it in tests.
///
/// Every ``RouteConvertible`` becomes a route, and a route can stand alone. Build it fluently, or by assignment:
///
/// ```swift
/// let search = Route.get("search/repositories").query("q", "swift http").header(.accept, "application/json")
///
/// let login = Route {
///     $0.method = .post
///     $0.path = "login"
///     $0.parameters = ["email": email, "password": password]
/// }
/// ```
///
/// Nothing is checked before ``urlRequest(relativeTo:)`` or a call of the client, which report what is wrong as
/// ``APIError``.
public struct Route: RouteConvertible {
    /// The request method; GET by default.
    public var method: HTTPMethod
    /// The path below the base URL, or an absolute URL.
    public var path: RoutePath
    /// The scheme where there is a ``host``: `https` by default.
    public var scheme: String?
    /// The host, for a route that leads elsewhere than the base URL; nil leaves it to the base URL. An absolute path has its own.
    public var host: String?
    /// The port where there is a ``host``; nil for the scheme's own.
    public var port: Int?
    /// Values for the query, whatever the method.
    public var query: Parameters = [:]
    /// Values placed by ``encoding``: in the query for GET, HEAD and DELETE, else in the body.
    public var parameters: Parameters?
    /// Where ``parameters`` go; nil leaves it to the method.
    public var encoding: ParameterEncoding?
    /// How values are written in the query; nil leaves it to the client.
    public var dialect: QueryDialect?
    /// Header fields, which replace those of the client name by name.
    public var headers: HTTPHeaders = [:]
    /// A body other than ``parameters``, which then go into the query.
    public var body: RequestBody?
    /// The mock that answers under a sealed environment.
    public var mock: MockName?
    /// Whether the client's ``Authorization`` is sent; by default where there is one.
    public var authorization = AuthorizationPolicy.optional
    /// The time for the whole call, redirects and retries included; nil leaves it to the client.
    public var timeout: Duration?
    /// What the route answers with, for tools that check mocks against models.
    public var responseType: (any (Decodable & Sendable).Type)?

    /// The last word on the request, for what a route cannot say: `cachePolicy`, `allowsCellularAccess`, a signature. It is
    /// checked again afterwards.
    public var configure: (@Sendable (inout URLRequest) throws -> Void)?

    /// What was turned into this route; its name is made only when it is asked for.
    package var origin: (any RouteConvertible)?
    /// A name that was given.
    var label: String?

    public init(method: HTTPMethod = .get, path: RoutePath) {
        self.method = method
        self.path = path
    }

    /// A route made by assignment; GET of the base URL where nothing is assigned.
    public init(_ configure: (inout Route) throws -> Void) rethrows {
        self.init(path: "")
        try configure(&self)
    }

    /// The route of any convertible, which keeps its name.
    package init(_ convertible: some RouteConvertible) {
        self = convertible.route
        if origin == nil, type(of: convertible) != Route.self { origin = convertible }
    }

    public var route: Route { self }

    /// The route of any router, by its own properties, to add what those cannot say:
    ///
    /// ```swift
    /// var route: Route { Route(properties: self).query("v", 2).dialect(.rails) }
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
        origin = router
    }

    /// What the route is called in errors and logs: the name it was given, or `GitHub.repos(owner:page:)` for an enum case,
    /// which leaves out the associated values as they may be secret, else the method and the path.
    public var name: String {
        label ?? origin.map(RouteName.name(of:)) ?? "\(method) \(Redaction.url(path.text))"
    }
}

extension Route: CustomStringConvertible {
    /// The ``name``: parameters and bodies may hold secrets.
    public var description: String { name }
}

extension Route: CustomReflectable {
    /// The name, the method and the path. Parameters and bodies may hold secrets.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["name": name, "method": method, "path": Redaction.url(path.text), "mock": mock as Any],
            displayStyle: .struct)
    }
}
