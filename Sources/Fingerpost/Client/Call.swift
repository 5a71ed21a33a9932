import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call on its way: authorization, middleware, redirects, transport, and back through validation.
struct Call: Sendable {
    let route: Route
    let environment: Environment?
    let request: URLRequest
    let transport: any Transport
    let configuration: APIClient.Configuration
    private let timeout: Duration
    /// How much of the time was over when the call began.
    private let spent: Duration
    /// How often the request was sent.
    private let attempts = Locked(0)
    /// What the client's authorization added.
    private let credential = Locked<Authorization.Header?>(nil)

    init(
        route: Route, environment: Environment?, request: URLRequest, transport: any Transport,
        configuration: APIClient.Configuration, spent: Duration = .zero
    ) {
        self.spent = spent
        self.route = route
        self.environment = environment
        self.transport = transport
        self.configuration = configuration
        timeout = min(route.timeout ?? configuration.timeout, .seconds(1_000_000_000))
        var request = request
        // Ours ends the call; URLSession's own, in whole seconds, must not come first.
        if !(transport is MockTransport) {
            request.timeoutInterval = TimeInterval(timeout.components.seconds + 2)
        }
        self.request = request
    }

    /// The response, when its status says success (RFC 9110 section 15.3) and the service agrees.
    func run() async throws(APIError) -> Response<Data> {
        let start = ContinuousClock.now
        do {
            var response = try await answer()
            response.attempts = attempts.withLock { $0 }
            response.duration = ContinuousClock.now - start
            try ResponseValidation(configuration: configuration).check(response, of: route)
            return response
        } catch {
            throw APIError(transport: error)
                .redacting(credential.withLock { $0 })
                .adding(request, attempts: attempts.withLock { $0 })
                .adding(route: route, environment: environment)
        }
    }

    /// The response with its body decoded.
    func decode<Value: Decodable & Sendable>(
        _ response: Response<Data>, as type: Value.Type
    ) throws(APIError) -> Response<Value> {
        let decoding = ResponseDecoding(configuration: configuration)
        do {
            return try response.map { _ in try decoding.value(of: response, as: type) }
        } catch {
            let isJSON = !decoding.passesThrough(type) && decoding.decoder(for: response) is JSONDecoder
            throw APIError(decoding: error, of: response, as: type, isJSON: isJSON).adding(response)
                .redacting(credential.withLock { $0 })
                .adding(route: route, environment: environment)
        }
    }

    private func answer() async throws -> Response<Data> {
        // A mock answers without waiting, so there is nothing for a clock to end.
        if transport is MockTransport, configuration.middleware.isEmpty, configuration.authorization == nil {
            return try await pass(try await authorized(), through: [])
        }
        return try await Deadline.run(timeout, after: spent) {
            try await pass(try await authorized(), through: configuration.middleware[...])
        }
    }

    /// The request with the client's credentials, where the route wants them.
    private func authorized() async throws -> URLRequest {
        if route.authorization == .none { return request }
        let mayAdd = route.authorization == .required || isOfBaseOrigin
        if mayAdd, let header = try await configuration.authorization?.header() {
            guard request.value(forHTTPHeaderField: header.name.rawValue) == nil else { return request }
            try HTTPHeaders.Field(header.name, header.value).check()
            credential.withLock { $0 = header }
            var request = request
            request.setValue(header.value, forHTTPHeaderField: header.name.rawValue)
            return request
        }
        let hasItsOwn = request.value(forHTTPHeaderField: HTTPHeaders.Name.authorization.rawValue) != nil
        if route.authorization == .required, !hasItsOwn {
            throw APIError(
                .invalidRoute, "the route requires authorization and the client has none; nothing was sent",
                fix: "set the configuration's authorization, or sign in first")
        }
        return request
    }

    /// False where the route leads to another server than the client's, which must not get its credentials. Without a base URL
    /// every server is another.
    private var isOfBaseOrigin: Bool {
        guard
            case .url(let base) = BaseURL.Source(
                configuration.baseURL, environment: environment, key: configuration.baseURLKey),
            let url = request.url, let baseURL = URL(string: base.prefix)
        else { return false }
        return Origin(url) == Origin(baseURL)
    }

    private func pass(_ request: URLRequest, through rest: ArraySlice<any Middleware>) async throws -> Response<Data> {
        guard let first = rest.first else {
            if !configuration.middleware.isEmpty { try request.check() }
            return try await follow(request)
        }
        return try await first.intercept(request, for: route) { try await pass($0, through: rest.dropFirst()) }
    }

    /// Sends, and sends on as long as the answer is a redirect.
    private func follow(_ request: URLRequest) async throws -> Response<Data> {
        var request = request
        for _ in 0...Redirects.maximum {
            try Task.checkCancellation()
            // A stream is used up by sending it, so each sending has one of its own.
            if request.httpBodyStream != nil {
                if case .stream(let body)? = route.body {
                    request.httpBodyStream = try body.open()
                } else if attempts.withLock({ $0 }) > 0 {
                    throw APIError(
                        .encoding, "the request would have to be sent again, and its body's stream is used up",
                        fix: "send a route whose body is RequestBody.stream, which is opened for every sending")
                }
            }
            attempts.withLock { $0 += 1 }
            let response = try await transport.send(request, for: route)
            // A mock's redirect is what the test is about: there is nothing behind it.
            guard response.source == .network,
                let next = try Redirects.next(
                    after: response, credential: credential.withLock { $0?.name })
            else { return response }
            request = next
        }
        throw APIError(.transport, "more than \(Redirects.maximum) redirects")
            .adding(request, attempts: attempts.withLock { $0 })
    }
}
