import FingerpostFiles

/// The calls of a scope, and whether the scope is open.
final class CallLog: Sendable {
    private struct State {
        var records: [CallRecord] = []
        var observers: [any CallObserver] = []
        /// The number of records at which old records are removed.
        var limit = CallLog.capacity
        /// The number of the scope's `run` calls in progress.
        var runs = 0
        var isClosed = false
        /// The calls in the log that ``Mocks/next(_:)`` has returned, with the name of each.
        var returned = [ObjectIdentifier: Set<MockName>]()
        /// The scope's own objects, by those that clients share.
        var own = [ObjectIdentifier: (shared: any AnyObject & Sendable, own: any AnyObject & Sendable)]()
    }

    private let state: Locked<State>

    /// The scope's observers.
    var observers: [any CallObserver] { state.withLock { $0.observers } }

    init(observers: [any CallObserver]) {
        var initial = State()
        initial.observers = observers
        state = Locked(initial)
    }

    /// Adds observers, which receive the calls that begin from now on.
    func observe(_ observers: [any CallObserver]) {
        if !observers.isEmpty { state.withLock { $0.observers += observers } }
    }

    func enter() { state.withLock { $0.runs += 1 } }

    func leave() { state.withLock { $0.runs -= 1 } }

    var isOpen: Bool { state.withLock { $0.runs > 0 && !$0.isClosed } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func append(_ record: CallRecord) {
        state.withLock { state in
            // Limit the log, because the scope of a demo may stay open for days.
            if state.records.count >= state.limit {
                let old = state.records.dropLast(Self.capacity / 2).filter { !$0.isSettled }
                state.records = old + state.records.suffix(Self.capacity / 2)
                let kept = Set(state.records.map { ObjectIdentifier($0) })
                state.returned = state.returned.filter { kept.contains($0.key) }
                // If few records could be removed, the next search waits until it is worth its time.
                state.limit = max(Self.capacity, 2 * state.records.count)
            }
            state.records.append(record)
        }
    }

    /// The scope's own object in place of one that a client shares: the same for the same shared object.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        state.withLock { state in
            let key = ObjectIdentifier(shared)
            if let own = state.own[key]?.own as? Object { return own }
            let own = make()
            state.own[key] = (shared, own)
            return own
        }
    }

    /// When the log contains this many calls, it removes the older half of them, except calls in progress and calls
    /// with problems. If many calls stay, the next removal waits until their number has doubled.
    fileprivate static let capacity = 10_000

    /// The calls, in the order in which they started.
    var calls: [LoggedCall] { records.map { LoggedCall($0) } }

    /// The next call of a mock that has ended; nil if there is none yet. Each call is returned once.
    func next(of mock: MockName) -> LoggedCall? {
        for record in records {
            let call = LoggedCall(record)
            guard call.ended != nil || call.error != nil, call.isCall(of: mock) else { continue }
            let isNew = state.withLock { $0.returned[ObjectIdentifier(record), default: []].insert(mock).inserted }
            if isNew { return call }
        }
        return nil
    }

    /// The problems of the calls so far. Each problem is returned only once.
    func takeProblems() -> [String] { records.compactMap { $0.takeProblem() } }

    /// True if a call has a problem that nobody has taken, or is still in progress.
    var hasProblems: Bool { records.contains { $0.hasProblem || $0.unfinished != nil } }

    /// True if a call has the problem that there was no mock.
    var lacksMock: Bool { records.contains(where: \.lacksMock) }

    /// Closes the scope.
    ///
    /// - Returns: the problems found in the calls, plus one for each call still in progress.
    func close() -> [String] {
        let records = state.withLock { state in
            state.isClosed = true
            return state.records
        }
        return records.compactMap { $0.takeProblem() ?? $0.unfinished }
    }

    private var records: [CallRecord] { state.withLock { $0.records } }
}
