import Fingerpost
import FingerpostFiles
import Foundation

/// Stores the calls of a scope and the responses that a test sets.
final class MockSession: ScopeSession {
    /// A call, and its number in the log.
    private struct Entry: Sendable {
        let number: Int
        let record: CallRecord
    }

    private struct State {
        var entries: [Entry] = []
        /// The number of the next call.
        var next = 0
        /// The list that the last read of ``calls`` returned.
        var read: [LoggedCall] = []
        /// The calls in `read` that were still in progress, by their positions in `read`.
        var open: [Int] = []
        /// The calls that had not ended when ``Mocks/next(_:)`` was last called.
        var waiting: [Entry] = []
        /// The ended calls that ``Mocks/next(_:)`` has not returned yet. Each call is listed under each of its names,
        /// in the order in which the calls started.
        var ended = [MockName: ArraySlice<Entry>]()
        /// When the log contains this many calls, old calls are removed.
        var limit = MockSession.capacity
        /// The number of the scope's `run` calls in progress.
        var runs = 0
        var isClosed = false
        /// The scope's own objects, which replace objects that clients share. The keys identify the shared objects.
        var own = [ObjectIdentifier: (shared: any AnyObject & Sendable, own: any AnyObject & Sendable)]()

        /// Removes the older calls, except calls in progress and calls with problems.
        mutating func removeOld() {
            let oldest = next - MockSession.capacity / 2
            func isKept(_ entry: Entry) -> Bool { entry.number >= oldest || !entry.record.isSettled }
            entries = entries.filter(isKept)
            waiting = waiting.filter(isKept)
            ended = ended.mapValues { ArraySlice($0.filter(isKept)) }.filter { !$0.value.isEmpty }
            (read, open) = ([], [])
            // If few calls could be removed, the next removal waits until the number of calls has doubled.
            limit = max(MockSession.capacity, 2 * entries.count)
        }
    }

    /// The mocks that are chosen in the scope.
    let overrides: MockOverrides
    private let state = Locked(State())

    /// The folder of the test's file; nil if the folder exists on this machine.
    let missingSources: String?

    init(_ overrides: MockOverrides, missingSources: String? = nil) {
        self.overrides = overrides
        self.missingSources = missingSources
    }

    var isOpen: Bool { state.withLock { $0.runs > 0 && !$0.isClosed } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func enter() { state.withLock { $0.runs += 1 } }

    func leave(_ scope: APIScope) {
        state.withLock { $0.runs -= 1 }
        guard let outer = scope.outer?.mockSession else { return }
        overrides.expectTimes(in: scope.mocks)
        outer.overrides.adopt(overrides)
    }

    func note() -> (any AnyObject & Sendable)? { CallProblem() }

    func began(_ record: CallRecord) {
        state.withLock { state in
            // Limit the log, because the scope of a demo may stay open for days.
            if state.entries.count >= state.limit { state.removeOld() }
            let entry = Entry(number: state.next, record: record)
            state.next += 1
            state.entries.append(entry)
            state.waiting.append(entry)
        }
    }

    /// Returns the scope's own object for an object that a client shares. The same shared object always gives the same
    /// result.
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

    /// The calls, in the order in which they started. An ended call is read once, because it does not change any more.
    /// While the caller keeps the list, each read copies the list.
    var calls: [LoggedCall] {
        state.withLock { state in
            for place in state.open { state.read[place] = LoggedCall(state.entries[place].record) }
            let new = state.read.count..<state.entries.count
            state.read += state.entries[new].map { LoggedCall($0.record) }
            state.open = (state.open + new).filter { !state.read[$0].isOver }
            return state.read
        }
    }

    /// Returns the next ended call of a mock, or nil if no such call has ended. Each call is returned once. The names
    /// of a call are read once, after the call has ended.
    func next(of mock: MockName) -> LoggedCall? {
        let new = state.withLock { state in
            var new: [Entry] = []
            state.waiting.removeAll { entry in
                guard entry.record.hasEnded else { return false }
                new.append(entry)
                return true
            }
            return new
        }
        // The names come from code of the app, so they are read without the lock.
        let names = new.map { Set(LoggedCall($0.record).mocks) }
        let entry = state.withLock { state in
            for (entry, names) in zip(new, names) {
                for name in names {
                    let place = state.ended[name]?.lastIndex { $0.number < entry.number }
                    let start = state.ended[name]?.startIndex ?? 0
                    state.ended[name, default: []].insert(entry, at: place.map { $0 + 1 } ?? start)
                }
            }
            return state.ended[mock]?.popFirst()
        }
        return entry.map { LoggedCall($0.record) }
    }

    /// Returns the problems of the calls so far. Each problem is returned once.
    func takeProblems() -> [String] { records.compactMap { $0.takeProblem() } }

    /// True if a call had no mock.
    var lacksMock: Bool { records.contains(where: \.lacksMock) }

    /// Closes the scope.
    ///
    /// - Returns: the problems found in the calls, plus one for each call still in progress.
    func close() -> [String] {
        state.withLock { $0.isClosed = true }
        return records.compactMap { $0.takeProblem() ?? $0.unfinished }
    }

    private var records: [CallRecord] { state.withLock { $0.entries }.map(\.record) }
}

extension MockSession: CustomReflectable {
    /// The calls. Answers set in code are left out because they can contain secrets.
    var customMirror: Mirror { Mirror(self, children: ["calls": calls], displayStyle: .class) }
}
