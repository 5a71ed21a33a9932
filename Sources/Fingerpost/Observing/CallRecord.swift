import FingerpostFiles
package import Foundation

/// The record of one call. Each step of the call stores what has happened. ``Response``, ``APIError`` and
/// ``LoggedCall`` contain parts of the record.
///
/// The logs of the call's scopes contain the record from the start.
package final class CallRecord: Sendable {
    /// The facts that are known so far.
    struct Facts: Sendable {
        // MARK: Requests

        /// The last request that the library or other code built, and the number of requests built.
        var built: URLRequest?
        var builds = 0
        /// The requests sent, redirects included.
        var sent: [URLRequest] = []
        /// The number of sent requests, including redirects.
        var attempts = 0
        /// The request whose response redirected to the last request; nil if the last request is not a redirect.
        var redirector: URLRequest?
        /// The origins that the call reached only through redirects.
        var redirected: [Origin] = []
        /// The headers that the client's authorization has added to any request of the call, and the headers with the
        /// same names that the requests already had.
        var credentials: [Authorization.Header] = []
        /// The headers that the client's authorization has added to the last request.
        var added: [Authorization.Header] = []
        /// The credentials that the route or middleware has added to the last request.
        var own: [Authorization.Header] = []
        /// The account of the call; nil until the account is known.
        var account: String?

        // MARK: Attempts

        /// The attempts that have ended. The last attempt is missing if its outcome is the outcome of the call.
        var earlier: [Attempt] = []
        /// The start of the last attempt, and the wait before it.
        var began = Duration.zero
        var wait = Duration.zero
        /// The status of a partial response of the last attempt; nil for any other response.
        var part: Int?
        /// True while the last attempt is in progress.
        var isSending = false
        /// The message of the call's error at its deadline; nil before the deadline.
        var deadlineMessage: String?
        /// The responses received, redirects included. The responses may contain credentials.
        var received: [(headers: HTTPHeaders, data: Data)] = []

        // MARK: Mocks

        /// The name of the mock that answers; nil if no mock answers.
        var mock: MockName?

        // MARK: Outcome

        /// The request of the response that the call returned, with the changes that middleware made.
        var answered: URLRequest?
        var source: ResponseSource?
        var status: Int?
        var error: APIError?
        /// The time from the start of the call to its response; nil until the response arrives.
        var answeredAt: Duration?
        var decodedType: Any.Type?
        /// When the response arrived or the call failed, as the time since the scope was created.
        var ended: Duration?
        /// True after the last change of the record.
        var isOver = false

        var request: URLRequest? { sent.last ?? built }

        /// The last request, with the changes that middleware made.
        var last: URLRequest? { answered ?? request }

        /// Numbers that change when the call gets another secret.
        fileprivate var evidence: [Int] {
            [builds, built == nil ? 0 : 1, sent.count, answered == nil ? 0 : 1, credentials.count, received.count]
        }

        var requests: [URLRequest] { (built.map { [$0] } ?? []) + sent }

        /// Releases the facts that only a running call needs.
        mutating func release() {
            if !sent.isEmpty {
                built = nil
                sent.removeFirst(sent.count - 1)
            }
            received = []
        }

        /// The attempts that led to the response; until the response arrives, the attempts that have ended.
        var history: [Attempt] {
            guard let answeredAt, let last = attempt(last, status: status, at: answeredAt) else { return earlier }
            return earlier + [last]
        }

        /// Returns the last attempt, which ends now. Returns nil if the attempt is already in `earlier`.
        func attempt(_ request: URLRequest?, status: Int?, error: String? = nil, at now: Duration) -> Attempt? {
            guard earlier.count < attempts, let request else { return nil }
            return Attempt(
                request: Redaction.request(request), status: status.map { part ?? $0 }, error: error, wait: wait,
                // The clock may have been set back during the attempt.
                duration: max(now - began, .zero))
        }
    }

    package let route: Route
    /// The environment of the call. No text may show the secrets of the environment.
    package let environment: Environment?
    /// The credentials in the client's configuration.
    let clientCredentials: [String]
    /// The observers of the call's scopes.
    let observers: [any CallObserver]
    /// The start of the call, as the time since the scope was created; zero outside any scope.
    let started: Duration
    /// The clock of the call's scope; nil outside any scope.
    private let values: ScopeValues?
    /// The object that the scope stores for the call.
    package let note: (any AnyObject & Sendable)?
    private let state = Locked(Facts())
    /// The secrets that were last computed for an attempt, an error or a log.
    private let known = Locked<(evidence: [Int], secrets: CallSecrets)?>(nil)

    /// Creates the record of a call.
    ///
    /// - Parameters:
    ///   - clientCredentials: the credentials in the client's configuration.
    ///   - values: the clock of the call's scope; nil outside any scope.
    ///   - note: the object that the scope stores for the call.
    init(
        _ route: consuming Route, _ environment: Environment?, clientCredentials: [String] = [],
        observers: [any CallObserver], values: ScopeValues?, note: (any AnyObject & Sendable)? = nil
    ) {
        self.route = route
        self.environment = environment
        self.clientCredentials = clientCredentials
        self.observers = observers
        self.values = values
        self.note = note
        started = values?.elapsed() ?? .zero
    }

    /// The facts so far.
    var facts: Facts { @inline(never) get { state.withLock { $0 } } }

    /// Returns some of the facts.
    func read<Value>(_ value: (Facts) -> Value) -> Value { state.withLock { value($0) } }

    /// The last request that was sent, or else the request that was built.
    package var request: URLRequest? { read(\.request) }

    // MARK: Requests

    /// Stores a request that the library or other code built.
    func built(_ request: URLRequest) {
        state.withLock { facts in
            facts.built = request
            facts.builds += 1
        }
    }

    /// Stores the headers that the client's authorization adds to the next request.
    ///
    /// - Parameter own: the headers that the request already has under the same names.
    func add(credentials: [Authorization.Header], own: [Authorization.Header]) {
        state.withLock { facts in
            (facts.added, facts.own) = (credentials, own)
            facts.credentials += credentials + own
        }
    }

    /// Stores the account of the call.
    ///
    /// - Parameter account: the account; nil if the account is unknown.
    /// - Throws: ``APIError`` of the kind `cancelled` if the call began with another account.
    func begin(as account: String?) throws(APIError) {
        let isSame = state.withLock { facts in
            facts.account = facts.account ?? account
            return facts.account.map { $0.isSame(as: account ?? "") } ?? true
        }
        guard isSame else {
            throw APIError(
                .cancelled, "another account has signed in since the call began, so it was not sent with that token",
                fix: "cancel the calls of a user who signs out")
        }
    }

    // MARK: Attempts

    /// Stores a request that is about to be sent: the original request, a redirect, or a retry.
    ///
    /// - Parameter redirector: the request whose response redirected to this request.
    func beginAttempt(_ request: URLRequest, redirectedFrom redirector: URLRequest?, at now: Duration) {
        state.withLock { facts in
            if redirector != nil, let origin = request.url.map(Origin.init),
                !facts.sent.contains(where: { $0.url.map(Origin.init) == origin })
            {
                facts.redirected.append(origin)
            }
            facts.sent.append(request)
            facts.redirector = redirector
            facts.attempts += 1
            facts.began = now
            facts.part = nil
            facts.isSending = true
        }
    }

    /// - Parameter part: the status that the server sent, such as 206, if a download has joined the partial response to
    ///   earlier bytes; nil for any other response.
    /// - Returns: the number of requests sent so far.
    @discardableResult
    package func receive(_ response: borrowing Response<Data>, part: Int? = nil) -> Int {
        let (headers, data) = (response.headers, response.data)
        return state.withLock { facts in
            facts.received.append((headers, data))
            facts.part = part
            facts.isSending = false
            return facts.attempts
        }
    }

    /// Stores the outcome of the last attempt, because another attempt may follow.
    func endAttempt(_ result: Outcome, at now: Duration) {
        let facts = state.withLock { facts in
            facts.isSending = false
            return facts
        }
        var (status, error) = (nil as Int?, nil as String?)
        switch result {
        case .success(let response): status = response.status
        case .failure(let failure):
            error = facts.deadlineMessage ?? secrets(facts).shown(APIError(transport: failure).message)
        }
        guard let attempt = facts.attempt(facts.request, status: status, error: error, at: now) else { return }
        state.withLock { facts in
            facts.earlier.append(attempt)
            facts.wait = .zero
        }
    }

    /// Stores the error at the deadline. The error is the outcome of each attempt that fails afterwards.
    func reachDeadline(_ error: APIError) { state.withLock { $0.deadlineMessage = error.message } }

    /// Stores how long the call waits before its next attempt.
    func wait(_ duration: Duration) { state.withLock { $0.wait = duration } }

    // MARK: Mocks

    /// Stores the name of the mock that is about to answer.
    package func asked(_ mock: MockName) { state.withLock { $0.mock = mock } }

    // MARK: Outcome

    /// Stores the type that the call is about to decode.
    package func willDecode(_ type: Any.Type) { state.withLock { $0.decodedType = type } }

    /// Stores the response that the call returns.
    ///
    /// - Parameter isOver: false if the body arrives later.
    /// - Returns: the number of requests that were sent.
    func end(_ response: borrowing Response<Data>, at now: Duration, isOver: Bool) -> Int {
        let (request, source, status) = (response.request, response.source, response.status)
        let ended = isOver ? values?.elapsed() : nil
        return state.withLock { facts in
            (facts.answered, facts.source, facts.status) = (request, source, status)
            (facts.answeredAt, facts.ended) = (now, ended)
            return facts.attempts
        }
    }

    /// Stores that the body of the response has ended, or that the app has stopped reading.
    package func endBody() {
        let ended = values?.elapsed()
        state.withLock { $0.ended = $0.ended ?? ended }
    }

    /// Stores the error that the call throws.
    func end(_ error: APIError) {
        let ended = values?.elapsed()
        state.withLock { facts in
            facts.error = error
            facts.status = error.status ?? facts.status
            facts.ended = facts.ended ?? ended
        }
    }

    /// Releases the facts that only a running call needs. The logs keep the other facts.
    package func close() {
        state.withLock { facts in
            facts.release()
            facts.isOver = true
        }
        known.withLock { $0 = nil }
    }

    /// True after the call was answered or has failed.
    package var hasEnded: Bool { state.withLock { $0.ended != nil || $0.error != nil } }
}

