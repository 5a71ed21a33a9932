import FingerpostFiles

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One request as a value: method, path, parameters, headers, body, and the mock that answers it in tests.
///
/// Every ``RouteConvertible`` becomes a route, and a route can also be sent by itself. Build a route fluently or by
/// assignment:
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
/// Nothing is checked until you call ``urlRequest(relativeTo:)`` or send the route with a client. Mistakes in a route
/// are then reported as ``APIError``.
public struct Route: RouteConvertible {
    /// The request method; GET by default.
    public var method: HTTPMethod
    /// The path below the base URL, or an absolute URL.
    public var path: RoutePath
    /// The scheme for a route that sets a ``host``; nil means `https`.
    public var scheme: String?
    /// The host for a route to a different server; nil means the base URL's host. Leave the host nil if the path is an
    /// absolute URL.
    public var host: String?
    /// The port for a route that sets a ``host``; nil means the scheme's default port.
    public var port: Int?
    /// Values that go into the query, whatever the request method is.
    public var query: Parameters
    /// Named values, which are sent where ``encoding`` selects: by default, in the query for GET, HEAD and DELETE, and
    /// in the body for other methods.
    public var parameters: Parameters?
    /// Where ``parameters`` are sent; nil means the method's default.
    public var encoding: ParameterEncoding?
    /// How values are written in the query and in forms; nil means the client's dialect.
    public var dialect: QueryDialect?
    /// Header fields. A field replaces the client's field with the same name.
    public var headers: HTTPHeaders
    /// A body that is not made from ``parameters``. If a body is set, the parameters go into the query by default.
    public var body: RequestBody?
    /// The mock that answers in a sealed environment. If the property is nil, the mock has the name of the router's
    /// case: see ``Routable/mock``. A route that was not created from a router has no such name, and its calls fail in
    /// a sealed environment.
    public var mock: MockName?
    /// Whether the client's ``Authorization`` is sent; ``AuthorizationPolicy/optional`` by default.
    public var authorization: AuthorizationPolicy
    /// Whether redirects are followed; ``RedirectPolicy/follow`` by default.
    public var redirects = RedirectPolicy.follow
    /// Which statuses are accepted as responses; ``StatusPolicy/success`` by default. All other statuses are errors.
    public var acceptedStatuses = StatusPolicy.success
    /// Whether the value of the response is inside the client's ``ClientConfiguration/wrapper``; true by default.
    public var isWrapped: Bool
    /// The time limit for the whole call, including redirects and retries; nil means the client's timeout.
    public var timeout: Duration?
    /// The type of the response body, for tools that check mocks against models.
    public var responseType: (any (Decodable & Sendable).Type)?
    /// The settings that few routes have.
    var extras: Boxed<RouteExtras>?

    /// A closure that changes the request after it is built, for settings that a route does not have, such as
    /// `cachePolicy`, `allowsCellularAccess` or a signature. The changed request is checked again.
    public var configure: (@Sendable (inout URLRequest) throws -> Void)?

    /// The value that this route was created from. The value's name is computed only on demand.
    package var origin: (any RouteConvertible)?
    /// The name set with ``named(_:)``, or the name of an endpoint in an `EndpointCatalog`.
    var label: String?

    /// Creates a route. Fluent code such as `Route.get("users").query(…)` is usually easier to read than a call of this
    /// initializer.
    public init(method: HTTPMethod = .get, path: RoutePath) {
        (self.method, self.path) = (method, path)
        (query, headers, authorization, isWrapped) = (Parameters(), HTTPHeaders(), .optional, true)
    }

    /// Creates a GET route for the base URL, and lets a closure assign the properties of the route.
    public init(_ configure: (inout Route) throws -> Void) rethrows {
        self.init(path: "")
        try configure(&self)
    }

    /// Creates the route of a router's enum case. The route keeps the name and the mock of the enum case. Use this
    /// initializer to change the route by assignment:
    ///
    /// ```swift
    /// var route = Route(of: GitHub.user(login: "octocat"))
    /// route.headers[.accept] = nil
    /// ```
    public init(of router: some RouteConvertible) { self = Route.from(router) }

    /// The route of any ``RouteConvertible`` value. The route keeps the value so that ``name`` can show the value's
    /// name. This is a function because an initializer would copy the route.
    package static func from(_ convertible: some RouteConvertible) -> Route {
        var route = convertible.route
        if case nil = route.origin, type(of: convertible) != Route.self { route.origin = convertible }
        return route
    }

