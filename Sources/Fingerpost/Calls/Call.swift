import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is known of one call, from its route to its end: for the log, for the response, and for errors.
final class Call: Sendable {
    struct State {
        /// The request as it was built, and then as it was sent last.
        var request: URLRequest?
        /// How often a request was sent.
        var attempts = 0
        /// What the client's authorization added.
        var credential: Authorization.Header?
    }

    let route: Route
    let answer: Answering.Decision
    private let start = ContinuousClock.now
    let state = Locked(State())

    init(_ route: Route, _ answer: Answering.Decision) {
        self.route = route
        self.answer = answer
    }

    /// When the time for the call is over.
    var deadline: ContinuousClock.Instant { start + answer.timeout }

    var attempts: Int { state.withLock { $0.attempts } }

    /// What the client's authorization added to the request that was sent last.
    var credential: Authorization.Header? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.credential = newValue } }
    }

    /// Runs work in the scope of the call, also where the client knows it and the task does not.
    func inScope<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope = answer.scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }

    /// The request was built.
    func begin(_ request: URLRequest) {
        state.withLock { $0.request = request }
        answer.entry?.begin(request)
    }

    /// A request is sent, the first one or another.
    func beginAttempt(_ request: URLRequest) {
        state.withLock { state in
            state.request = request
            state.attempts += 1
        }
        answer.entry?.begin(request)
    }

    /// A response as middleware sees it: without the client's credential, and with what is known of the call so far.
    func withoutCredential(_ response: Response<Data>) -> Response<Data> {
        var response = response
        if let credential { response.request = response.request.without(credential) }
        response.attempts = attempts
        response.duration = ContinuousClock.now - start
        return response
    }

    /// The response is there.
    func end(_ response: inout Response<Data>) {
        let (sent, attempts, credential) = state.withLock { ($0.request, $0.attempts, $0.credential) }
        // What middleware did not see is part of what was sent.
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
        // After a redirect to another server it is not there.
        guard value(forHTTPHeaderField: header.name.rawValue) == header.value else { return self }
        var request = self
        request.setValue(nil, forHTTPHeaderField: header.name.rawValue)
        return request
    }
}
