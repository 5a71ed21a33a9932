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
    private let sender: Sender
    let transport: any Transport
    private let mocks = MockFolderCache()
    /// What mocks remember where there is no scope.
    private let playback = MockPlayback()
    /// The scope that the client was made in.
    private let origin: APIScope?
    /// True when it was used in another scope than that: then it is no test's own, and nothing is known of calls without a scope.
    private let isShared = Locked(false)
    /// The scope that it was given.
    private let given: APIScope?
    /// True for a client that was made for a base URL, where there may be no environment at all.
    private let standsAlone: Bool

    /// A client for the environment that is selected: see ``Environment/load(_:from:)``.
    ///
    /// - Parameter configuration: how it sends.
    /// - Throws: ``APIError`` of the kind `environment` when there is no environment or its file is broken.
    public convenience init(_ configuration: Configuration = Configuration()) throws(APIError) {
        self.init(unchecked: configuration)
        _ = try environment()
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
    /// - Parameter shared: the transport of another client, to send over its connections.
    private init(
        unchecked configuration: Configuration, standsAlone: Bool = false, over shared: (any Transport)? = nil,
        in scope: APIScope? = nil, madeIn origin: APIScope? = .current
    ) {
        given = scope
        self.origin = origin
        sender = Sender(configuration)
        self.standsAlone = standsAlone
        transport = shared ?? configuration.transport ?? URLSessionTransport()
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
        return APIClient(unchecked: configuration, over: transport, in: given, madeIn: .current ?? origin)
    }

    /// The same client, whose calls run in a scope wherever they are made: for previews and demos, where nothing else could hold the
    /// scope open. A call that runs in a scope of its task has that one.
    ///
    /// ```swift
    /// let client = APIClient.shared.with(scope: APIScope(network: .sealed, variants: ["repos": "empty"]))
    /// ```
    public func with(scope: APIScope) -> APIClient {
        APIClient(
            unchecked: configuration, standsAlone: standsAlone, over: transport, in: scope, madeIn: .current ?? origin)
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
        let call = try await call(route)
        return try call.value(of: try await call.run(), as: type)
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
        try await call(route).run().value
    }

    /// Sends a route and gives the whole response: status, headers, body, and the decoded value.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Response<Value> {
        let call = try await call(route)
        let response = try await call.run()
        let value = try call.value(of: response, as: type)
        return response.map { _ in value }
    }

    /// Sends a request that was made elsewhere, unchanged but for ``ClientConfiguration/authorization`` and middleware. A sealed
    /// environment has no mock for it, so it fails there.
    public func request(_ request: URLRequest) async throws(APIError) -> Response<Data> {
        let path = request.url.map(RoutePath.init) ?? ""
        var route = Route(method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), path: path)
        // 60 seconds are Foundation's default, which nobody asked for.
        if request.timeoutInterval.isFinite, request.timeoutInterval > 0, request.timeoutInterval != 60 {
            route.timeout = .seconds(min(request.timeoutInterval, Double(CallSettings.maximumTimeout)))
        }
        let call = try await call(route) { _ throws(APIError) in
            try request.check()
            return request
        }
        return try await call.run()
    }

    // MARK: Preparation

    /// - Parameter make: makes the request; by default from the route.
    func call(
        _ convertible: some RouteConvertible,
        making make: ((RequestBuilder) throws(APIError) -> URLRequest)? = nil
    ) async throws(APIError) -> Call {
        let start = ContinuousClock.now
        var route = Route(convertible)
        noteSharing()
        let scope = scope
        let entry = scope.map { CallEntry(route, in: $0) }
        var environment: Environment?
        do throws(APIError) {
            try check(scope, route)
            environment = try self.environment(in: scope)
            let timeout = configuration.timeout(of: route, in: environment)
            guard timeout > .zero else {
                throw APIError(
                    .invalidRoute, "the timeout is \(timeout)", fix: "give it more than zero seconds")
            }
            try await route.spoolLargeForm(by: sender.deadlines, until: start + timeout, timeout)
            let builder = sender.builder(for: environment)
            let request = if let make { try make(builder) } else { try builder.request(for: route) }
            entry?.begin(request)
            let carrier = try carrier(for: route, in: environment, scope, entry, timeout)
            return Call(
                route, of: sender, in: environment, request: request, by: carrier, since: start, timeout, as: entry,
                inside: scope)
        } catch {
            let error = error.adding(route: route, environment: environment)
            entry?.end(error)
            throw error
        }
    }

    /// - Throws: where a call of a test could be answered by something else than the test thinks.
    private func check(_ scope: APIScope?, _ route: Route) throws(APIError) {
        if let scope {
            if scope.isClosed {
                Self.tell("\(route.name): \(APIError.late.message)")
                throw .late
            }
        } else if TestProcess.hasScopes, !standsAlone, configuration.environment == nil {
            Self.tell("\(route.name): \(APIError.unscoped.message)")
            throw .unscoped
        }
    }

    /// Tells of what no test can be failed for.
    private static func tell(_ line: String) {
        FileHandle.standardError.write(Data("Fingerpost: \(line)\n".utf8))
    }

    /// The scope of the running task; where there is none, that which the client was given, or was made in as long as it is open.
    private var scope: APIScope? {
        APIScope.current ?? given ?? origin.flatMap { $0.isOpen && !isShared.withLock { $0 } ? $0 : nil }
    }

    private func noteSharing() {
        guard let origin, let current = APIScope.current, !current.isInside(origin) else { return }
        isShared.withLock { $0 = true }
    }

    /// The environment of a call: the scope's, the configuration's, or the process's. A client that has a base URL needs
    /// none, but is held to the one there is: it may be sealed.
    func environment() throws(APIError) -> Environment? { try environment(in: scope) }

    private func environment(in scope: APIScope?) throws(APIError) -> Environment? {
        if let environment = scope?.environment ?? configuration.environment { return environment }
        if let failure = scope?.failure { throw failure }
        if standsAlone { return nil }
        do {
            return try Environment.process.get()
        } catch {
            if error.kind == .notFound, configuration.baseURL != nil { return nil }
            throw APIError(error)
        }
    }

    /// Mocks under a sealed environment, whatever transport the configuration has.
    private func carrier(
        for route: Route, in environment: Environment?, _ scope: APIScope?, _ entry: CallEntry?, _ timeout: Duration
    ) throws(APIError) -> Carrier {
        let strictest = max(environment?.network ?? .live, scope?.network ?? .live)
        if strictest == .sealed, scope?.network == .live {
            throw APIError(
                .mock, "the scope asks for the network, and its environment is sealed; nothing was sent",
                fix: "give the scope an environment with servers: .environment(\"Staging\") on a test")
        }
        let isKept = scope?.isKept(route) ?? false
        if isKept { Self.tell("kept the mock of \(route.name): the test sets what answers, so nothing is recorded") }
        if strictest == .live, !isKept { return .network(network(in: scope)) }
        try MockPermit.check(environment, scope)
        let mocked = MockTransport(
            mocks: mocks, given: configuration.mocks, playback: playback, environment: environment,
            scope: scope, timeout: timeout, entry: entry)
        if strictest == .mocksThenLive, try !mocked.answers(route) {
            // Asked for in the file, and still nothing that should go unnoticed.
            let line = "\(mocked.absence(for: route)) for \(route.name), asking the server"
            Self.tell(environment.map { SecretRedactor($0).redact(line) } ?? line)
            return .network(network(in: scope))
        }
        return .mocks(mocked)
    }

    /// The way to the servers: for a call of a test that nobody let out, to those of this machine alone.
    private func network(in scope: APIScope?) -> any Transport {
        let isLetOut = scope.map { $0.network != nil || $0.environment != nil } ?? false
        guard !isLetOut, TestProcess.isCurrent, transport is URLSessionTransport else { return transport }
        return LoopbackTransport(transport: transport)
    }
}