    /// The route itself.
    public var route: Route { self }

    /// Builds a route from a router's properties. Use this initializer in a custom `route` to add settings for which
    /// the router has no property:
    ///
    /// ```swift
    /// var route: Route { Route(properties: self).query("v", 2).dialect(.rails) }
    /// ```
    public init(properties router: some Routable) {
        (method, path, query, headers) = (router.method, router.path, router.query, router.headers)
        (parameters, encoding, body) = (router.parameters, router.encoding, router.body)
        (mock, responseType, origin) = (router.mock, router.responseType, router)
        (authorization, timeout, isWrapped) = (router.authorization, router.timeout, router.isWrapped)
        if let key = router.baseURLKey { baseURLKey = key }
        if let policy = router.retry { change { $0.retryOfCase = policy } }
        if router.isRepeatable { isRepeatable = true }
    }

    /// The name used in errors and logs: the name set with ``named(_:)``, or the name of an endpoint in an
    /// `EndpointCatalog`. Without such a name, the property returns the name of the value that the route was created
    /// from, such as `GitHub.repos(owner:page:)` for an enum case. Associated values are left out because they may be
    /// secret. For any other route, the name consists of the method and the path.
    @inline(never)
    public var name: String {
        label ?? origin.map(RouteName.name(of:)) ?? "\(method) \(Redaction.url(path.text))"
    }
}

extension Route: CustomStringConvertible {
    /// The ``name``, without secrets of the environment. Parameters and bodies are left out because they may contain
    /// secrets.
    public var description: String { CallSecrets.inForce.hide(name) }
}

extension Route: CustomReflectable {
    /// The name, the method, the path and the mock. Parameters and bodies are left out because they may contain
    /// secrets.
    public var customMirror: Mirror {
        let path = CallSecrets.inForce.hide(Redaction.url(path.text))
        return Mirror(
            self, children: ["name": description, "method": method, "path": path, "mock": mock as Any],
            displayStyle: .struct)
    }
}

/// Whether a route is sent with the client's ``Authorization``.
///
/// The policy applies to the request's final origin, which ``Route/configure`` and middleware can change. Credentials
/// in ``ClientConfiguration/headers`` are sent to the base URL's origin under every policy. Other origins get these
/// credentials by the same rules as the client's ``Authorization``.
///
/// If a redirect or a link leads to another origin, ``required`` and ``anywhere`` work like ``optional`` there, because
/// a server chose that origin.
public enum AuthorizationPolicy: String, Sendable, Hashable {
    /// The credentials are never sent. Use this policy for routes that obtain credentials (`login`) or need none.
    case none
    /// The credentials are sent if the client has any, and only to the base URL's origin. This is the default.
    case optional
    /// The credentials are sent to the base URL's origin, and to the origin of the route's ``Routable/baseURLKey``. If
    /// the request goes to another origin, the call fails and nothing is sent. The call also fails if the client has no
    /// credentials and the route sets no `Authorization` header. If a mock answers the call, the call may go to any
    /// origin.
    case required
    /// The credentials are sent to any origin. If the client has no credentials, the call fails, as with ``required``.
    /// A client without a base URL needs this policy to send its credentials.
    ///
    /// - Warning: Use this policy only for servers that the app itself names. If an address comes from a server, such
    ///   as a stored link, the host in that address would get the credentials.
    case anywhere

    /// True if a request is sent only with a credential.
    var isStrict: Bool { [.required, .anywhere].contains(self) }
}

/// Whether the client follows the redirects of a route.
public enum RedirectPolicy: String, Hashable, Sendable {
    /// Redirects are followed. This is the default.
    case follow
    /// A redirect is the route's response: its status, such as 302, is not an error.
    case manual
}

/// Which statuses a route accepts as its response.
public enum StatusPolicy: String, Hashable, Sendable {
    /// 200…299 (RFC 9110 section 15.3), and the statuses that the route requests: 304 if the route sets `If-None-Match`
    /// or `If-Modified-Since`, and any 3xx with ``RedirectPolicy/manual``. Other statuses are an ``APIError``. This is
    /// the default.
    case success
    /// Every status is accepted as a response, and the whole body is decoded as the type that the caller requests. Use
    /// this policy for a proxy, or for a generated client that handles each status itself. As for other routes, the
    /// client follows redirects, replaces expired tokens and retries failures. The last response is the result.
    /// ``ClientConfiguration/validate`` checks only the statuses 200…299. A download writes its file only for these
    /// statuses; for any other status, the body is in ``Response/data``.
    case all
}

