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
        /// How far calls have used its answers.
        var cursors = [Source: MockCursor]()
    }

    private struct State {
        var mocks = [MockName: Mock]()
        var scenario: MockScenario?
        /// How often calls must use the answers of the scenario, for those that say it; nil until that is known.
        var scenarioTimes: [MockName: Int]?
        /// The number of calls that used what the scenario says of a mock.
        var scenarioUses = [MockName: Int]()
        /// The mocks that got a variant after the scenario was chosen.
        var newerVariants = Set<MockName>()
        /// Answers that were replaced before they were used as often as they must be.
        var unmet: [String] = []
        /// True when an unused variant is a problem.
        var isStrict = false
        /// What was used in nested scopes that ended with unused answers, in the order in which the scopes ended.
        var inner: [MockUsage] = []
        /// Those in `inner`.
        var adopted: Set<ObjectIdentifier> = []
    }

    private let state = Locked(State())

    // MARK: What is chosen

    /// - Parameter number: that of the override with the answer.
    func set(_ response: MockResponse?, number: Int64, for mock: MockName) {
        state.withLock { state in
            var known = state.mocks[mock] ?? Mock()
            if let problem = Self.unmet(known, mock) { state.unmet.append(problem) }
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
                state.newerVariants.insert(mock)
                state.mocks[mock, default: Mock()].unused = variant
            }
            state.isStrict = state.isStrict || isStrict
        }
    }

    func noteSwitch(of mock: MockName) {
        state.withLock { _ = $0.newerVariants.insert(mock) }
    }

    func use(_ scenario: MockScenario?) {
        state.withLock { state in
            // A scenario that was replaced before any call is no problem.
            if !state.scenarioUses.isEmpty { state.unmet += Self.unmetTimes(in: state) }
            (state.scenario, state.scenarioTimes) = (scenario, nil)
            (state.scenarioUses, state.newerVariants) = ([:], [])
        }
    }

    func expectTimes(in mocks: URL?) {
        // Called again for the same scenario, this does nothing.
        let unknown = state.withLock { $0.scenarioTimes == nil ? $0.scenario : nil }
        guard let unknown else { return }
        let times = ScenarioFolder.times(of: unknown, in: mocks)
        state.withLock { $0.scenarioTimes = $0.scenarioTimes ?? times }
    }

    // MARK: What calls use

    /// Counts a call that used what the scenario says of a mock.
    func markScenarioUsed(_ mock: MockName) { state.withLock { $0.scenarioUses[mock, default: 0] += 1 } }

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

    /// The problem that calls used an answer set in code more or less often than it must be used; nil if there is none.
    private static func unmet(_ mock: Mock, _ name: MockName) -> String? {
        guard let code = mock.code, let cursor = mock.cursors[code], let times = cursor.times else { return nil }
        let answer = "mock \"\(name)\": the answer set for it"
        if times != cursor.used, let problem = StubResponse.problem(ofTimes: times) {
            return "\(answer): \(problem.message)"
        }
        return cursor.unmet(answer)
    }

    /// The problems of mocks that calls used more or less often than the scenario says. A mock whose answer is set in
    /// code, or whose variant was chosen after the scenario, has none.
    private static func unmetTimes(in state: State) -> [String] {
        guard let scenario = state.scenario, let times = state.scenarioTimes else { return [] }
        return times.compactMap { name, times in
            let uses = state.scenarioUses[name] ?? 0
            let hasOther = state.mocks[name]?.code != nil || state.newerVariants.contains(name)
            if hasOther || uses == times { return nil }
            return
                "mock \"\(name)\": the scenario \"\(scenario)\" says that its answer must be used \(times.times), but "
                + "calls used it \(uses.times)"
        }
    }

    func takeUnread(_ misspelled: [MockName: String]) -> [String] {
        let (unread, unused, inner) = state.withLock { state in
            var (unread, unused) = ([String](), state.unmet + Self.unmetTimes(in: state))
            // Each problem is told once.
            (state.unmet, state.scenarioTimes) = ([], [:])
            for (name, mock) in state.mocks {
                if let problem = Self.unmet(mock, name) { unused.append(misspelled[name] ?? problem) }
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
            !state.inner.isEmpty || !state.unmet.isEmpty
                || state.mocks.contains { name, mock in
                    Self.unmet(mock, name) != nil || state.isStrict && mock.unused != nil
                        || mock.cursors.values.contains(where: \.isUnread)
                } || !Self.unmetTimes(in: state).isEmpty
        }
    }
}