extension Response {
    /// The record of the call that received the response; nil for a response that no client received.
    package var record: CallRecord? { call as? CallRecord }
}

extension CallRecord: CallEvidence {
    /// The secrets of the call. After the call has ended, only the secrets of the environment and of the last request
    /// remain.
    ///
    /// The secrets are computed only when a text must hide them, because most calls that succeed need no such text.
    package var secrets: CallSecrets { secrets(facts) }

    var history: [Attempt] {
        let facts = facts
        let secrets = secrets(facts)
        return facts.history.map { $0.mapTexts(secrets.hide) }
    }

    package var account: String? { read(\.account) }

    /// Returns the secrets, which are computed once for each state of the call.
    func secrets(_ facts: Facts) -> CallSecrets {
        let evidence = facts.evidence
        if let known = known.withLock({ $0 }), known.evidence == evidence { return known.secrets }
        let secrets = composed(facts)
        known.withLock { $0 = (evidence, secrets) }
        return secrets
    }

    private func composed(_ facts: Facts) -> CallSecrets {
        let requests = facts.requests + (facts.answered.map { [$0] } ?? [])
        var credentials = clientCredentials + (requests.isEmpty ? route.credentials : route.formCredentials)
        for (index, var request) in requests.enumerated() {
            // Most requests of a call have the same body.
            if index > 0, request.httpBody == requests[0].httpBody { request.httpBody = nil }
            credentials += Redaction.credentials(of: request)
        }
        for header in facts.credentials { credentials += Redaction.credentials(inHeader: header.value) }
        for response in facts.received { credentials += Redaction.credentials(of: response.headers) }
        let issued = facts.received.reversed().flatMap { Redaction.issued(in: $0.data) }
        return CallSecrets(environment, credentials: credentials, issued: issued)
    }

    /// The requests and responses of the call for recordings: the request that was built, the requests that were sent,
    /// and the responses that arrived, each in order. A body is empty here if it was written to a file or read while it
    /// arrived.
    package var evidence:
        (requests: [URLRequest], responses: [(headers: HTTPHeaders, body: Data)], credentials: [String])
    {
        let facts = facts
        let added = facts.credentials.flatMap { Redaction.credentials(inHeader: $0.value) }
        return (facts.requests, facts.received.map { ($0.headers, $0.data) }, clientCredentials + added)
    }
}
