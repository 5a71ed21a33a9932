import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// What calls did with the mocks of a scope: counts, positions in sequences, and what no call used.
final class MockUsage: Sendable {
    /// The owner of a sequence: one variant of one mock, or an answer set in code.
    struct Source: Hashable, CustomStringConvertible {
        let mock: MockName
        var variant: String?
        /// The identifier of an answer set in code, followed by the indices in nested sequences. For an answer from a
        /// file, the array is empty.
        var place: [Int64] = []

        var description: String { "\"\(mock)\"" + (variant.map { ", variant \"\($0)\"" } ?? "") }
    }

    /// What is known of one mock.
    private struct Mock {
        /// The answer set in code; nil if there is none.
        var code: Source?
        /// The variant chosen by a test but not yet used by any call.
        var unused: String?
        /// How far calls have used its responses.
        var cursors = [Source: MockCursor]()

        /// The problem that calls used the answer set in code more or less often than they must; nil if there is none.
        func unmet(_ name: MockName) -> String? {
            code.flatMap { cursors[$0]?.unmet("mock \"\(name)\": the answer set for it") }
        }
    }

    /// What is known of the scenario.
    private struct Scenario {
        let name: MockScenario
        /// How far calls have used what it says of a mock.
        var cursors = [MockName: MockCursor]()
        /// True when it is known how often calls must use it.
        var isRead = false
        /// The mocks that got a variant after the scenario was chosen.
        var newerVariants = Set<MockName>()

        /// The problems of mocks that calls used more or less often than the scenario says. A mock whose answer is set
        /// in code, or whose variant was chosen after the scenario, has none.
        func unmet(besides mocks: [MockName: Mock]) -> [String] {
            cursors.compactMap { mock, cursor in
                if mocks[mock]?.code != nil || newerVariants.contains(mock) { return nil }
                return cursor.unmet("mock \"\(mock)\": the scenario \"\(name)\" says that its answer")
            }
        }
    }

    private struct State {
        var mocks = [MockName: Mock]()
        var scenario: Scenario?
        /// Answers that were replaced before they were used as often as they must be.
        var unmet: [String] = []
        /// True when an unused variant is a problem.
        var isStrict = false
        /// What was used in nested scopes that ended with unused answers, in the order in which the scopes ended.
        var inner: [MockUsage] = []
        /// Those in `inner`.
        var adopted: Set<ObjectIdentifier> = []

        var unmetTimes: [String] { scenario?.unmet(besides: mocks) ?? [] }
    }

    private let state = Locked(State())

    // MARK: What is chosen

    /// - Parameter number: that of the override with the answer.
    func set(_ response: MockResponse?, number: Int64, for mock: MockName) {
        state.withLock { state in
            var known = state.mocks[mock] ?? Mock()
            if let problem = known.unmet(mock) { state.unmet.append(problem) }
            known.cursors = known.cursors.filter { $0.key.place.isEmpty }
            known.code = response.map { _ in Source(mock: mock, place: [number]) }
            if let response, let code = known.code {
                known.cursors[code] = MockCursor(
                    count: response.sequence?.count, times: response.times, mustEnd: response.sequence != nil)
            }
            state.mocks[mock] = known
        }
    }

    func choose(_ variants: [MockName: String], isStrict: Bool) {
        state.withLock { state in
            for (mock, variant) in variants {
                state.scenario?.newerVariants.insert(mock)
                state.mocks[mock, default: Mock()].unused = variant
            }
            state.isStrict = state.isStrict || isStrict
        }
    }

    func noteSwitch(of mock: MockName) {
        state.withLock { _ = $0.scenario?.newerVariants.insert(mock) }
    }

    func use(_ scenario: MockScenario?) {
        state.withLock { state in
            // A scenario that was replaced before any call is no problem.
            if state.scenario?.cursors.values.contains(where: { $0.used > 0 }) == true {
                state.unmet += state.unmetTimes
            }
            state.scenario = scenario.map { Scenario(name: $0) }
        }
    }

    /// Finds out how often calls must use the responses of the scenario, unless that is known.
    func expectTimes(in mocks: URL?) {
        let unread = state.withLock { $0.scenario?.isRead == false ? $0.scenario?.name : nil }
        // Calls and `Mocks.use` report scenarios that cannot be read.
        guard let unread, let changes = try? MockIndexes.index(in: mocks)?.changes(of: unread) else { return }
        state.withLock { state in
            if state.scenario?.isRead != false { return }
            state.scenario?.isRead = true
            for (mock, times) in changes.times {
                let unused = MockCursor(count: nil, mustEnd: false)
                state.scenario?.cursors[MockName(rawValue: mock), default: unused].times = times
            }
        }
    }

    // MARK: What calls use

