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
    public let configuration: Configuration
    let transport: any Transport
    private let mocks = MockFolderCache()

    /// A client for the environment that is selected: see ``Environment/load(_:from:)``.
    ///
    /// - Parameter configuration: how it sends.
    /// - Throws: ``APIError`` of the kind `environment` when there is no environment or its file is broken.
    public init(_ configuration: Configuration = Configuration()) throws(APIError) {
        self.configuration = configuration
        transport = configuration.transport ?? URLSessionTransport()
        _ = try environment()
    }

    /// A client for one base URL, without any environment.
    ///
    /// - Parameters:
    ///   - baseURL: what relative paths are joined to. One without scheme or host fails the calls that need it.
    ///   - configuration: how it sends.
    public init(baseURL: URL, _ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.baseURL = baseURL
        self.configuration = configuration
        transport = configuration.transport ?? URLSessionTransport()
    }

    /// A client configured in place: `try APIClient { $0.timeout = .seconds(5) }`.
    public convenience init(_ configure: (inout Configuration) -> Void) throws(APIError) {
        var configuration = Configuration()
        configure(&configuration)
        try self.init(configuration)
    }

    /// A client that finds out about its environment with its first call.
    private init(unchecked configuration: Configuration, transport: (any Transport)? = nil) {
        self.configuration = configuration
        self.transport = transport ?? configuration.transport ?? URLSessionTransport()
    }

    /// The same client for another environment. They share the transport and so its connections; calls of this one that are under way
    /// go on as they are.
    ///
    /// ```swift
    /// client = client.with(environment: try Environment.load("Staging"))       // in a debug menu
    /// ```
    ///
    /// The base URL is the environment's from now on, also where ``Configuration/baseURL`` was set.
    public func with(environment: Environment) -> APIClient {
        var configuration = configuration
        configuration.environment = environment
        configuration.baseURL = nil
        return APIClient(unchecked: configuration, transport: transport)
    }

    /// The client of the process, with the default configuration. A missing or broken environment fails its calls.
    ///
    /// Make a client of your own to configure it.
    public static let shared = APIClient(unchecked: Configuration())

    // MARK: Calls

    /// Sends a route and decodes the body of the response.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - type: what to decode. `Data` and `String` are passed through, an optional type is nil for an empty body.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Value {
        try await response(for: route, as: type).value
    }

    /// Sends an endpoint and decodes its response.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(APIError) -> E.Response {
        try await response(for: endpoint, as: E.Response.self).value
    }

    /// Sends a route whose response has nothing to decode.
    public func send(_ route: some RouteConvertible) async throws(APIError) {
        _ = try await response(for: route, as: NoContent.self)
    }

    /// Sends a route and gives the body as it came.
    public func data(for route: some RouteConvertible) async throws(APIError) -> Data {
        try await call(route).run().value
    }

    /// Sends a route and gives the whole response: status, headers, body, and the decoded value.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Response<Value> {
        let call = try await call(route)
        return try call.decode(await call.run(), as: type)
    }

    /// Sends a request that was made elsewhere, unchanged but for ``Configuration/authorization`` and middleware. A sealed
    /// environment has no mock for it, so it fails there.
    public func request(_ request: URLRequest) async throws(APIError) -> Response<Data> {
        let path = request.url.map(RoutePath.init) ?? ""
        let route = Route(method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), path: path)
        let call = try await call(route) { _ throws(APIError) in
            try request.check()
            return request
        }
        return try await call.run()
    }

    // MARK: Preparation

    /// - Parameter make: makes the request; by default from the route.
    private func call(
        _ convertible: some RouteConvertible,
        making make: ((RequestBuilder) throws(APIError) -> URLRequest)? = nil
    ) async throws(APIError) -> Call {
        var route = Route(convertible)
        var environment: Environment?
        do throws(APIError) {
            environment = try self.environment()
            try await route.spoolLargeForm()
            let builder = builder(for: environment)
            let request = if let make { try make(builder) } else { try builder.request(for: route) }
            return Call(
                route: route, environment: environment, request: request,
                transport: try transport(for: route, in: environment), configuration: configuration)
        } catch {
            throw error.adding(route: route, environment: environment)
        }
    }

    /// The environment of a call: the scope's, the configuration's, or the process's. A client that has a base URL needs
    /// none.
    private func environment() throws(APIError) -> Environment? {
        if let environment = APIScope.current?.environment ?? configuration.environment { return environment }
        if configuration.baseURL != nil { return nil }
        do { return try Environment.current } catch { throw APIError(error) }
    }

    private func builder(for environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: BaseURL.Source(configuration.baseURL, environment: environment, key: configuration.baseURLKey),
            headers: configuration.headers, dialect: environment?.dialect ?? configuration.dialect,
            encoder: configuration.encoder,
            configure: configuration.configure)
    }

    /// Mocks under a sealed environment, whatever transport the configuration has.
    private func transport(for route: Route, in environment: Environment?) throws(APIError) -> any Transport {
        guard let environment, environment.network != .live else { return transport }
        let folder = try mocks.folder(given: configuration.mocks, environment: environment)
        if environment.network == .mocksThenLive, !folder.contains(route.mock?.rawValue ?? "") {
            // Asked for in the file, and still nothing that should go unnoticed.
            let name = SecretRedactor(environment).redact(route.name)
            FileHandle.standardError.write(Data("Fingerpost: no mock for \(name), asking the server\n".utf8))
            return transport
        }
        return MockTransport(folder: folder)
    }
}