extension Route {
    /// The credentials in the route. If building a request fails, the error shows placeholders for these credentials.
    package var credentials: [String] {
        headers.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: path.text) + formCredentials
    }

    /// The passwords in the route's form. The request itself may lack the passwords, because a large form is written to
    /// a file.
    var formCredentials: [String] {
        (writtenBody?.fields ?? []).filter { SensitiveName.isPassword($0.name) }.compactMap { $0.value?.text }
    }

    /// The body that is written to memory or a file before the request is built, such as a form; nil for any other
    /// body.
    package var writtenBody: (any WrittenBody)? {
        if case .stream(let stream)? = body { stream.written } else { nil }
    }
}

/// Settings that few routes have. One reference holds all these settings, so that other routes stay small.
struct RouteExtras: Sendable {
    var retry: RetryPolicy?
    /// The policy of the router's enum case. This policy sets when a request is retried, but does not permit a retry of
    /// a POST.
    var retryOfCase: RetryPolicy?
    var isRepeatable = false
    var idempotencyKey: IdempotencyKey?
    var idleTimeout: Duration?
    var baseURLKey: String?
    var pageItems: Set<String>?
}

extension Route {
    // This function is not inlined, because each of the properties below would otherwise contain code that copies all
    // values.
    @inline(never)
    private mutating func change(_ change: (inout RouteExtras) -> Void) {
        var values = extras?.wrappedValue ?? RouteExtras()
        change(&values)
        extras = Boxed(wrappedValue: values)
    }

    /// How often a call is retried after a failure; nil means the environment's or the client's policy. This policy
    /// also applies to methods that are not idempotent, such as POST: set it only for requests that may safely be sent
    /// twice.
    public var retry: RetryPolicy? {
        get { extras?.wrappedValue.retry }
        set { change { $0.retry = newValue } }
    }

    /// Whether the request may safely be sent twice although its method is not idempotent; false by default.
    public var isRepeatable: Bool {
        get { extras?.wrappedValue.isRepeatable ?? false }
        set { change { $0.isRepeatable = newValue } }
    }

    /// Returns true if the method or the key makes a second request safe (RFC 9110 section 9.2.2), or if the route
    /// permits a second request. A route gives this permission with ``isRepeatable``, or with a ``retry`` policy of its
    /// own.
    ///
    /// - Parameters:
    ///   - method: the method of the request.
    ///   - hasKey: true for a request with an idempotency key.
    package func mayBeSentTwice(with method: HTTPMethod, hasKey: Bool) -> Bool {
        method.isIdempotent || hasKey || isRepeatable || (retry?.maximumAttempts ?? 1) > 1
    }

    /// Returns the first policy that is set: the policy of the route itself, of the router's enum case, of the
    /// environment, or of the client. If the environment turns retries off, the policy of the enum case is ignored.
    // This function is inlined, because each call would otherwise copy its route.
    @inline(__always)
    func policy(in environment: RetryPolicy?, of client: RetryPolicy?) -> RetryPolicy? {
        let isOff = environment?.maximumAttempts == 1
        return retry ?? (isOff ? nil : extras?.wrappedValue.retryOfCase) ?? environment ?? client
    }

    /// How long a call may wait for the next bytes of the response; nil means the client's idle timeout.
    public var idleTimeout: Duration? {
        get { extras?.wrappedValue.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }

    /// The environment key whose value is the route's base URL; nil means the client's base URL. Set a key if the route
    /// goes to a server other than the client's.
    public var baseURLKey: String? {
        get { extras?.wrappedValue.baseURLKey }
        set { change { $0.baseURLKey = newValue } }
    }

    /// The names of the query items that identify this page of a list; nil for the first page, and for a route that
    /// loads no page.
    package var pageItems: Set<String>? {
        get { extras?.wrappedValue.pageItems }
        set { change { $0.pageItems = newValue } }
    }

    package var idempotencyKey: IdempotencyKey? {
        get { extras?.wrappedValue.idempotencyKey }
        set { change { $0.idempotencyKey = newValue } }
    }
}

/// The value of `Idempotency-Key` for a route.
package enum IdempotencyKey: Equatable, Sendable {
    /// A new random key for each call.
    case random
    case fixed(String)
}
