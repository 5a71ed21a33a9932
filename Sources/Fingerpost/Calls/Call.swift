import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call on its way: authorization, middleware, redirects, transport, and back through validation.
struct Call: Sendable {
    /// What is found out on the way.
    private struct Progress {
        /// How often the request was sent.
        var attempts = 0
        /// What the client's authorization added.
        var credential: Authorization.Header?
    }

    let sender: Sender
    let route: Route
    let environment: Environment?
    let request: URLRequest
    private let carrier: Carrier
    private let start: ContinuousClock.Instant
    private let timeout: Duration
    /// The client's, and what records for the scope, which sees what goes over the network.
    private let middleware: [any Middleware]
    /// The call in the logs of its scopes.
    private let entry: CallEntry?
    private let scope: APIScope?
    /// nil for a file that nothing stands before: it is asked once, and keeps to the time by itself.
    private let progress: Locked<Progress>?

    /// - Parameter start: when the call began; its time counts from there.
    init(
        _ route: Route, of sender: Sender, in environment: Environment?, request: URLRequest,
        by carrier: Carrier, since start: ContinuousClock.Instant, _ timeout: Duration,
        as entry: CallEntry?, inside scope: APIScope?
    ) {
        var middleware = sender.configuration.middleware
        var request = request
        var isImmediate = false
        switch carrier {
        case .mocks(let mocks): isImmediate = mocks.isImmediate(for: route)
        case .network:
            if let recorder = scope?.recorder { middleware.append(recorder) }
            // Ours ends the call; URLSession's own, in whole seconds, must not come first.
            request.timeoutInterval = TimeInterval(timeout.components.seconds + 2)
        }
        self.middleware = middleware
        self.request = request
        self.timeout = timeout
        self.entry = entry
        self.scope = scope
        self.sender = sender
        self.route = route
        self.environment = environment
        self.carrier = carrier
        self.start = start
        let standsAlone =
            middleware.isEmpty && sender.configuration.authorization == nil
            && route.authorization != .required
        progress = isImmediate && standsAlone ? nil : Locked(Progress())
    }

    /// The response, when its status says success (RFC 9110 section 15.3) and the service agrees.
    func run() async throws(APIError) -> Response<Data> {
        do {
            // What runs on the way is in the scope too, also where the client knows it and the task does not.
            let response =
                if let scope, APIScope.current == nil {
                    try await scope.bind { try await answer() }
                } else {
                    try await answer()
                }
            entry?.end(response)
            try sender.reader.check(response, of: route)
            return response
        } catch {
            throw explained(APIError(transport: error))
        }
    }

    private func answer() async throws -> Response<Data> {
        var response: Response<Data>
        if progress == nil {
            try Task.checkCancellation()
            response = try await carrier.send(request, for: route)
        } else {
            response = try await sender.deadlines.run(until: start + timeout, timeout) {
                try await pass(try await authorized(), through: middleware[...])
            }
            response.attempts = attempts
        }
        response.duration = ContinuousClock.now - start
        return response
    }

    /// The decoded body of the response.
    func value<Value: Decodable & Sendable>(
        of response: Response<Data>, as type: Value.Type
    ) throws(APIError) -> Value {
        do {
            return try sender.reader.value(of: response, as: type)
        } catch {
            // The fragment is cut to length, so secrets leave it before.
            let redactor = SecretRedactor(environment, credentials: Redaction.credentials(of: response.request))
            let isJSON = !sender.reader.passesThrough(type) && sender.reader.decoder(for: response) is JSONDecoder
            throw explained(
                APIError(decoding: error, of: response, as: type, isJSON: isJSON, redact: redactor.redact).adding(
                    response))
        }
    }

    private var attempts: Int { progress?.withLock { $0.attempts } ?? 1 }

    private var credential: Authorization.Header? { progress?.withLock { $0.credential } ?? nil }

    private func explained(_ error: APIError) -> APIError {
        let error = error.redacting(credential).adding(request, attempts: attempts)
            .adding(route: route, environment: environment)
        entry?.end(error)
        return error
    }

    // MARK: The way out

    /// The request with the client's credentials, where the route wants them.
    private func authorized() async throws -> URLRequest {
        if route.authorization == .none { return request }
        if let authorization = sender.configuration.authorization,
            route.authorization == .required || sender.isBaseOrigin(request.url, in: environment),
            let header = try await authorization.header()
        {
            guard request.value(forHTTPHeaderField: header.name.rawValue) == nil else { return request }
            try HTTPHeaders.Field(header.name, header.value).check()
            progress?.withLock { $0.credential = header }
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

    private func pass(_ request: URLRequest, through rest: ArraySlice<any Middleware>) async throws -> Response<Data> {
        guard let first = rest.first else {
            if !middleware.isEmpty { try request.check() }
            entry?.begin(request)
            return try await follow(request)
        }
        return try await first.intercept(request, for: route) { try await pass($0, through: rest.dropFirst()) }
    }

    /// Sends, and sends on as long as the answer is a redirect.
    private func follow(_ request: URLRequest) async throws -> Response<Data> {
        var request = request
        for _ in 0...Redirects.maximum {
            try Task.checkCancellation()
            try renewStream(of: &request)
            progress?.withLock { $0.attempts += 1 }
            let response = try await carrier.send(request, for: route)
            // A mock's redirect is what the test is about: there is nothing behind it.
            guard response.source == .network,
                let next = try Redirects.next(after: response, credential: credential?.name)
            else { return response }
            request = next
        }
        throw APIError(.transport, "more than \(Redirects.maximum) redirects").adding(request, attempts: attempts)
    }

    /// A stream is used up by sending it, so each sending has one of its own.
    private func renewStream(of request: inout URLRequest) throws {
        guard request.httpBodyStream != nil else { return }
        if case .stream(let body)? = route.body {
            request.httpBodyStream = try body.open()
        } else if progress?.withLock({ $0.attempts }) ?? 0 > 0 {
            throw APIError(
                .encoding, "the request would have to be sent again, and its body's stream is used up",
                fix: "send a route whose body is RequestBody.stream, which is opened for every sending")
        }
    }
}
