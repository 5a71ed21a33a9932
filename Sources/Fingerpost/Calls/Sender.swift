import FingerpostFiles
import Foundation

/// Sends the calls of a client: see `Sender+Sending.swift`. This file contains the state that all calls share, and
/// builds requests.
final class Sender: Sendable {
    let configuration: ClientConfiguration
    let reader: ResponseReader
    let selection: ResponderSelection
    /// The configuration's headers; nil if a header is invalid or contains an environment key. If this property is nil,
    /// each request checks the headers again.
    private let checkedHeaders: [String: String]?
    /// The configuration's base URL; nil if it has none.
    private let ownBase: BaseURL.Source?
    /// True if the configuration's `Accept` header allows only JSON. Calls that decode nothing replace this header.
    private let acceptsJSON: Bool
    /// True if the app's code sees each request and may change the request's server.
    private let changesServers: Bool
    /// True if calls may add credentials, or if code may change the requests that the client builds.
    let mayAuthorize: Bool
    /// True if a header of the configuration has the name of a credential.
    let hasCredentialHeaders: Bool
    /// The credentials in the configuration, which errors must not contain.
    private let credentials: [String]
    let middleware: [any Middleware]
    private let recorders: [any Middleware]
    /// True if middleware or recorders see the requests and responses, which they may change or keep.
    let isSeen: Bool
    /// True if the app's own transport sends requests. Only the app's own transport can send another call while it
    /// sends a request.
    let hasTransportOfApp: Bool
    let limiter: CallLimiter?
    let budget: RetryBudget
    /// Creates the handlers of progress events; nil if the client's calls do not report their progress.
    private let makeProgress: ProgressMaker?
    /// The streams that calls are sending.
    let streams: Locked<Set<ObjectIdentifier>>
    /// The names of the headers that the client's authorization is known to add.
    let authorizationNames: Locked<Set<HTTPHeaders.Name>>

