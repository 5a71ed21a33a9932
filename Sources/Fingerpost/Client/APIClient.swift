import FingerpostFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends routes and decodes what comes back.
///
/// ```swift
/// let client = try APIClient()                                              // reads Environments/
/// let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
/// ```
///
/// Under a sealed environment (one whose description is `Testing`) mocks answer and nothing is sent; under any other the
/// request goes to the environment's base URL. Make one client and keep it: it reuses its connections. It is safe to use
/// from anywhere.
///
/// Every method throws ``APIError`` and nothing else.
public final class APIClient: Sendable {
    /// How a client sends.
    public typealias Configuration = ClientConfiguration

    /// How this client sends.
    public var configuration: Configuration { sender.configuration }
    let sender: Sender
    /// True for a client that was made for a base URL, where there may be no environment at all.
    private let standsAlone: Bool

    /// A client for the environment that is selected: see ``Environment/load(_:from:)``.
    ///
    /// - Parameter configuration: how it sends.
    /// - Throws: ``APIError`` of the kind `environment` when there is no environment or its file is broken.
    public convenience init(_ configuration: Configuration = Configuration()) throws(APIError) {
        self.init(unchecked: configuration)
        _ = try sender.answering.environment()
    }

    /// A client for one base URL, without any environment but that of an ``APIScope``.
    ///
    /// To keep the environment, and its mocks, set ``ClientConfiguration/baseURL`` instead.
    ///
    /// - Parameters:
    ///   - baseURL: what relative paths are joined to. One without scheme or host fails the calls that need it.
    ///   - configuration: how it sends.
    public convenience init(baseURL: URL, _ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.baseURL = baseURL
        self.init(unchecked: configuration, standsAlone: true)
    }

    /// A client configured in place: `try APIClient { $0.timeout = .seconds(5) }`.
    public convenience init(_ configure: (inout Configuration) -> Void) throws(APIError) {
        var configuration = Configuration()
        configure(&configuration)
        try self.init(configuration)
    }

    /// A client that finds out about its environment with its first call.
    ///
    /// - Parameters:
    ///   - network: the transport of another client, to send over its connections.
    ///   - given: the scope of its calls where their tasks have none.
    ///   - origin: the scope that the client is made in.
    private init(
        unchecked configuration: Configuration, standsAlone: Bool = false, over network: (any Transport)? = nil,
        in given: APIScope? = nil, madeIn origin: APIScope? = .current
    ) {
        self.standsAlone = standsAlone
        let settings = Answering.Settings(
            environment: configuration.environment, hasBaseURL: configuration.baseURL != nil, standsAlone: standsAlone,
            mocks: configuration.mocks, timeout: configuration.timeout)
        let answering = Answering(
            settings, network: network ?? configuration.transport ?? URLSessionTransport(), given: given,
            madeIn: origin)
        sender = Sender(configuration, answering: answering)
    }

    /// The same client for another environment. They share the transport and so its connections; calls of this one that are under way
    /// go on as they are.
    ///
    /// ```swift
    /// client = client.with(environment: try Environment.load("Staging"))       // in a debug menu
    /// ```
    ///
    /// The base URL is the environment's from now on, also where ``ClientConfiguration/baseURL`` was set.
    public func with(environment: Environment) -> APIClient {
        var configuration = configuration
        configuration.environment = environment
        configuration.baseURL = nil
        return APIClient(
            unchecked: configuration, over: sender.answering.network, in: sender.answering.given,
            madeIn: .current ?? sender.answering.origin)
    }

    /// The same client, whose calls run in a scope wherever they are made: for previews and demos, where nothing else could hold the
    /// scope open. A call that runs in a scope of its task has that one.
    ///
    /// ```swift
    /// let client = APIClient.shared.with(scope: APIScope(network: .sealed, variants: ["repos": "empty"]))
    /// ```
    public func with(scope: APIScope) -> APIClient {
        APIClient(
            unchecked: configuration, standsAlone: standsAlone, over: sender.answering.network, in: scope,
            madeIn: .current ?? sender.answering.origin)
    }

    /// The client of the process, with the default configuration. A missing or broken environment fails its calls.
    ///
    /// Make a client of your own to configure it. In tests no scope is this one's own, as it is made by whichever test comes first.
    public static let shared = APIClient(unchecked: Configuration(), madeIn: nil)

    // MARK: Calls

    /// Sends a route and decodes the body of the response.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - type: what to decode. `Data` and `String` are passed through, an optional type is nil for an empty body.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Value {
        try await sender.run(Route(route)) { try sender.reader.value(of: $0, as: type) }.value
    }

    /// Sends an endpoint and decodes its response.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(APIError) -> E.Response {
        try await send(endpoint, as: E.Response.self)
    }

    /// Sends a route whose response has nothing to decode.
    public func send(_ route: some RouteConvertible) async throws(APIError) {
        _ = try await send(route, as: NoContent.self)
    }

    /// Sends a route and gives the body as it came, past decoders and ``ClientConfiguration/wrapper``.
    public func data(for route: some RouteConvertible) async throws(APIError) -> Data {
        try await sender.run(Route(route)) { $0.value }.value
    }

    /// Sends a route and gives the whole response: status, headers, body, and the decoded value.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Response<Value> {
        let (value, response) = try await sender.run(Route(route)) { try sender.reader.value(of: $0, as: type) }
        return response.map { _ in value }
    }

    /// Sends a request that was made elsewhere, unchanged but for ``ClientConfiguration/authorization`` and middleware. A sealed
    /// environment has no mock for it, so it fails there.
    public func response(for request: URLRequest) async throws(APIError) -> Response<Data> {
        let path = request.url.map(RoutePath.init) ?? ""
        var route = Route(method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), path: path)
        // 60 seconds are Foundation's default, which nobody asked for.
        if request.timeoutInterval.isFinite, request.timeoutInterval > 0, request.timeoutInterval != 60 {
            route.timeout = .seconds(min(request.timeoutInterval, Double(CallSettings.maximumTimeout)))
        }
        return try await sender.run(route, sending: request) { $0.value }.response
    }
}
