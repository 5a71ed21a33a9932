import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call in the logs of the scopes that it runs in.
final class CallEntry: Sendable {
    private struct State {
        var call: LoggedCall
        var isFaultIntended = false
        var problem: String?
    }

    private let time: ScopeTime
    private let state: Locked<State>

    /// Enters a call into the log of a scope and of those around it.
    init(_ route: Route, in scope: APIScope) {
        time = scope.log.time
        state = Locked(State(call: LoggedCall(route: route, started: time.elapsed())))
        var logs: [CallLog] = []
        // A scope that runs inside of itself is told once.
        for scope in scope.chain where !logs.contains(where: { $0 === scope.log }) { logs.append(scope.log) }
        for log in logs { log.append(self) }
    }

    /// How long the call has been under way, by the scope's clock.
    var elapsed: Duration { time.elapsed() - call.started }

    var call: LoggedCall { state.withLock { $0.call } }

    func begin(_ request: URLRequest) { state.withLock { $0.call.request = request } }

    /// What comes next is broken on purpose, so that failing to decode it is no fault of the mock.
    func intendFault() { state.withLock { $0.isFaultIntended = true } }

    func end(_ response: Response<Data>) {
        state.withLock { state in
            state.call.request = response.request
            state.call.source = response.source
            state.call.status = response.status
            state.call.ended = time.elapsed()
        }
    }

    func end(_ error: APIError) {
        state.withLock { state in
            state.call.error = error
            state.call.status = error.status ?? state.call.status
            state.call.ended = state.call.ended ?? time.elapsed()
            let isMocked = if case .mock(_?)? = state.call.source { true } else { false }
            if error.kind == .mock || error.kind == .decoding && isMocked && !state.isFaultIntended {
                state.problem = error.description
            }
        }
    }

    /// A mock that should have answered did not.
    func refuse(_ error: APIError) {
        guard error.kind == .mock else { return }
        state.withLock { $0.problem = "\($0.call.route): \(error.description)" }
    }

    func takeProblem() -> String? { state.withLock { $0.problem.take() } }

    /// True for a call that is over and has nothing wrong.
    var isSettled: Bool { state.withLock { $0.call.ended != nil && $0.problem == nil } }

    /// What to say of a call that is under way when it should not be.
    var unfinished: String? {
        let call = call
        guard call.ended == nil else { return nil }
        return "\(call.route) was still under way at the end; await it, or cancel it and await that"
    }
}