    /// - Parameters:
    ///   - other: the sender of another client, whose limits and streams the new client shares.
    ///   - makeProgress: creates the handlers of progress events; nil if the client's calls do not report their
    ///     progress.
    init(_ selection: ResponderSelection, sharing other: Sender? = nil, measuredBy makeProgress: ProgressMaker? = nil) {
        let configuration = selection.configuration
        (self.configuration, self.selection, self.makeProgress) = (configuration, selection, makeProgress)
        acceptsJSON = configuration.headers[.accept] == "application/json"
        reader = ResponseReader(configuration)
        // Errors are ignored here, because each request checks the headers again and reports the error.
        checkedHeaders =
            configuration.headers.keys.isEmpty
            ? (try? configuration.headers.check()).map { configuration.headers.combined } : nil
        ownBase = configuration.baseURL.map { BaseURL.Source($0) }
        let constant = configuration.authorization?.constant ?? []
        let names = Set(constant.map(\.name))
        // A copy whose calls report their progress is the same client as `other`, so the two share these names.
        authorizationNames = (makeProgress == nil ? nil : other?.authorizationNames) ?? Locked(names)
        let secret = configuration.headers.filter { !$0.mayFollow(authorization: names) }
        hasCredentialHeaders = !secret.isEmpty
        credentials =
            secret.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: configuration.baseURL?.absoluteString ?? "")
            + constant.flatMap { Redaction.credentials(inHeader: $0.value) }
        middleware = configuration.middleware.filter { !($0 is any Recorder) }
        recorders = configuration.middleware.filter { $0 is any Recorder }
        isSeen = !configuration.middleware.isEmpty
        hasTransportOfApp = !(selection.transport is URLSessionTransport)
        changesServers = configuration.configure != nil || !middleware.isEmpty
        // If a signer sends a call with a copy of its client, the copy must refuse this call. Otherwise, the call could
        // wait forever for the limit, because the signed call counts towards it.
        mayAuthorize =
            configuration.authorization != nil || !middleware.isEmpty || !configuration.headers.keys.isEmpty
            || other?.mayAuthorize == true
        budget = other?.budget ?? RetryBudget()
        streams = other?.streams ?? Locked([])
        let shared = other?.limiter.flatMap { $0.limit == configuration.maximumCallsPerHost ? $0 : nil }
        limiter = shared ?? configuration.maximumCallsPerHost.map(CallLimiter.init)
    }

    /// Starts a call: decides who answers, and logs the call.
    ///
    /// - Parameters:
    ///   - sink: receives the body. If this argument is nil, the body stays in memory. Bodies from the network are
    ///     limited to the configuration's maximum size.
    ///   - type: the type that is read from the body. If the type needs no decoder, the call accepts any content type.
    @inline(never)
    func call(
        _ route: some RouteConvertible, into sink: (any CallSink)? = nil, streamedBody: (any StreamedBody)? = nil,
        decoding type: Any.Type = Data.self
    ) -> Call {
        var route = Route.from(route)
        if acceptsJSON, reader.passesThrough(type, isWrapped: route.isWrapped), !route.headers.contains(.accept),
            !route.headers.removes(.accept)
        {
            route.headers[.accept] = "*/*"
        }
        return call(selection.decide(for: consume route, knowing: credentials), into: sink, streamedBody: streamedBody)
    }

    /// This function is not generic, so that the app contains one copy instead of a copy for each type of route.
    @inline(never)
    private func call(
        _ decision: ResponderSelection.Decision, into sink: (any CallSink)?, streamedBody: (any StreamedBody)?
    ) -> Call {
        let progress = makeProgress?(decision.context, sink, !decision.responder.isNetwork)
        return Call(
            decision, by: self, observers: configuration.observers, into: sink, progress: progress,
            streamedBody: streamedBody)
    }

    /// Returns the error of a call that was not started. The error contains the route and the environment.
    ///
    /// - Parameter isCall: true if a call was refused, so that observers receive the call; false if the error occurred
    ///   between two calls, such as the calls for two pages.
    func failure(_ error: APIError, of route: Route, isCall: Bool = false) -> APIError {
        let observers = isCall ? configuration.observers + (selection.currentScope()?.observers ?? []) : nil
        return Call(selection.refuse(route, error, knowing: credentials), by: self, observers: observers).failure(error)
    }

    /// Returns the URL, without parameters, of a call that would send the route now. Returns nil if the URL cannot be
    /// built.
    func url(of route: Route) -> URL? {
        // Ignore the error here, because a started call reports it.
        try? builder(for: route, in: selection.environment()).url(of: route)
    }

    /// Chains middleware: a request passes through each middleware in order, and last to `end`.
    @inline(never)
    static func chain(
        _ middleware: [any Middleware], for route: Route, _ end: @escaping Middleware.Next
    ) -> Middleware.Next {
        var next = end
        for middleware in middleware.reversed() {
            next = { [next] in try await middleware.intercept($0, for: route, next: next) }
        }
        return next
    }

    /// Waits until the limit of calls to the request's host permits the request. Returns nil if there is no limit.
    @inline(never)
    func takePlace(for request: URLRequest, of call: Call) async throws -> CallLimiter.Place? {
        guard let limiter, let url = request.url else { return nil }
        let origin = Origin(url)
        if let place = try limiter.place(at: origin) { return place }
        return try await call.queue(limiter, for: origin)
    }

    /// Returns a closure that sends a request through the client's recorders and, if the network answers, the scope's
    /// recorder. Returns nil if there are no recorders.
    @inline(never)
    func recording(_ call: Call, _ send: @escaping Middleware.Next) -> Middleware.Next? {
        var recorders = recorders
        if let recorder = call.recorder, call.responder.isNetwork {
            recorders.append((recorder as? any ClientRecorder)?.recorder(of: configuration) ?? recorder)
        }
        if recorders.isEmpty { return nil }
        if let body = call.streamedBody { recorders = recorders.map(body.heard) }
        return Self.chain(recorders, for: call.route, send)
    }

    // MARK: Requests

    /// Builds the request of a call, unless other code has built one, and stores the request in the call's record.
    @inline(never)
    func request(of call: Call, _ prebuilt: URLRequest?, form: BodyStream?) throws -> URLRequest {
        var request: URLRequest
        if let prebuilt {
            // Store the request before it is checked, because an error contains the request.
            call.record.built(prebuilt)
            request = prebuilt
            try request.complete()
        } else {
            var route = call.route
            if route.idempotencyKey == .random { route.idempotencyKey = .fixed(call.uuid().uuidString) }
            var builder = builder(for: route, in: call.environment)
            // Middleware may still change the server, so `authorized` checks later whether the server may get
            // credentials.
            if !middleware.isEmpty { builder.credentialServers = nil }
            if builder.withholdsCredentials, hasCredentialHeaders { call.addNoteOfCall(Self.noteOfForeign) }
            request = try builder.request(for: route, form: form)
        }
        // The client ends the call at its deadline. The timer of `URLSession` also counts the time in which the process
        // was suspended, so the timer must not end the call first. The timer is set to at least one day.
        if call.responder.isNetwork {
            request.timeoutInterval = max(86_400, TimeInterval(call.deadline.timeout.components.seconds + 2))
        }
        call.record.built(request)
        return request
    }

    static let noteOfForeign =
        "some of the client's credentials were left out, because they are not those of the chosen environment"

    func builder(for route: Route, in environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: base(route.baseURLKey, in: environment), headers: configuration.headers,
            checkedHeaders: checkedHeaders, credentialServers: credentialServers(of: route, in: environment),
            withholdsCredentials: selection.withholdsCredentials(in: environment),
            authorizationNames: authorizationNames, dialect: dialect(in: environment),
            encoder: configuration.encoder, lookup: .environment(environment), configure: configuration.configure)
    }

    /// Returns the servers that may get the client's credentials: its authorization, and those headers of the
    /// configuration that have the name of a credential. Returns nil if the request's server need not be compared.
    ///
    /// - Parameter policy: the policy of the request; nil for the policy of the route.
    func credentialServers(
        of route: Route, by policy: AuthorizationPolicy? = nil, in environment: Environment?
    ) -> [BaseURL.Source]? {
        // Most requests go only to the client's server, so the servers need not be compared.
        if !changesServers, !route.hasOwnServer, route.configure == nil { return nil }
        switch policy ?? route.authorization {
        case .anywhere: return nil
        case .required: return [nil, route.baseURLKey].map { base($0, in: environment) }
        case .none, .optional: return [base(nil, in: environment)]
        }
    }

    /// Returns the query dialect for routes that set no dialect.
    func dialect(in environment: Environment?) -> QueryDialect {
        environment?.contents.dialect ?? configuration.dialect
    }

    /// - Parameter key: the key of a route's base URL; nil for the client's base URL.
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
}
