import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of one call, from its route to its end. The call's log entry, response and errors are filled in from this
/// state.
final class Call: Sendable {
    struct State {
        /// The request that was built, then every request sent. Errors must contain the credentials of none of them.
        var requests: [URLRequest] = []
        /// How many requests were sent, redirects included.
        var attempts = 0
        /// The headers that the client's authorization added, one for each time it was asked.
        var credentials: [Authorization.Header] = []
        /// The responses received, redirects included. They may contain credentials too.
        var responses: [Response<Data>] = []
        /// The request whose response redirected to the last request; nil if the last request is not a redirect.
        var redirector: URLRequest?
        /// The route's multipart form, if it is too large for memory.
        var form: BodyStream?
    }

    let route: Route
    let answer: Answering.Decision
    /// The credentials in the client's configuration.
    let clientCredentials: [String]
    /// Receives the body; nil to collect the body in memory.
    private let sink: (any ResponseSink)?
    private let start = ContinuousClock.now
    let state = Locked(State())

    init(
        _ route: consuming Route, _ answer: consuming Answering.Decision, clientCredentials: [String],
        into sink: (any ResponseSink)? = nil
    ) {
        self.route = route
        self.answer = answer
        self.clientCredentials = clientCredentials
        self.sink = sink
    }

    /// When the call times out.
    var deadline: ContinuousClock.Instant { start + answer.timeout }

    var attempts: Int { state.withLock { $0.attempts } }

    /// The header that the client's authorization added to the last request sent.
    var credential: Authorization.Header? {
        get { state.withLock { $0.credentials.last } }
        set { state.withLock { $0.credentials += [newValue].compactMap(\.self) } }
    }

    /// The route's multipart form, if it is too large for memory. It is opened again for every request.
    var form: BodyStream? {
        guard case .multipart? = route.body else { return nil }
        return state.withLock { $0.form }
    }

    /// Writes the route's multipart form to a temporary file if it is too large for memory.
    func spoolForm(by deadlines: Deadlines) async throws(APIError) {
        guard case .multipart(let form)? = route.body else { return }
        let spooled = try await form.spooled(by: deadlines, until: deadline, answer.timeout)
        state.withLock { $0.form = spooled }
    }

    /// Sends one request with the transport that answers, and returns the whole response.
    func send(_ request: URLRequest) async throws -> Response<Data> {
        let transport = try answer.transport.get()
        guard let sink else { return try await transport.send(request, for: route) }
        try await transport.send(request, for: route, into: sink)
        return try sink.response()
    }

    /// Runs work in the call's scope, which may be the client's scope instead of the task's.
    func inScope<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope = answer.scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }

    /// Stores a request that other code built, before it is checked.
    func given(_ request: URLRequest) {
        state.withLock { $0.requests.append(request) }
    }

    /// Stores the request that was built.
    func begin(_ request: URLRequest) {
        state.withLock { $0.requests.append(request) }
        answer.entry?.begin(request)
    }

    /// Stores a request that is about to be sent: the original request, a redirect, or a retry by middleware.
    func beginAttempt(_ request: URLRequest) {
        state.withLock { state in
            state.requests.append(request)
            state.attempts += 1
        }
        answer.entry?.begin(request)
    }

    /// Stores where the next request comes from; nil for a request that is no redirect.
    func redirect(from request: URLRequest?) { state.withLock { $0.redirector = request } }

    /// Stores a response, and returns it with a reference to the secrets of this call.
    func received(_ response: consuming Response<Data>) -> Response<Data> {
        // The stored response has no such reference, because it would keep the call alive for ever.
        response.secrets = nil
        let stored = response
        state.withLock { $0.responses.append(stored) }
        response.secrets = self
        return response
    }

    /// The response as middleware sees it: without the client's credential, and with the attempts and the duration so
    /// far.
    func withoutCredential(_ response: Response<Data>) -> Response<Data> {
        var response = response
        if let credential { response.request = response.request.without(credential) }
        response.attempts = attempts
        response.duration = ContinuousClock.now - start
        return response
    }

    /// Completes the response that middleware returned, and logs it.
    func complete(_ response: inout Response<Data>) {
        response = received(response)
        let (sent, attempts, credential) = state.withLock { ($0.requests.last, $0.attempts, $0.credentials.last) }
        // The credential was hidden from middleware, but it was part of the request that was sent.
        if let credential, let sent, sent.without(credential) == response.request { response.request = sent }
        response.attempts = attempts
        response.duration = ContinuousClock.now - start
        answer.entry?.end(response)
    }
}

extension URLRequest {
    func with(_ header: Authorization.Header) -> URLRequest {
        var request = self
        request.setValue(header.value, forHTTPHeaderField: header.name.rawValue)
        return request
    }

    func without(_ header: Authorization.Header) -> URLRequest {
        // If this header was already removed, for example by a redirect to another origin, return the request
        // unchanged.
        guard value(forHTTPHeaderField: header.name.rawValue) == header.value else { return self }
        var request = self
        request.setValue(nil, forHTTPHeaderField: header.name.rawValue)
        return request
    }
}
