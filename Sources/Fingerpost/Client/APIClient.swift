import FingerpostFiles
public import Foundation

/// Sends routes and decodes their responses.
///
/// ```swift
/// let client = try APIClient()                                              // reads Environments/
/// let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
/// ```
///
/// The environment decides where a call goes. Under a sealed environment, mocks answer and nothing is sent. Under a
/// live environment, the request goes to the base URL. By default, an environment is sealed if its description is
/// `Testing`: see ``Environment/isSealed``.
///
/// Create one client and keep it, because a new client opens new connections. All methods of a client throw only
/// ``APIError``, and are safe to call from any task or thread. For scripts and for code that is not `async`, use the
/// product `FingerpostCallbacks`.
public final class APIClient: Sendable {
    /// The settings of a client: ``ClientConfiguration``.
    public typealias Configuration = ClientConfiguration

    /// The settings of this client. To change the environment or the scope, create another client with
    /// ``with(environment:)`` or ``with(scope:)``.
    public var configuration: Configuration { sender.configuration }
    let sender: Sender

    /// Creates a client for the configuration's environment, or else for the selected environment: see
    /// ``Environment/load(_:from:)``.
    ///
    /// - Parameter configuration: the settings of the client.
    /// - Throws: ``APIError`` of the kind `environment` when the environment is missing or invalid, or cannot be read.
    ///   If the configuration has a base URL, the folder `Environments/` is required only if `APP_ENVIRONMENT` or
    ///   Info.plist selects an environment.
    public convenience init(_ configuration: Configuration = Configuration()) throws(APIError) {
        self.init(unchecked: configuration)
        _ = try sender.selection.environment()
    }

    /// Creates a client for one base URL. The client does not use the process's environment: it uses the environment of
    /// the ``APIScope``, or else ``ClientConfiguration/environment``.
    ///
    /// If the process's environment is sealed, mocks answer this client too, and nothing is sent. Calls fail if
    /// `APP_ENVIRONMENT`, Info.plist or a choice in the app selects an environment that cannot be loaded. If nothing
    /// selects an environment, invalid values in the environment files have no effect. However, calls fail if these
    /// files cannot be read, or if `description`, `$network` or `$extends` is invalid, because these values decide
    /// whether the environment is sealed. In a test process, the client calls only servers on this machine, unless the
    /// ``APIScope`` allows other servers: see ``URLSessionTransport``.
    ///
    /// To keep the selected environment and its mocks, set ``ClientConfiguration/baseURL`` instead.
    ///
    /// - Parameters:
    ///   - baseURL: the URL that relative paths are appended to. Calls that need this URL fail if it has no scheme or
    ///     no host.
    ///   - configuration: the settings of the client.
    public convenience init(baseURL: URL, _ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.baseURL = baseURL
        self.init(unchecked: configuration, isStandalone: true)
    }

    /// Creates a client and configures it in a closure: `try APIClient { $0.timeout = .seconds(5) }`.
    ///
    /// - Parameter configure: changes the default settings.
    /// - Throws: ``APIError`` of the kind `environment` when the environment is invalid, when it is required but
    ///   missing, or when the closure throws. An ``APIError`` that the closure throws is thrown unchanged.
    public convenience init(_ configure: (inout Configuration) throws -> Void) throws(APIError) {
        var configuration = Configuration()
        do { try configure(&configuration) } catch let error as APIError {
            throw error
        } catch {
            throw (error as? EnvironmentError).map(APIError.init)
                ?? APIError(.environment, "the client cannot be configured: \(error)", underlying: error)
        }
        try self.init(configuration)
    }

    /// Creates a client for one base URL and configures it in a closure: see
    /// ``init(baseURL:_:)-(_,APIClient.Configuration)``.
    ///
    /// - Parameters:
    ///   - baseURL: the URL that relative paths are appended to.
    ///   - configure: changes the default settings.
    public convenience init(baseURL: URL, _ configure: (inout Configuration) throws -> Void) rethrows {
        var configuration = Configuration()
        try configure(&configuration)
        self.init(baseURL: baseURL, configuration)
    }

