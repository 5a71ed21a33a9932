import FingerpostFiles

/// The calls of a scope, and whether the scope is open.
final class CallLog: Sendable {
    private struct State {
        var entries: [CallEntry] = []
        /// The number of entries at which old entries are removed.
        var limit = CallLog.capacity
        /// The number of the scope's `run` calls in progress.
        var runs = 0
        var isClosed = false
        /// The retry budgets of the scope's clients, by the budgets that the clients have outside any scope.
        var budgets: [ObjectIdentifier: (client: RetryBudget, scope: RetryBudget)] = [:]
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
            // Limit the log, because the scope of a demo may stay open for days.
            if state.entries.count >= state.limit {
                let old = state.entries.dropLast(Self.capacity / 2).filter { !$0.isSettled }
                state.entries = old + state.entries.suffix(Self.capacity / 2)
                // If few entries could be removed, the next search waits until it is worth its time.
                state.limit = max(Self.capacity, 2 * state.entries.count)
            }
            state.entries.append(entry)
        }
    }

    /// The budget of a client in this scope. Tests that share a client do not share its budget.
    func budget(for client: RetryBudget) -> RetryBudget {
        state.withLock { state in
            let key = ObjectIdentifier(client)
            if let (_, budget) = state.budgets[key] { return budget }
            let budget = RetryBudget()
            state.budgets[key] = (client, budget)
            return budget
        }
    }

    /// When the log contains this many calls, it removes the older half of them, except calls in progress and calls
    /// with problems. If it keeps most of them, it contains twice as many calls before it removes calls again.
    fileprivate static let capacity = 10_000

    /// The calls, in the order in which they started.
    var calls: [LoggedCall] { entries.map(\.call) }

    /// The problems of the calls so far. Each problem is returned only once.
    func takeProblems() -> [String] { entries.compactMap { $0.takeProblem() } }

    /// Closes the scope.
    ///
    /// - Returns: the problems found in the calls, plus one for each call still in progress.
    func close() -> [String] {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries
        }
        return entries.compactMap { $0.takeProblem() ?? $0.unfinished }
    }

    private var entries: [CallEntry] { state.withLock { $0.entries } }
}
