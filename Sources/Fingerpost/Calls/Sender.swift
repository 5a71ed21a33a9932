import FingerpostFiles
import Foundation

/// Sends the calls of a client.
///
/// ```
/// route → who answers → build → middleware → again and again { authorize → limit → record → redirects → transport }
///       → validate → decode
/// ```
///
/// Every kind of call goes through ``run(_:prebuilt:decoding:read:)``. The steps up to the transport's response are in
/// ``response(to:_:)``.
///
/// Thousands of calls may wait at once. A suspended `async` function keeps room for all its local values, those of
/// inlined functions included. Steps with large values are therefore `@inline(never)`.
final class Sender: Sendable {
    let configuration: ClientConfiguration
    let reader: ResponseReader
    let selection: ResponderSelection
    /// The configuration's headers; nil when a header is invalid, so that every call reports the invalid header, and
    /// when one names a key of the environment.
    private let checkedHeaders: [String: String]?
    /// The configuration's base URL; nil if it has none.
    private let ownBase: BaseURL.Source?
    /// True if the configuration says in its headers that calls accept JSON, which not every call reads.
    private let acceptsJSON: Bool
    /// True if code of the app sees each request, and may change where it goes.
    private let changesServers: Bool
    /// False if no call adds credentials or sees another request than the client has built.
    let mayAuthorize: Bool
    /// True if a header of the configuration is a credential by its name.
    let hasCredentialHeaders: Bool
    /// The credentials in the configuration, which errors must not contain.
    private let credentials: [String]
    let middleware: [any Middleware]
    private let recorders: [any Middleware]
    private let limiter: CallLimiter?
    let budget: RetryBudget
    /// Makes the sinks of calls; nil for those of the client alone.
    private let wrap: SinkDecorator?
    /// The streams that calls are sending.
    let streams: Locked<Set<ObjectIdentifier>>
    /// The names of the headers that the client's authorization is known to add.
    let authorizationNames: Locked<Set<HTTPHeaders.Name>>

