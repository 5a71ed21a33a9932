import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the calls of a client.
///
/// ```
/// route → who answers → build → middleware → { authorize → record → redirects → transport } → validate → decode
/// ```
///
/// Every kind of call goes through ``run(_:sending:into:reading:)``, which implements these steps.
final class Sender: Sendable {
    let configuration: ClientConfiguration
    let reader: ResponseReader
    let answering: Answering
    private let deadlines = Deadlines()
    /// The configuration's headers; nil when a header is invalid, so that every call reports the invalid header.
    private let checkedHeaders: [String: String]?
    /// The credentials in the configuration, which errors must not contain.
    private let credentials: [String]
    private let middleware: [any Middleware]
    private let recorders: [any Middleware]

    init(_ configuration: ClientConfiguration, answering: Answering) {
        self.configuration = configuration
        self.answering = answering
        reader = ResponseReader(configuration)
        // If a header is invalid, each request checks the headers again and reports the reason.
        checkedHeaders = try? configuration.headers.checked()
        credentials = configuration.credentials
        middleware = configuration.middleware.filter { !($0 is any Recorder) }
        recorders = configuration.middleware.filter { $0 is any Recorder }
    }

    /// Runs one call, from its route to the result.
    ///
    /// - Parameters:
    ///   - given: a request that other code built; nil to build the request from the route.
    ///   - sink: receives the body; nil to collect the body in memory, up to the configuration's maximum.
    ///   - type: the type that `read` decodes, for the error when it cannot.
    ///   - read: converts a successful response into the result.
    /// - Throws: ``APIError``, with the context of the call and without secrets.
    func run<Result: Sendable>(
        _ route: consuming Route, sending given: URLRequest? = nil, into sink: (any ResponseSink)? = nil,
        as type: Any.Type = Data.self, reading read: (Response<Data>) throws -> Result
    ) async throws(APIError) -> Result {
        let answer = answering.decide(for: route)
        let limited = answer.isLive ? MemorySink(maximumSize: configuration.maximumResponseSize) : nil
        let call = Call(route, answer, clientCredentials: credentials, into: sink ?? limited)
        do {
            // `get()` throws if `Answering` decided that nobody answers the call.
            _ = try call.answer.transport.get()

            // Build.
            try await call.spoolForm(by: deadlines)
            let request = try request(of: call, given)
            try sink?.prepare()

            // Run the following steps until the deadline.
            var response = try await call.inScope {
                try await deadlines.run(until: deadlineIfItCanHang(call), call.answer.timeout) { [self] in
                    // Run middleware, once per call.
                    try await middleware.pass(request, for: call.route) { [self] request in
                        // A cache, or one answer shared by several calls, would be added at this point. Retries would
                        // come next, because they repeat the remaining steps.
                        let request = try await authorized(request, of: call)
                        // A limit on concurrent calls would be added at this point.
                        let response = try await allRecorders(of: call).pass(request, for: call.route) { request in
                            try await Redirects.follow(request, of: call)
                        }
                        // `complete` restores the credential that was hidden from middleware.
                        return middleware.isEmpty ? response : call.withoutCredential(response)
                    }
                }
            }
            call.complete(&response)

            // Validate.
            try reader.check(response, of: call.route)

            // Decode.
            call.answer.entry?.decode(type)
            do { return try read(response) } catch {
                throw reader.failure(error, of: response, as: type, redact: call.redactor.withoutCredentials)
            }
        } catch {
            sink?.discard()
            throw call.failure(error)
        }
    }

    /// Returns the error for a call that was not started, with the route and the environment as its context.
    func failure(_ error: APIError, of route: Route) -> APIError {
        // An invalid environment has no secrets to hide. A call that is started reports it.
        let environment = try? answering.environment()
        return Call(
            route,
            Answering.Decision(scope: nil, entry: nil, environment: environment, transport: .failure(error)),
            clientCredentials: credentials
        ).failure(error)
    }

    // MARK: Steps

    /// Builds the request, or uses the given request, and logs it.
    private func request(of call: Call, _ given: URLRequest?) throws -> URLRequest {
        if let given {
            call.given(given)
            try given.check()
        }
        var request = try given ?? builder(for: call.answer.environment).request(for: call.route, form: call.form)
        // The client ends the call at its deadline. The timeout of `URLSession` has only whole seconds, so set it later
        // than the deadline.
        if call.answer.isLive { request.timeoutInterval = TimeInterval(call.answer.timeout.components.seconds + 2) }
        call.begin(request)
        return request
    }

    private func builder(for environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: base(in: environment), headers: configuration.headers, checkedHeaders: checkedHeaders,
            dialect: environment?.calls.dialect ?? configuration.dialect, encoder: configuration.encoder,
            configure: configuration.configure)
    }

    private func base(in environment: Environment?) -> BaseURL.Source {
        BaseURL.Source(configuration.baseURL, environment: environment, key: configuration.baseURLKey)
    }

    /// The deadline of a call; nil when a mock file answers directly and none of the app's code runs. A call without a
    /// deadline cannot hang, and ``MockTransport`` enforces the timeout for the mock's delays.
    private func deadlineIfItCanHang(_ call: Call) -> ContinuousClock.Instant? {
        let runsCode =
            call.answer.canHang || !middleware.isEmpty || !recorders.isEmpty || configuration.authorization != nil
        return runsCode ? call.deadline : nil
    }

    private func allRecorders(of call: Call) -> [any Middleware] {
        guard call.answer.isLive, let recorder = call.answer.scope?.recorder else { return recorders }
        return recorders + [recorder]
    }

    /// Adds the client's credentials if the route's policy and the origin allow it. A header that the request already
    /// has takes precedence.
    private func authorized(_ request: URLRequest, of call: Call) async throws -> URLRequest {
        // Middleware may have made the request invalid.
        if !middleware.isEmpty { try request.check() }
        let policy = call.route.authorization
        if policy == .none { return request }
        if let authorization = configuration.authorization,
            policy == .required || isBaseOrigin(request.url, in: call.answer.environment),
            let header = try await authorization.header()
        {
            guard request.value(forHTTPHeaderField: header.name.rawValue) == nil else { return request }
            try HTTPHeaders.Field(header.name, header.value).check()
            call.credential = header
            return request.with(header)
        }
        if policy == .required, request.value(forHTTPHeaderField: HTTPHeaders.Name.authorization.rawValue) == nil {
            throw APIError(
                .invalidRoute, "the route requires authorization and the client has none; nothing was sent",
                fix: "set the configuration's authorization, or sign in first")
        }
        return request
    }

    /// True when a URL has the same origin as the base URL. If there is no base URL, the result is always false, so
    /// that no server gets the client's credentials unless the route requires authorization.
    private func isBaseOrigin(_ url: URL?, in environment: Environment?) -> Bool {
        guard case .url(let base) = base(in: environment), let url, let baseURL = URL(string: base.prefix) else {
            return false
        }
        return Origin(url) == Origin(baseURL)
    }
}
