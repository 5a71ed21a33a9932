import FingerpostFiles
public import Foundation

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
    private let transport: any Transport
    private let mocks = MockFolderCache()
    private let deadlines = Deadlines()
    /// The configuration's headers; nil when they have a fault, which every call reports.
    private let headers: [String: String]?

    /// A client for the environment that is selected: see ``Environment/load(_:from:)``.
    ///
    /// - Parameter configuration: how it sends.
    /// - Throws: ``APIError`` of the kind `environment` when there is no environment or its file is broken.
    public init(_ configuration: Configuration = Configuration()) throws(APIError) {
        self.configuration = configuration
        headers = try? configuration.headers.checked()
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
        headers = try? configuration.headers.checked()
        transport = configuration.transport ?? URLSessionTransport()
    }

    /// A client configured in place: `try APIClient { $0.timeout = .seconds(5) }`.
    public convenience init(_ configure: (inout Configuration) -> Void) throws(APIError) {
        var configuration = Configuration()
        configure(&configuration)
        try self.init(configuration)
    }

    // MARK: Calls

    /// Sends a route and decodes the body of the response.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - type: what to decode. `Data` is passed through.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Value {
        let call = try call(route)
        return try call.value(of: try await call.run(), as: type, with: configuration.decoder)
    }

    /// Sends a route whose response has nothing to decode.
    public func send(_ route: some RouteConvertible) async throws(APIError) {
        _ = try await call(route).run()
    }

    /// Sends a route and gives the body as it came.
    public func data(for route: some RouteConvertible) async throws(APIError) -> Data {
        try await call(route).run().value
    }

    /// Sends a route and gives the whole response: status, headers, body, and the decoded value.
    public func response<Value: Decodable & Sendable>(
        for route: some RouteConvertible, as type: Value.Type = Value.self
    ) async throws(APIError) -> Response<Value> {
        let call = try call(route)
        let response = try await call.run()
        let value = try call.value(of: response, as: type, with: configuration.decoder)
        return response.map { _ in value }
    }

    // MARK: Preparation

    private func call(_ convertible: some RouteConvertible) throws(APIError) -> Call {
        var environment: Environment?
        do {
            environment = try self.environment()
            return try call(Route(convertible), in: environment)
        } catch {
            throw error.adding(route: Route(convertible), environment: environment)
        }
    }

    private func call(_ route: consuming Route, in environment: Environment?) throws(APIError) -> Call {
        let request = try builder(for: environment).request(for: route)
        let timeout = route.timeout ?? configuration.timeout
        return Call(
            route: route, environment: environment, request: request, transport: try transport(for: environment),
            middleware: configuration.middleware, timeout: timeout, deadlines: deadlines)
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
            headers: configuration.headers, checkedHeaders: headers, dialect: configuration.dialect,
            encoder: configuration.encoder)
    }

    /// Mocks under a sealed environment, whatever transport the configuration has.
    private func transport(for environment: Environment?) throws(APIError) -> any Transport {
        guard let environment, environment.isSealed else { return transport }
        return MockTransport(folder: try mocks.folder(given: configuration.mocks, environment: environment))
    }
}
