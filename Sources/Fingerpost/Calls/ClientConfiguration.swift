public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// How a client sends: ``APIClient/Configuration``. Every setting has a default.
public struct ClientConfiguration: Sendable {
    /// The environment; by default ``Environment/current``, asked at every call. The environment of an ``APIScope``
    /// comes before either.
    public var environment: Environment?
    /// The base URL; by default the environment's value for ``baseURLKey``. With it no environment is needed, but where there is one
    /// it counts: a sealed one answers from mocks. ``APIClient/init(baseURL:_:)`` leaves it out.
    public var baseURL: URL?
    /// The environment's key for the base URL; `baseURL` by default.
    public var baseURLKey = "baseURL"
    /// The folder of the mocks; by default `Mocks/` beside the environment's folder, or else in the resources that the plugin
    /// bundled, those of the main bundle, or the working directory.
    public var mocks: URL?
    /// Headers of every request, which those of a route replace name by name. `Accept: application/json` by default.
    public var headers: HTTPHeaders = [.accept: "application/json"]
    /// How values are written in queries and forms. What the environment has for `$dialect` (`standard`, `rails` or `java`) comes
    /// before it, and what the route has before both: a file can be changed where the code cannot.
    public var dialect = QueryDialect.standard
    /// Writes JSON bodies; by default with ISO 8601 dates and sorted keys. Queries and forms go by ``dialect`` instead, and the
    /// names of ``Parameters`` are not converted. Do not change it after it is set.
    public var encoder = JSONEncoder.standard
    /// The credentials that are sent with every route that does not say otherwise. They go to the base URL's origin alone, and
    /// elsewhere only with a route that says ``AuthorizationPolicy/required``.
    public var authorization: Authorization?
    /// The last word on each request, before authorization and middleware; the route's own comes first.
    public var configure: (@Sendable (inout URLRequest, Route) throws -> Void)?
    /// Throws for a response that is a failure although its status is not, which fails the call with that error's text.
    public var validate: (@Sendable (Response<Data>, Route) throws -> Void)?
    /// The object that the service puts around every value; none by default.
    public var wrapper: ResponseWrapper?
    /// The body that the service sends with errors: it becomes ``APIError/response``. None by default.
    public var errorResponse: (any ErrorResponse.Type)?
    /// Decoders for other content types than JSON, by the type in lower case: `["application/xml": XMLDecoder()]`.
    public var decoders: [String: any BodyDecoder] = [:]
    /// Reads JSON bodies; by default with ISO 8601 dates, with and without fractional seconds. Do not change it after
    /// it is set.
    public var decoder = JSONDecoder.standard
    /// The time for a whole call, redirects and middleware included; 60 seconds by default. Fractions count. What the environment
    /// has for `$timeout` (seconds) comes before it, and what the route has before both.
    public var timeout = Duration.seconds(60)
    /// Carries the requests; by default a ``URLSessionTransport`` of the client's own. Not used under a sealed
    /// environment, where mocks answer.
    public var transport: (any Transport)?
    /// The steps between the client and the transport, the outermost first.
    public var middleware: [any Middleware] = []

    public init() {}
}
