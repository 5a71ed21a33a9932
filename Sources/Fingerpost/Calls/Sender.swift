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
    let recorders: [any Middleware]
    let limiter: CallLimiter?
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
    ///   - sink: receives the body; nil to collect the body in memory, up to the configuration's maximum if the network
    ///     answers.
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
        return Call(
            decision, network: selection.transport, isSeen: isSeen, observers: configuration.observers, into: sink,
            streamedBody: streamedBody, requestIDNames: configuration.requestIDHeaders)
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

    // MARK: Requests

    /// Builds the request, unless other code did, and logs it.
    @inline(never)
    func request(of call: Call, _ prebuilt: URLRequest?, form: BodyStream?) throws -> URLRequest {
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
        if !middleware.isEmpty { builder.credentialServers = nil }
        if hasCredentialHeaders, selection.withholdsCredentials(in: call.environment) {
            call.addNoteOfCall(Self.noteOfForeign)
        }
        if call.route.idempotencyKey != .random { return try builder.request(for: call.route, form: form) }
        return try builder.request(for: call.route.idempotencyKey(call.uuid().uuidString), form: form)
    }

    static let noteOfForeign =
        "some of the client's credentials were left out, because they are not those of the chosen environment"

    func builder(for route: Route, in environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: base(route.baseURLKey, in: environment), headers: configuration.headers,
            checkedHeaders: checkedHeaders, credentialServers: credentialServers(of: route, in: environment),
            withholdsCredentials: selection.withholdsCredentials(in: environment),
            authorizationNames: authorizationNames.withLock { $0 },
            dialect: dialect(in: environment), encoder: configuration.encoder, lookup: .environment(environment),
            configure: configuration.configure)
    }

    /// The servers that get the client's credentials: its authorization, and the headers of the configuration that are
    /// credentials.
    ///
    /// - Parameter policy: the policy of the request; nil for that of the route.
    func credentialServers(
        of route: Route, by policy: AuthorizationPolicy? = nil, in environment: Environment?
    ) -> [BaseURL.Source]? {
        let policy = policy ?? route.authorization
        // Most requests go to the client's server alone, so the search for their origin is left out.
        guard changesServers || route.hasOwnServer || route.configure != nil, policy != .anywhere else { return nil }
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
}
