import FingerpostFiles
import Foundation

/// Sends the calls of a client: see `Sender+Sending.swift`. This file contains what all of them share, and how a
/// request is built.
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
    /// True if middleware or recorders see requests and responses, which may then change or stay in memory.
    let isSeen: Bool
    /// True if the app's own transport reaches servers. Only such a transport can send a call of its own.
    let hasTransportOfApp: Bool
    let limiter: CallLimiter?
    let budget: RetryBudget
    /// Makes what hears of the progress of calls; nil if nothing does.
    private let makeProgress: ProgressMaker?
    /// The streams that calls are sending.
    let streams: Locked<Set<ObjectIdentifier>>
    /// The names of the headers that the client's authorization is known to add.
    let authorizationNames: Locked<Set<HTTPHeaders.Name>>

    /// - Parameters:
    ///   - other: the sender of another client, whose limits and streams the new client shares.
    ///   - makeProgress: makes what hears of the progress of calls; nil if nothing does.
    init(_ selection: ResponderSelection, sharing other: Sender? = nil, measuredBy makeProgress: ProgressMaker? = nil) {
        let configuration = selection.configuration
        (self.configuration, self.selection, self.makeProgress) = (configuration, selection, makeProgress)
        acceptsJSON = configuration.headers[.accept] == "application/json"
        reader = ResponseReader(configuration)
        // An error can be ignored here: each request checks the headers again and reports it.
        checkedHeaders =
            configuration.headers.keys.isEmpty
            ? (try? configuration.headers.check()).map { configuration.headers.combined } : nil
        ownBase = configuration.baseURL.map { BaseURL.Source($0) }
        let constant = configuration.authorization?.constant ?? []
        let names = Set(constant.map(\.name))
        // A client whose calls report their progress is the same client.
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
        // A call of a copy must not wait for its place behind the call that a signer signs.
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
    ///   - sink: receives the body; nil to collect the body of each attempt in memory, up to the configuration's
    ///     maximum if the network answers.
    ///   - type: what is read from the body. A type that needs no decoder is read from any body.
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

    /// Not generic, so that it exists once for all types of routes.
    @inline(never)
    private func call(
        _ decision: ResponderSelection.Decision, into sink: (any CallSink)?, streamedBody: (any StreamedBody)?
    ) -> Call {
        let progress = makeProgress?(decision.context, sink, !decision.responder.isNetwork)
        return Call(
            decision, by: self, observers: configuration.observers, into: sink, progress: progress,
            streamedBody: streamedBody)
    }

    /// Returns the error for a call that was not started, with the route and the environment as its context.
    ///
    /// - Parameter isCall: true for a call that is refused, of which the observers are notified; false for an error
    ///   between calls, such as between two pages.
    func failure(_ error: APIError, of route: Route, isCall: Bool = false) -> APIError {
        let observers = isCall ? configuration.observers + (selection.currentScope()?.observers ?? []) : nil
        return Call(selection.refuse(route, error, knowing: credentials), by: self, observers: observers).failure(error)
    }

    /// The URL to which a call that starts now sends a route, without its parameters; nil if there is none.
    func url(of route: Route) -> URL? {
        // A call that is started reports the error of the environment or of the route.
        try? builder(for: route, in: selection.environment()).url(of: route)
    }

    /// Chains middleware: a request passes through each one in order, and then to `end`.
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

    /// Sends through the client's recorders and, if the network answers, the scope's; nil if there are none.
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

    /// Builds the request, unless other code did, and logs it.
    @inline(never)
    func request(of call: Call, _ prebuilt: URLRequest?, form: BodyStream?) throws -> URLRequest {
        var request: URLRequest
        if let prebuilt {
            // An error shows it.
            call.record.built(prebuilt)
            request = prebuilt
            try request.complete()
        } else {
            var route = call.route
            if route.idempotencyKey == .random { route.idempotencyKey = .fixed(call.uuid().uuidString) }
            var builder = builder(for: route, in: call.environment)
            // Middleware may still change the server: the request that it returns decides.
            if !middleware.isEmpty { builder.credentialServers = nil }
            if builder.withholdsCredentials, hasCredentialHeaders { call.addNoteOfCall(Self.noteOfForeign) }
            request = try builder.request(for: route, form: form)
        }
        // The client ends the call at its deadline. The timer of `URLSession` would also count time in which the
        // process was suspended, so it must not end the call first: it is at least one day.
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

    /// The servers that get the client's credentials: its authorization, and the headers of the configuration that are
    /// credentials.
    ///
    /// - Parameter policy: the policy of the request; nil for that of the route.
    func credentialServers(
        of route: Route, by policy: AuthorizationPolicy? = nil, in environment: Environment?
    ) -> [BaseURL.Source]? {
        // Most requests go to the client's server alone, so the search for their origin is left out.
        if !changesServers, !route.hasOwnServer, route.configure == nil { return nil }
        switch policy ?? route.authorization {
        case .anywhere: return nil
        case .required: return [nil, route.baseURLKey].map { base($0, in: environment) }
        case .none, .optional: return [base(nil, in: environment)]
        }
    }

    /// How a call in an environment writes values, unless its route says otherwise.
    func dialect(in environment: Environment?) -> QueryDialect {
        environment?.contents.dialect ?? configuration.dialect
    }

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
}