    /// Creates a client without checking its environment; the first call reports a missing or invalid environment.
    ///
    /// - Parameters:
    ///   - other: another client, whose connections and limits the new client shares.
    ///   - scope: the scope for calls made in tasks without a scope.
    ///   - origin: the scope that the client is created in.
    ///   - process: the environment of calls for which nothing else selects an environment.
    // This initializer is not inlined, because several initializers and methods call it, and it copies the whole
    // configuration.
    @inline(never)
    init(
        unchecked configuration: Configuration, isStandalone: Bool = false, sharing other: APIClient? = nil,
        in scope: APIScope? = nil, madeIn origin: APIScope? = .current, process: ProcessEnvironment = .current
    ) {
        let selection = ResponderSelection(
            configuration, isStandalone: isStandalone, process: process,
            transport: other?.sender.selection.transport ?? configuration.transport ?? URLSessionTransport(),
            givenScope: scope, madeIn: origin)
        sender = Sender(selection, sharing: other?.sender)
    }

    init(_ sender: Sender) { self.sender = sender }

    /// Returns a copy of this client with a different environment. Both clients share one transport and therefore the
    /// same connections. Calls already in progress are not affected.
    ///
    /// ```swift
    /// client = client.with(environment: try APIEnvironment.load("Staging"))       // in a debug menu
    /// ```
    ///
    /// The base URL comes from the new environment, even if ``ClientConfiguration/baseURL`` was set.
    ///
    /// - Parameter environment: the environment of the new client.
    public func with(environment: Environment) -> APIClient {
        var configuration = configuration
        configuration.environment = environment
        configuration.baseURL = nil
        return APIClient(
            unchecked: configuration, sharing: self, in: sender.selection.givenScope,
            madeIn: .current ?? sender.selection.origin)
    }

    /// Returns a copy of this client with other settings. Both clients share one transport and therefore the same
    /// connections. The calls of both clients count together for ``ClientConfiguration/maximumCallsPerHost``, unless
    /// the closure changes this limit. Calls already in progress are not affected.
    ///
    /// ```swift
    /// let admin = client.with { $0.authorization = .bearer(adminToken) }
    /// ```
    ///
    /// To change the environment, use ``with(environment:)``, which also takes the base URL from the new environment.
    ///
    /// - Parameter change: changes the settings. When the closure starts, ``ClientConfiguration/transport`` is nil. If
    ///   the closure sets a transport, the two clients share nothing.
    public func with(_ change: (inout Configuration) throws -> Void) rethrows -> APIClient {
        var changed = configuration
        changed.transport = nil
        try change(&changed)
        let isShared = changed.transport == nil
        changed.transport = changed.transport ?? configuration.transport
        return APIClient(
            unchecked: changed, isStandalone: sender.selection.isStandalone, sharing: isShared ? self : nil,
            in: sender.selection.givenScope, madeIn: .current ?? sender.selection.origin)
    }

    /// Returns a copy of this client that makes its calls in a scope. Use the copy in previews and demos, where no code
    /// can wrap the work in the scope's `run`. If the calling task has a scope, the call runs in the task's scope
    /// instead.
    ///
    /// ```swift
    /// let client = APIClient.shared.with(scope: APIScope(network: .sealed, variants: ["repos": "empty"]))
    /// ```
    ///
    /// - Parameter scope: the scope for calls made in tasks without a scope.
    public func with(scope: APIScope) -> APIClient {
        APIClient(
            unchecked: configuration, isStandalone: sender.selection.isStandalone, sharing: self, in: scope,
            madeIn: .current ?? sender.selection.origin)
    }

    /// The client that the whole process shares, with the default configuration. The calls of this client fail when the
    /// environment is missing or invalid.
    ///
    /// The shared client cannot be configured: to change settings, create your own client. In tests, send calls with
    /// the shared client only in a task that has a scope. The client itself belongs to no scope, because any test can
    /// be the first to use the client.
    public static let shared = APIClient(unchecked: Configuration(), madeIn: nil)

