import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of one call, from its route to its end. The call's log entry, response and errors are filled in from this
/// state.
final class Call: Sendable {
    struct State {
        /// The request that was built, or that other code built. Errors must contain the credentials of none of the
        /// requests.
        var built: URLRequest?
        /// The requests sent, redirects included.
        var sent = Series<URLRequest>()
        /// How many requests were sent, redirects included.
        var attempts = 0
        /// The headers that the client's authorization added, one for each time it was asked, and those that the
        /// requests had under the same names.
        var credentials: [Authorization.Header] = []
        /// Those of them that the client's authorization added to the last request.
        var added: [Authorization.Header] = []
        /// Those of them that the last request had already, from the route or from middleware.
        var own: [Authorization.Header] = []
        /// The responses received, redirects included. They may contain credentials too.
        var received = Series<(headers: HTTPHeaders, data: Data)>()
        /// The request whose response redirected to the last request; nil if the last request is not a redirect.
        var redirector: URLRequest?
        /// The route's multipart form, if it is too large for memory.
        var form: BodyStream?
        /// The attempts that have ended. The last one is missing if its outcome is the call's.
        var earlier: [Attempt] = []
        /// When the last attempt began, and how long the call waited before.
        var began = Duration.zero
        var wait = Duration.zero
        /// The transfer of the last attempt; nil for an attempt whose body goes into no sink.
        var transfer: TransferWatch?
        /// What the call waits for, other than its response.
        var pause: Pause?
        /// Why the call was not sent again after its last attempt.
        var note: String?
        /// True while the last attempt is in progress.
        var isSending = false

        /// The last request: the one that was sent last, or else the one that was built.
        var request: URLRequest? { sent.last ?? built }

        /// The attempts that have ended, and the times of the last one if its outcome is the call's.
        func history(at now: Duration) -> (earlier: [Attempt], last: Attempt.Timing?) {
            (earlier, earlier.count < attempts ? timing(at: now) : nil)
        }

        /// The times of the last attempt. The clock may have been set back.
        func timing(at now: Duration) -> Attempt.Timing {
            Attempt.Timing(wait: wait, duration: max(now - began, .zero))
        }
    }

    /// What a call waits for, other than its response.
    enum Pause {
        case queue(limit: Int, host: String, since: Duration)
        case refresh
        case step(String)
    }

    /// Elements of which most calls have only one, such as the requests that were sent. One element takes no memory
    /// outside the series.
    struct Series<Element> {
        private(set) var last: Element?
        private var earlier: [Element] = []

        /// All elements, in order.
        var all: [Element] { earlier + (last.map { [$0] } ?? []) }

        mutating func append(_ element: Element) {
            if let last { earlier.append(last) }
            last = element
        }
    }

    let route: Route
    let decision: Answering.Decision
    /// The credentials in the client's configuration.
    let clientCredentials: [String]
    /// Receives the body; nil to collect the body in memory.
    let sink: (any ResponseSink)?
    private let deadlines: Deadlines
    /// When the client began to decide who answers. The timeout counts from here.
    let start: ContinuousClock.Instant
    let state = Locked(State())

    init(
        _ route: consuming Route, _ decision: consuming Answering.Decision, since start: ContinuousClock.Instant = .now,
        clientCredentials: [String], into sink: (any ResponseSink)? = nil, by deadlines: Deadlines
    ) {
        self.route = route
        self.start = start
        self.decision = decision
        self.clientCredentials = clientCredentials
        self.sink = sink
        self.deadlines = deadlines
    }

    /// How long the call may take, by the system's clock.
    ///
    /// The timeout of a mocked call in a scope is measured on the scope's clock, by each step that can take long:
    /// attempts, delays of mocks, waits, queues and refreshes. Such a call has five times as long by the system's
    /// clock, because many tests at once make a machine slow.
    var limit: Duration { decision.timeout * (decision.isLive || decision.scope == nil ? 1 : 5) }

    /// The time since the call began, by the system's clock, without time in which the process was suspended.
    var systemElapsed: Duration { deadlines.elapsed(since: start) }

    var attempts: Int { state.withLock { $0.attempts } }

    /// The headers that the client's authorization added to the last request sent.
    var lastCredentials: [Authorization.Header] { state.withLock { $0.added } }

    /// The headers of the last request sent that are credentials of the client by their names, whoever set them.
    var lastHeadersOfCredentials: [Authorization.Header] { state.withLock { $0.added + $0.own } }

    /// Stores the headers that the client's authorization adds to the next request.
    ///
    /// - Parameter own: the headers that the request has already under the names of the client's authorization.
    func add(credentials: [Authorization.Header], own: [Authorization.Header]) {
        state.withLock { state in
            (state.added, state.own) = (credentials, own)
            state.credentials += credentials + own
        }
        decision.entry?.add(credentials: (credentials + own).map(\.value))
    }

    /// The route's multipart form, if it is too large for memory.
    var form: BodyStream? {
        guard case .multipart? = route.body else { return nil }
        return state.withLock { $0.form }
    }

    /// The body as a stream, which is opened again for every request; nil if the route has none.
    var bodyStream: BodyStream? {
        if case .stream(let stream)? = route.body { stream } else { form }
    }

    /// Writes the route's multipart form to a temporary file if it is too large for memory.
    func spoolForm() async throws {
        guard case .multipart(let form)? = route.body else { return }
        pause(for: "writing the form")
        defer { state.withLock { $0.pause = nil } }
        let spooled = try await form.spooled(by: deadlines, within: limit, since: start, or: self.timedOut)
        state.withLock { $0.form = spooled }
    }