    /// Counts a call that used what the scenario says of a mock.
    func markScenarioUsed(_ mock: MockName) {
        state.withLock { _ = $0.scenario?.cursors[mock, default: MockCursor(count: nil, mustEnd: false)].claim() }
    }

    /// Records that a call used the chosen variant.
    func markUsed(_ mock: MockName) { state.withLock { $0.mocks[mock]?.unused = nil } }

    /// Uses an answer: takes the next position in its sequence, if it has one. Concurrent calls never take the same.
    ///
    /// - Parameter count: the number of answers in the sequence; nil if it is none.
    func claim(_ source: Source, count: Int?, after: AfterSequence) -> Int {
        state.withLock { state in
            // An answer that was replaced while its code made a sequence needs no further calls.
            let code = source.place.first
            let isReplaced = code != nil && code != state.mocks[source.mock]?.code?.place.first
            let unclaimed = MockCursor(count: count, mustEnd: after != .loop && !isReplaced)
            return state.mocks[source.mock, default: Mock()].cursors[source, default: unclaimed].claim()
        }
    }

    // MARK: What no call used

    /// The problems that are left. Each is returned once.
    func takeUnread(_ misspelled: [MockName: String]) -> [String] {
        let (unread, unused, inner) = state.withLock { state in
            var (unread, unused) = ([String](), state.unmet + state.unmetTimes)
            state.unmet = []
            state.scenario?.cursors = [:]
            state.scenario?.isRead = true
            for (name, mock) in state.mocks {
                if let problem = mock.unmet(name) { unused.append(misspelled[name] ?? problem) }
                for (source, cursor) in mock.cursors {
                    state.mocks[name]?.cursors[source]?.mustEnd = false
                    state.mocks[name]?.cursors[source]?.times = nil
                    guard cursor.isUnread else { continue }
                    unread.append(
                        misspelled[name]
                            ?? "mock \(source): \(cursor.unread); add the missing calls, or shorten the sequence")
                }
                guard let variant = mock.unused else { continue }
                state.mocks[name]?.unused = nil
                if state.isStrict {
                    unused.append(
                        "mock \"\(name)\": no call used its variant \"\(variant)\"; add the missing call, "
                            + "or remove the variant")
                }
            }
            // Two scopes can run inside each other, so each may be nested in the other. Forget the nested ones
            // before asking them, so that none is asked without end.
            defer { (state.inner, state.adopted) = ([], []) }
            return (unread, unused, state.inner)
        }
        return unused.ordered(by: <) + unread.ordered(by: <) + inner.flatMap { $0.takeUnread(misspelled) }
    }

    func adopt(_ other: MockUsage) {
        guard other !== self, other.hasUnread else { return }
        state.withLock { state in
            if state.adopted.insert(ObjectIdentifier(other)).inserted { state.inner.append(other) }
        }
    }

    private var hasUnread: Bool {
        state.withLock { state in
            if !(state.inner.isEmpty && state.unmet.isEmpty && state.unmetTimes.isEmpty) { return true }
            return state.mocks.contains { name, mock in
                let isUnused = state.isStrict && mock.unused != nil
                return isUnused || mock.unmet(name) != nil || mock.cursors.values.contains(where: \.isUnread)
            }
        }
    }
}

/// How far calls have used one answer: that of a mock and variant in the folder, or one set in code.
struct MockCursor: Sendable {
    /// The number of calls that used it.
    private(set) var used = 0
    /// The number of answers in its sequence; nil for one answer to all calls.
    let count: Int?
    /// How often it must be used; nil for any number of times.
    var times: Int?
    /// True if all answers of the sequence must be used.
    var mustEnd: Bool

    init(count: Int?, times: Int? = nil, mustEnd: Bool) {
        (self.count, self.times, self.mustEnd) = (count, times, mustEnd)
    }

    /// Takes the next position.
    mutating func claim() -> Int {
        defer { used += 1 }
        return used
    }

    var isUnread: Bool { mustEnd && used < count ?? 0 }

    /// How many answers the sequence has, and how many of them calls used.
    var unread: String {
        let count = count ?? 0
        let used = used == 0 ? "no call used \(count == 1 ? "it" : "them")" : "calls used only \(used)"
        return "the sequence has \(count.inWords("answer")), but \(used)"
    }

    /// What is wrong with the number of calls; nil if there is nothing.
    ///
    /// - Parameter says: who says how often it must be used.
    func unmet(_ says: String) -> String? {
        guard let times, times != used else { return nil }
        if let problem = StubResponse.problem(ofTimes: times) { return "\(says): \(problem.message)" }
        return "\(says) must be used \(times.times), but calls used it \(used.times)"
    }
}

extension Int {
    /// This number of times, in words: `once`, or `3 times`.
    var times: String { self == 1 ? "once" : "\(self) times" }
}
