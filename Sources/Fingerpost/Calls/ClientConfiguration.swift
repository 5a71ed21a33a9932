public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The settings of an ``APIClient``. Every setting has a default.
public struct ClientConfiguration: Sendable {
    /// The environment. By default it is ``Environment/current``, which is read again for every call. The environment
    /// of an ``APIScope`` takes precedence over this setting and over ``Environment/current``.
    public var environment: Environment?
    /// The base URL; by default the environment's value for ``baseURLKey``. If it is set, the environment may be
    /// missing. An environment that exists still applies, so mocks answer under a sealed environment. For a client that
    /// does not look for an environment, use ``APIClient/init(baseURL:_:)``.
    public var baseURL: URL?
    /// The environment's key for the base URL; `baseURL` by default.
    public var baseURLKey = "baseURL"
    /// The mocks folder. By default it is `Mocks/` beside the environment's folder. If that folder does not exist,
    /// `Mocks/` is looked up in the resources that the plugin bundled, in the main bundle's resources, and in the
    /// working directory.
    public var mocks: URL?
    /// The headers sent with every request; a route's header replaces the header of the same name in this setting.
    /// `Accept: application/json` by default.
    public var headers: HTTPHeaders = [.accept: "application/json"]
    /// How values are written in queries and forms; ``QueryDialect/standard`` by default. The environment's `$dialect`
    /// (`standard`, `rails` or `java`) takes precedence over this setting, and the route's dialect takes precedence
    /// over both.
    public var dialect = QueryDialect.standard
    /// The encoder for JSON bodies; by default, it writes ISO 8601 dates and sorted keys. Queries and forms use
    /// ``dialect`` instead, and the names of ``Parameters`` are not converted. Do not modify the encoder after setting
    /// it.
    public var encoder = JSONEncoder.standard
    /// The credentials; none by default. They are sent to the base URL's origin, unless the route's policy is
    /// ``AuthorizationPolicy/none``. They are sent to other origins only for routes with the policy
    /// ``AuthorizationPolicy/required``.
    public var authorization: Authorization?
    /// A closure that changes each request after the request is built; none by default. It runs after the route's own
    /// closure, and before middleware and authorization. An error that the closure throws fails the call before
    /// anything is sent.
    public var configure: (@Sendable (inout URLRequest, Route) throws -> Void)?
    /// A closure that rejects responses that have a success status but report a failure; none by default. An error that
    /// the closure throws fails the call and provides the message of the ``APIError``.
    public var validate: (@Sendable (Response<Data>, Route) throws -> Void)?
    /// The object that the service puts around every value; none by default.
    public var wrapper: ResponseWrapper?
    /// The type that the service's error bodies are decoded as; the result is in ``APIError/response``. None by
    /// default.
    public var errorResponse: (any ErrorResponse.Type)?
    /// The decoders for content types other than JSON, keyed by media type in lower case:
    /// `["application/xml": XMLDecoder()]`. Empty by default. All other bodies are read by ``decoder``.
    public var decoders: [String: any BodyDecoder] = [:]
    /// The decoder for JSON bodies; by default, it reads ISO 8601 dates with and without fractional seconds. Do not
    /// modify the decoder after setting it.
    public var decoder = JSONDecoder.standard
    /// How long a whole call may take, including redirects and middleware; 60 seconds by default. Fractions of a second
    /// are supported. The environment's `$timeout` (in seconds) takes precedence over this setting, and the route's
    /// timeout takes precedence over both.
    public var timeout = Duration.seconds(60)
    /// The transport that sends the requests; by default a new ``URLSessionTransport``. The transport is not used for
    /// calls that mocks answer, for example under a sealed environment.
    public var transport: (any Transport)?
    /// The steps between the client and the transport, the outermost first; none by default.
    public var middleware: [any Middleware] = []

    /// Creates a configuration with default settings.
    public init() {}
}