    /// Sends one request with the transport that answers, and returns the whole response.
    func send(_ request: URLRequest) async throws -> Response<Data> {
        let transport = try decision.transport.get()
        guard let sink else { return received(try await transport.send(request, for: route)) }
        let watch = TransferWatch(sink)
        state.withLock { $0.transfer = watch }
        if decision.isLive, let limit = decision.idleTimeout {
            try await send(request, by: transport, into: watch, within: limit)
        } else {
            try await transport.send(request, for: route, into: watch)
        }
        return received(try sink.response())
    }

    /// Sends one request, and ends it when the server is silent for longer than a limit.
    @inline(never)
    private func send(
        _ request: URLRequest, by transport: any Transport, into watch: TransferWatch, within limit: Duration
    ) async throws {
        try await deadlines.run(
            within: limit, since: watch.last, or: .idle(for: limit, afterBytes: watch.received)
        ) { [route] in
            try await transport.send(request, for: route, into: watch)
        }
    }

    /// Runs work in the call's scope, which may be the client's scope instead of the task's.
    func inScope<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope = decision.scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }

    /// Stores a request that other code built, before it is checked.
    func store(built request: URLRequest) {
        state.withLock { $0.built = request }
    }

    /// Stores the request that was built.
    func begin(_ request: URLRequest) {
        state.withLock { $0.built = request }
        decision.entry?.begin(request)
    }

    /// Stores a request that is about to be sent: the original request, a redirect, or a retry by middleware.
    ///
    /// - Parameter redirector: the request whose response redirected to this one.
    /// - Throws: ``APIError`` when the timeout has passed on the scope's clock, which nothing else watches.
    func beginAttempt(_ request: URLRequest, redirectedFrom redirector: URLRequest?) throws {
        let now = elapsed
        if now >= decision.timeout { throw timedOut }
        state.withLock { state in
            state.sent.append(request)
            state.redirector = redirector
            state.attempts += 1
            state.began = now
            state.note = nil
            state.pause = nil
            state.isSending = true
        }
        decision.entry?.beginAttempt(request)
    }

    /// Stores a response, and returns it with a reference to the secrets of this call.
    @inline(never)
    private func received(_ response: consuming Response<Data>) -> Response<Data> {
        receive(&response)
        return response
    }

    /// Stores a response, and adds a reference to the secrets of this call to it.
    private func receive(_ response: inout Response<Data>) {
        response.secrets = self
        let (headers, data) = (response.headers, response.data)
        state.withLock { state in
            state.received.append((headers, data))
            state.isSending = false
        }
    }

    /// The response as middleware sees it: without the client's credentials, and with the attempts and the duration so
    /// far. Middleware may send the request again, so the attempt ends here.
    func hidden(_ response: Response<Data>) -> Response<Data> {
        endAttempt(.success(response))
        var response = response
        response.request = response.request.without(lastCredentials)
        response.attempts = attempts
        response.duration = ContinuousClock.now - start
        response.earlier = withoutSecrets(state.withLock { $0.earlier })
        return response
    }

    /// Completes the response that middleware returned, and logs it.
    func complete(_ response: inout Response<Data>) {
        // Middleware may have answered, or replaced the response.
        if response.secrets?.id != id { receive(&response) }
        response.duration = ContinuousClock.now - start
        let elapsed = decision.entry?.elapsed ?? response.duration
        let (sent, credentials) = state.withLock { state in
            // Delete the form's temporary file now: the task that ran the call may outlive it.
            state.form = nil
            response.attempts = state.attempts
            (response.earlier, response.timing) = state.history(at: elapsed)
            return (state.request, state.added)
        }
        // The credentials were hidden from middleware, but they were part of the request that was sent.
        if !credentials.isEmpty, let sent, sent.without(credentials) == response.request { response.request = sent }
        if !response.earlier.isEmpty { response.earlier = withoutSecrets(response.earlier) }
        decision.entry?.end(response, after: elapsed)
    }
}

/// Notes when the last bytes of a request or its response passed, and how many came, so that a silent connection can be
/// ended and errors can say how far the response came.
final class TransferWatch: TransferObserver {
    private struct State {
        var last = ContinuousClock.now
        var received: Int?
        var isWaitingForConnection = false
    }

    private let sink: any BodySink
    private let state = Locked(State())

    init(_ sink: any BodySink) {
        self.sink = sink
    }

    /// When the last bytes passed.
    var last: ContinuousClock.Instant { state.withLock { $0.last } }

    /// The size of the body so far, in bytes; nil before the head.
    var received: Int? { state.withLock { $0.received } }

    /// True until the session has a connection to the internet, if it waits for one.
    var isWaitingForConnection: Bool { state.withLock { $0.isWaitingForConnection } }

    func sent() { state.withLock { ($0.last, $0.isWaitingForConnection) = (.now, false) } }

    func waitForConnection() { state.withLock { $0.isWaitingForConnection = true } }

    func begin(_ head: Response<Void>) throws {
        state.withLock { $0 = State(received: 0) }
        try sink.begin(head)
    }

    func receive(_ bytes: Data) throws {
        state.withLock { ($0.last, $0.received) = (.now, ($0.received ?? 0) + bytes.count) }
        try sink.receive(bytes)
    }

    func receive(contentsOf file: URL) throws {
        sent()
        try sink.receive(contentsOf: file)
    }
}

extension URLRequest {
    func with(_ headers: [Authorization.Header]) -> URLRequest {
        var request = self
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name.rawValue) }
        return request
    }

    func without(_ headers: [Authorization.Header]) -> URLRequest {
        var request = self
        // A header may have been removed already, for example by a redirect to another origin.
        for header in headers where request.value(forHTTPHeaderField: header.name.rawValue) == header.value {
            request.setValue(nil, forHTTPHeaderField: header.name.rawValue)
        }
        return request
    }
}