    /// The dialect of a call that starts now, unless its route sets another dialect.
    package var dialect: QueryDialect {
        // If the environment cannot be loaded, a call reports the error.
        sender.dialect(in: try? sender.selection.environment())
    }

    // MARK: Calls

    /// Sends a route and decodes the body of the response.
    ///
    /// To get the status and the headers too, use ``response(for:as:)``; to get the body as bytes, use ``data(for:)``.
    ///
    /// - Parameters:
    ///   - route: an enum case of your router, or a ``Route``.
    ///   - type: the type to decode. For `Data`, the result is the body as received. For `String`, the result is the
    ///     value of a JSON string, or the whole text of any other body, unless the client has a
    ///     ``ClientConfiguration/wrapper``. For an optional type, the result is nil if the body is empty or blank.
    /// - Throws: ``APIError``, also for a status outside 200...299.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Value {
        let call = sender.call(route, decoding: type)
        return try await sender.run(call, decoding: type) {
            try sender.reader.value(of: $0, as: type, isWrapped: call.route.isWrapped)
        }
    }

    /// Sends an endpoint and decodes the response as the endpoint's `Response`.
    ///
    /// - Parameter endpoint: the endpoint.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(APIError) -> E.Response {
        try await send(endpoint, as: E.Response.self)
    }

    /// Sends a route and does not decode the body of the response.
    ///
    /// - Parameter route: an enum case of your router, or a ``Route``.
    public func send(_ route: some RouteConvertible) async throws(APIError) {
        _ = try await send(route, as: NoContent.self)
    }

    /// Sends a route and returns the response body verbatim: the decoders and the ``ClientConfiguration/wrapper`` are
    /// not applied. For bodies that are too large for memory, use `download(_:to:)` of the product
    /// `FingerpostTransfers`.
    ///
    /// - Parameter route: an enum case of your router, or a ``Route``.
    public func data(for route: some RouteConvertible) async throws(APIError) -> Data {
        try await sender.run(sender.call(route)) { $0.data }
    }

    /// Sends a route and returns the whole response: status, headers, body, and the decoded value.
    ///
    /// - Parameters:
    ///   - route: an enum case of your router, or a ``Route``.
    ///   - type: the type to decode, as in ``send(_:as:)``.
    /// - Throws: ``APIError``, also for a status outside 200...299.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Response<Value> {
        try await response(to: sender.call(route, decoding: type))
    }

    /// Sends a call, as ``response(for:as:)`` does.
    package func response<Value: Decodable & Sendable>(to call: Call) async throws(APIError) -> Response<Value> {
        try await sender.run(call, decoding: Value.self) { response in
            let value = try sender.reader.value(of: response, as: Value.self, isWrapped: call.route.isWrapped)
            return response.map { _ in value }
        }
    }

    /// Sends a request that other code built. Only ``ClientConfiguration/authorization`` and middleware change the
    /// given request. To send to an API that you describe yourself, use a ``Route`` instead.
    ///
    /// A request that other code built has no mock, so it fails under a sealed environment.
    ///
    /// - Parameters:
    ///   - request: the request to send. If the request's timeout differs from Foundation's default of 60 seconds, that
    ///     timeout limits the whole call.
    public func response(for request: URLRequest) async throws(APIError) -> Response<Data> {
        try await sender.run(sender.call(Route(of: request)), prebuilt: request) { $0 }
    }
}

extension Route {
    /// The route of a request that other code built.
    fileprivate init(of request: URLRequest) {
        let path = request.url.map(RoutePath.init) ?? ""
        self.init(method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), path: path)
        // A timeout of 60 seconds is Foundation's default, so the caller probably did not choose the timeout.
        if request.timeoutInterval.isFinite, request.timeoutInterval > 0, request.timeoutInterval != 60 {
            timeout = .seconds(min(request.timeoutInterval, Double(Duration.maximumSeconds)))
        }
    }
}

extension APIClient: CustomStringConvertible, CustomReflectable {
    /// The base URL or the environment, without credentials.
    public var description: String { "APIClient(\(configuration))" }

    /// The configuration without credentials.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration], displayStyle: .class) }
}