    /// - Parameters:
    ///   - other: the sender of another client, whose limits and streams the new client shares.
    ///   - wrap: makes the sinks of calls; nil for those of the client alone.
    init(_ selection: ResponderSelection, sharing other: Sender? = nil, through wrap: SinkDecorator? = nil) {
        let configuration = selection.configuration
        (self.configuration, self.selection, self.wrap) = (configuration, selection, wrap)
        acceptsJSON = configuration.headers[.accept] == "application/json"
        reader = ResponseReader(configuration)
        // An error can be ignored here: each request checks the headers again and reports it.
        checkedHeaders =
            configuration.headers.keys.isEmpty
            ? (try? configuration.headers.check()).map { configuration.headers.combined } : nil
        ownBase = configuration.baseURL.map { BaseURL.Source($0) }
        let constant = configuration.authorization?.constant ?? []
        let names = Set(constant.map(\.name))
        // A client with other sinks is the same client.
        authorizationNames = (wrap == nil ? nil : other?.authorizationNames) ?? Locked(names)
        let secret = configuration.headers.filter { !$0.mayFollow(authorization: names) }
        hasCredentialHeaders = !secret.isEmpty
        credentials =
            secret.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: configuration.baseURL?.absoluteString ?? "")
            + constant.flatMap { Redaction.credentials(inHeader: $0.value) }
        middleware = configuration.middleware.filter { !($0 is any Recorder) }
        recorders = configuration.middleware.filter { $0 is any Recorder }
        changesServers = configuration.configure != nil || !middleware.isEmpty
        mayAuthorize = configuration.authorization != nil || !middleware.isEmpty || !configuration.headers.keys.isEmpty
        budget = other?.budget ?? RetryBudget()
        streams = other?.streams ?? Locked([])
        let shared = other?.limiter.flatMap { $0.limit == configuration.maximumCallsPerHost ? $0 : nil }
        limiter = shared ?? configuration.maximumCallsPerHost.map(CallLimiter.init)
    }

    /// Starts a call: decides who answers, and logs the call.
    ///
    /// - Parameters:
    ///   - sink: receives the body; nil to collect the body in memory, up to the configuration's maximum if the network
    ///     answers.
    ///   - type: what is read from the body. A type that needs no decoder is read from any body.
    @inline(never)
    func call(
        _ route: some RouteConvertible, into sink: (any CallSink)? = nil, streamedBody: (any StreamedBody)? = nil,
        decoding type: Any.Type = Data.self
    ) -> Call {
        var route = Route.from(route)
        if acceptsJSON, reader.passesThrough(type, isWrapped: route.isWrapped), !route.headers.contains(.accept) {
            route.headers[.accept] = "*/*"
        }
        return call(selection.decide(for: route, knowing: credentials), into: sink, streamedBody: streamedBody)
    }

    /// Not generic, so that it exists once for all types of routes.
    @inline(never)
    private func call(
        _ decision: ResponderSelection.Decision, into sink: (any CallSink)?, streamedBody: (any StreamedBody)?
    ) -> Call {
        let isMocked = !decision.responder.isNetwork
        var sink = sink
        if !isMocked, sink == nil, streamedBody == nil {
            sink = MemorySink(maximumSize: configuration.maximumResponseSize)
        }
        if let wrap { sink = wrap(sink ?? MemorySink(), decision.context, isMocked) }
        let isSeen = !middleware.isEmpty || !recorders.isEmpty
        let other = decision.context.scope?.settings.transport
        return Call(
            decision, network: other ?? selection.transport, isSeen: isSeen, observers: configuration.observers,
            isLogged: other == nil, into: sink, streamedBody: streamedBody)
    }

    /// Runs one call, from its route to the result.
    ///
    /// - Parameters:
    ///   - prebuilt: a request that other code built; nil to build the request from the route.
    ///   - type: the type that `read` decodes, for the log and for the error when it cannot.
    ///   - read: turns a successful response into the value that the call returns.
    /// - Throws: ``APIError``, with the context of the call and without secrets.
    func run<Value: Sendable>(
        _ call: Call, prebuilt: URLRequest? = nil, decoding type: Any.Type = Data.self,
        read: (Response<Data>) throws -> Value
    ) async throws(APIError) -> Value {
        do {
            let response = try await response(to: call, prebuilt)
            return try value(of: response, for: call, as: type, read)
        } catch {
            call.discard()
            throw call.failure(error)
        }
    }

    /// Runs one call, from its route to a response that is not validated.
    @inline(never)
    private func response(to call: Call, _ prebuilt: URLRequest?) async throws -> Response<Data> {
        if case .nobody(let error) = call.responder { throw error }
        try await begin(call)
        // Build. A large form is written to a file first.
        let form = try await call.formInFile()
        let built = try request(of: call, prebuilt, form: form)
        // A download checks its file.
        try call.sink?.prepare()

        // Middleware runs once, around all attempts. If it sends twice, the attempts start again.
        let send = chain(for: call) { [self] request in
            var retrying = try RetryOrRefresh(of: call, by: self)
            while true {
                // Authorize and send. A failure to send is an outcome as well: it may be temporary, and a new token may
                // succeed.
                let request = try await authorized(request, of: call)
                let outcome = try await attempt(request, of: call)
                if !outcome.isSuccess || retrying.asksRule,
                    try await retrying.prepare(after: outcome, to: request)
                {
                    continue
                }
                return try responseForMiddleware(outcome, of: call)
            }
        }
        // Send, from now until the deadline.
        return try await untilDeadline(of: call) { try await send(built) }
    }

    /// Returns the error for a call that was not started, with the route and the environment as its context.
    ///
    /// - Parameter isCall: true for a call that is refused, of which the observers are notified; false for an error
    ///   between calls, such as between two pages.
    func failure(_ error: APIError, of route: Route, isCall: Bool = false) -> APIError {
        let observers = isCall ? configuration.observers + (selection.currentScope()?.observers ?? []) : []
        return Call(
            selection.refuse(route, error, knowing: credentials), network: selection.transport, observers: observers,
            isLogged: isCall
        ).failure(error)
    }

    /// The URL to which a call that starts now sends a route, without its parameters; nil if there is none.
    func url(of route: Route) -> URL? {
        // A call that is started reports the error of the environment or of the route.
        try? builder(for: route, in: selection.environment()).url(of: route)
    }

    // MARK: Steps

    /// Builds the request, unless other code did, and logs it.
    @inline(never)
    private func request(of call: Call, _ prebuilt: URLRequest?, form: BodyStream?) throws -> URLRequest {
        if let prebuilt { call.record.built(prebuilt) }
        var request = try prebuilt ?? built(of: call, form: form)
        if prebuilt != nil { try request.complete() }
        // The client ends the call at its deadline. The timer of `URLSession` would also count time in which the
        // process was suspended, so it must not end the call first: it is at least one day.
        if call.responder.isNetwork {
            request.timeoutInterval = max(86_400, TimeInterval(call.deadline.timeout.components.seconds + 2))
        }
        call.record.built(request)
        return request
    }

    private func built(of call: Call, form: BodyStream?) throws(APIError) -> URLRequest {
        var builder = builder(for: call.route, in: call.environment)
        // Middleware may still change the server: the request that it returns decides.
        if !middleware.isEmpty { builder.homes = nil }
        if hasCredentialHeaders, selection.isForeign(call.environment) { call.addNoteOfCall(Self.noteOfForeign) }
        if call.route.idempotencyKey != .random { return try builder.request(for: call.route, form: form) }
        return try builder.request(for: call.route.idempotencyKey(call.uuid().uuidString), form: form)
    }

    static let noteOfForeign =
        "some of the client's credentials were left out, because they are not those of the chosen environment"

    func builder(for route: Route, in environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: base(route.baseURLKey, in: environment), headers: configuration.headers,
            checkedHeaders: checkedHeaders, homes: homes(of: route, in: environment),
            isForeign: selection.isForeign(environment), authorizationNames: authorizationNames.withLock { $0 },
            dialect: dialect(in: environment), encoder: configuration.encoder, lookup: .environment(environment),
            configure: configuration.configure)
    }

    /// The servers that get the client's credentials: its authorization, and the headers of the configuration that are
    /// credentials.
    ///
    /// - Parameter policy: the policy of the request; nil for that of the route.
    func homes(
        of route: Route, by policy: AuthorizationPolicy? = nil, in environment: Environment?
    ) -> [BaseURL.Source]? {
        let policy = policy ?? route.authorization
        // Most requests go to the client's server alone, so the search for their origin is left out.
        guard changesServers || route.namesServer || route.configure != nil, policy != .anywhere else { return nil }
        return (policy == .required ? [nil, route.baseURLKey] : [nil]).map { base($0, in: environment) }
    }

    /// How a call in an environment writes values, unless its route says otherwise.
    func dialect(in environment: Environment?) -> QueryDialect { environment?.calls.dialect ?? configuration.dialect }

    /// - Parameter key: that of a route; nil for the client's base URL.
    private func base(_ key: String?, in environment: Environment?) -> BaseURL.Source {
        guard let key else {
            return ownBase ?? BaseURL.Source(environment: environment, key: configuration.baseURLKey)
        }
        guard let environment else {
            return .failure(
                APIError(
                    .invalidRoute, "the route needs the base URL \(key.quoted), and the client has no environment",
                    fix: "add an environment with this key, or use an absolute URL"))
        }
        return BaseURL.Source(environment: environment, key: key)
    }

    /// Chains the client's middleware, which the call waits for from now on.
    private func chain(for call: Call, _ end: @escaping Middleware.Next) -> Middleware.Next {
        if middleware.isEmpty { return end }
        call.pause(for: .step("the client's middleware"))
        return Self.chain(middleware, for: call.route, end)
    }

    /// Chains middleware: a request passes through each one in order, and then to `end`.
    @inline(never)
    private static func chain(
        _ middleware: [any Middleware], for route: Route, _ end: @escaping Middleware.Next
    ) -> Middleware.Next {
        var next = end
        for middleware in middleware.reversed() {
            next = { [next] in try await middleware.intercept($0, for: route, next: next) }
        }
        return next
    }

    /// Sends a call in its scope, until its deadline.
    @inline(never)
    private func untilDeadline(
        of call: Call, _ send: @escaping @Sendable () async throws -> Response<Data>
    ) async throws -> Response<Data> {
        // A mock file's delay ends at the deadline, so a call that it answers without the app's code cannot hang.
        let mayHang = call.responder.mayNeverReturn || call.isSeen || configuration.authorization != nil
        guard mayHang else { return try await send() }
        return try await call.runInScope { try await call.deadline.run(or: call.timedOut, send) }
    }

    /// Waits for a place among the calls to the host, sends the request, and leaves the place.
    ///
    /// - Throws: `CancellationError` or ``APIError`` when the call ends before there is a place.
    @inline(never)
    private func attempt(_ request: URLRequest, of call: Call) async throws -> Outcome {
        // Middleware may send a request again. Its first stream would keep its place.
        call.streamedBody?.end()
        let place = call.responder.isNetwork ? try await takePlace(for: request, of: call) : nil
        // A transport may ignore that the call has ended.
        let outcome = await withTaskCancellationHandler {
            do { return Outcome.success(try await recorded(request, of: call)) } catch { return .failure(error) }
        } onCancel: {
            place?.leave()
        }
        // A stream still occupies its connection.
        if let place, !(outcome.isSuccess && call.streamedBody?.whenOver(place.leave) == true) { place.leave() }
        return outcome
    }

    /// Sends a request and follows redirects, through the client's recorders and, if the network answers, the scope's.
    @inline(never)
    private func recorded(_ request: URLRequest, of call: Call) async throws -> Response<Data> {
        // Most calls are not recorded. They need no chain, whose closure would take memory while they wait.
        guard let record = recorder(of: call) else { return try await Redirects.follow(request, of: call, by: self) }
        return try await record(request)
    }

    @inline(never)
    private func recorder(of call: Call) -> Middleware.Next? {
        var recorders = recorders + [call.responder.isNetwork ? call.recorder : nil].compactMap(\.self)
        if recorders.isEmpty { return nil }
        if let body = call.streamedBody { recorders = recorders.map(body.heard) }
        return Self.chain(recorders, for: call.route) { try await Redirects.follow($0, of: call, by: self) }
    }

    /// The response of the last attempt, as middleware sees it.
    @inline(never)
    private func responseForMiddleware(_ outcome: consuming Outcome, of call: Call) throws -> Response<Data> {
        if middleware.isEmpty { return try outcome.get() }
        call.pause(for: .step("the client's middleware"))
        return call.hidden(try outcome.get())
    }

    /// Completes, validates and decodes a response.
    @inline(never)
    private func value<Value>(
        of response: consuming Response<Data>, for call: Call, as type: Any.Type,
        _ read: (Response<Data>) throws -> Value
    ) throws -> Value {
        call.complete(&response)
        if response.status == 401 || response.status == 403 { noteCredentialsOfHome(call, response.request) }
        try reader.check(response, of: call.route)
        call.record.willDecode(type)
        let value: Value
        do {
            try call.sink?.finish(response)
            value = try read(response)
        } catch {
            throw call.failure(error, of: response, as: type, readBy: reader)
        }
        if !call.isStreamed {
            call.finish()
            call.record.close()
        }
        return value
    }

    /// Takes a place among the calls to the request's host, and waits for one if all are taken.
    ///
    /// - Returns: the place to leave; nil for a call that needs none.
    @inline(never)
    private func takePlace(for request: URLRequest, of call: Call) async throws -> CallLimiter.Place? {
        guard let limiter, let url = request.url else { return nil }
        let origin = Origin(url)
        if let place = try limiter.place(at: origin) { return place }
        return try await call.queue(limiter, for: origin)
    }
}
