import FingerpostFiles

/// The calls of a scope.
final class CallLog: Sendable {
    private struct State {
        var entries: [CallEntry] = []
        /// How often the scope is being run at the moment.
        var runs = 0
        var isClosed = false
    }

    let time: ScopeTime
    private let state = Locked(State())

    init(clock: any Clock<Duration>) {
        time = ScopeTime(clock)
    }

    func enter() { state.withLock { $0.runs += 1 } }

    func leave() { state.withLock { $0.runs -= 1 } }

    var isOpen: Bool { state.withLock { $0.runs > 0 && !$0.isClosed } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func append(_ entry: CallEntry) {
        state.withLock { state in
            // A demo's scope may be open for days.
            if state.entries.count >= Self.capacity {
                let old = state.entries.prefix(Self.capacity / 2).filter { !$0.isSettled }
                state.entries = old + state.entries.dropFirst(Self.capacity / 2)
            }
            state.entries.append(entry)
        }
    }

    /// About how many calls are kept, beside those that are under way or wrong.
    private static let capacity = 10_000

    /// The calls in the order in which they began.
    var calls: [LoggedCall] { entries.map(\.call) }

    /// What was wrong with them so far, which is then forgotten.
    func takeProblems() -> [String] { entries.compactMap { $0.takeProblem() } }

    /// - Returns: what was wrong, and what is not over.
    func close() -> [String] {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries
        }
        return entries.compactMap { $0.takeProblem() ?? $0.unfinished }
    }

    private var entries: [CallEntry] { state.withLock { $0.entries } }
}
