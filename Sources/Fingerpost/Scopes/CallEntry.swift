import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The entry for one call in the logs of its scopes.
final class CallEntry: Sendable {
    private struct State {
        var call: LoggedCall
        var isFaultIntended = false
        var problem: String?
    }

    private let time: ScopeTime
    private let started: Duration
    private let state: Locked<State>

    /// Adds a call to the logs of a scope and of the enclosing scopes.
    init(_ route: Route, in scope: APIScope) {
        time = scope.log.time
        started = time.elapsed()
        state = Locked(State(call: LoggedCall(route: route, started: started)))
        // Because a scope may be nested in itself, log the call only once in each scope.
        var logs: Set<ObjectIdentifier> = []
        for scope in scope.chain where logs.insert(ObjectIdentifier(scope.log)).inserted { scope.log.append(self) }
    }

    /// How long the call has been in progress, by the scope's clock.
    var elapsed: Duration { time.elapsed() - started }

    var call: LoggedCall { state.withLock { $0.call } }

    /// Sets the environment of the call, whose secrets the log must not show.
    func enter(_ environment: Environment?) { state.withLock { $0.call.environment = environment } }

    /// Stores the values of headers with credentials, whose names may look harmless.
    func add(credentials: [String]) { state.withLock { $0.call.credentials += credentials } }

    func begin(_ request: URLRequest) { state.withLock { $0.call.request = request } }

    func beginAttempt(_ request: URLRequest) {
        state.withLock { state in
            state.call.request = request
            state.call.attempts += 1
        }
    }

    /// Stores the name of the mock that is about to answer.
    func ask(_ mock: MockName) { state.withLock { $0.call.mock = mock } }

    /// Marks the answer as broken on purpose, so that a decoding error is not reported as a problem of the mock.
    func intendFault() { state.withLock { $0.isFaultIntended = true } }

    /// Stores the type that the call is about to decode. It is a problem if the route declares another type.
    func decode(_ type: Any.Type) {
        state.withLock { state in
            state.call.decodedType = type
            state.problem = state.problem ?? state.call.typeProblem
        }
    }

    /// - Parameter elapsed: how long the call took, by the scope's clock.
    func end(_ response: Response<Data>, after elapsed: Duration) {
        state.withLock { state in
            state.call.request = response.request
            state.call.source = response.source
            state.call.status = response.status
            state.call.earlier = response.earlier
            state.call.timing = response.timing
            state.call.ended = started + elapsed
        }
    }

    func end(_ error: APIError) {
        state.withLock { state in
            state.call.error = error
            state.call.status = error.status ?? state.call.status
            state.call.ended = state.call.ended ?? time.elapsed()
            let isMocked = if case .mock? = state.call.source { true } else { false }
            if error.kind == .mock || error.kind == .decoding && isMocked && !state.isFaultIntended {
                state.problem = error.description
            }
        }
    }

    /// Stores the error of a mock that could not answer, so that the error is reported even if middleware catches it.
    func refuse(_ error: APIError) {
        guard error.kind == .mock else { return }
        state.withLock { $0.problem = "\($0.call.route): \(error.redacted(by: $0.call.redactor))" }
    }

    func takeProblem() -> String? { state.withLock { $0.problem.take() } }

    /// True when the call has ended and has no problem to report.
    var isSettled: Bool { state.withLock { $0.call.ended != nil && $0.problem == nil } }

    /// The problem to report when the call is still in progress at the end of the test; nil when the call has ended.
    var unfinished: String? {
        let call = call
        guard call.ended == nil else { return nil }
        return "\(call.route) was still in progress when the test ended; await it, or cancel it and await its end"
    }
}
