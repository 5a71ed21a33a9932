package import FingerpostFiles
package import Foundation

/// The state of a scope's mocks: answers set in code, variants, positions in sequences, and the random generator. Each
/// client also has a playback for calls without a scope.
package final class MockPlayback: Sendable {
    /// The owner of a sequence: one variant of one mock, or an answer set in code.
    package struct Source: Hashable, CustomStringConvertible {
        package let mock: MockName
        var variant: String?
        /// The identifier of an answer set in code, followed by the indices in nested sequences. For an answer from a
        /// file, the array is empty.
        package var place: [Int] = []

        package init(mock: MockName, variant: String? = nil, place: [Int] = []) {
            (self.mock, self.variant, self.place) = (mock, variant, place)
        }

        package var description: String { "\"\(mock)\"" + (variant.map { ", variant \"\($0)\"" } ?? "") }
    }

    private struct Sequence {
        var claimed = 0
        var count: Int
        var mustEnd: Bool

        var isUnread: Bool { mustEnd && claimed < count }
    }

    /// A variant chosen by a test, or switched to by another mock's answer.
    package struct Choice {
        package let variant: String
        /// When the variant was chosen. The latest choice applies, regardless of the scope in which it was made.
        package let time: ContinuousClock.Instant
        /// True when a test chose the variant.
        package let isChosen: Bool
    }

    /// What is known of one mock.
    private struct Mock {
        /// The answer set in code.
        var answer: (answer: MockAnswer, id: Int)?
        var variant: Choice?
        /// The variant chosen by a test but not yet used by any call.
        var unused: String?
        /// The number of calls that used the mock.
        var count = 0
        /// The number of calls that used the answer set in code.
        var uses = 0
        /// The number of calls that used what the scenario says of the mock.
        var scenarioUses = 0
    }

    private struct State {
        var mocks: [MockName: Mock] = [:]
        /// The scenario, and when it was chosen.
        var scenario: (scenario: MockScenario, time: ContinuousClock.Instant)?
        /// How often calls must use the answers of the scenario, for those that say it; nil until that is known.
        var scenarioTimes: [MockName: Int]?
        /// Answers that were replaced before they were used as often as they must be.
        var unmet: [String] = []
        /// True once an answer was set that the test's code makes.
        var runsCode = false
        var nextID = 0
        /// True when an unused variant is a problem.
        var isStrict = false
        var sequences: [Source: Sequence] = [:]
        /// The playbacks of nested scopes that ended with unused answers, in the order in which the scopes ended.
        var inner: [MockPlayback] = []
        /// The playbacks in `inner`.
        var adopted: Set<ObjectIdentifier> = []
        var generator: SeededGenerator
    }

    /// Where the seed of the random generator comes from.
    package enum Seed {
        /// From code, for every call.
        case given(UInt64)
        /// From the name of a test, for the calls that mocks answer.
        case ofTest(UInt64)

        var value: UInt64 {
            switch self {
            case .given(let value), .ofTest(let value): value
            }
        }
    }

    /// The seed; nil if it is random.
    let seed: Seed?
    private let state: Locked<State>

    package init(variants: [MockName: String] = [:], scenario: MockScenario? = nil, seed: Seed? = nil) {
        self.seed = seed
        state = Locked(State(generator: SeededGenerator(seed: seed?.value ?? .random(in: 0 ... .max))))
        // A variant chosen for one mock is later, and replaces what the scenario says of that mock.
        if let scenario { use(scenario) }
        choose(variants)
    }

    // MARK: Answers and variants

    /// True if the test's code may make an answer.
    var runsCode: Bool { state.withLock { $0.runsCode } }

    /// Sets the answer for a mock, or removes the answer if `answer` is nil. The sequences in a new answer start from
    /// the beginning.
    func set(_ answer: MockAnswer?, for mock: MockName) {
        state.withLock { state in
            state.nextID += 1
            let id = state.nextID
            state.runsCode = state.runsCode || answer?.runsCode == true
            if let problem = Self.unmet(state.mocks[mock], mock) { state.unmet.append(problem) }
            state.mocks[mock]?.uses = 0
            // Only an earlier answer can have left sequences behind, so the first answers of many mocks cost no search.
            if state.mocks[mock]?.answer != nil {
                state.sequences = state.sequences.filter { $0.key.mock != mock || $0.key.place.isEmpty }
            }
            state.mocks[mock, default: Mock()].answer = answer.map { ($0, id) }
            if let sequence = answer?.sequence {
                state.sequences[Source(mock: mock, place: [id])] = Sequence(count: sequence.count, mustEnd: true)
            }
        }
    }

    /// Counts a call that used the answer set in code.
    package func markAnswerUsed(_ mock: MockName) { state.withLock { $0.mocks[mock]?.uses += 1 } }

    /// The problem that calls used an answer set in code more or less often than it must be used; nil if there is none.
    private static func unmet(_ mock: Mock?, _ name: MockName) -> String? {
        guard let mock, let times = mock.answer?.answer.times, times != mock.uses else { return nil }
        return
            "mock \"\(name)\": the answer set for it must be used \(times.times), but calls used it \(mock.uses.times)"
    }

    // MARK: Scenarios

    /// Sets the scenario; nil for none.
    package func use(_ scenario: MockScenario?) {
        state.withLock { state in
            // A scenario that was replaced before any call is no problem.
            if state.mocks.values.contains(where: { $0.scenarioUses > 0 }) { state.unmet += Self.unmetTimes(in: state) }
            state.scenarioTimes = nil
            state.scenario = scenario.map { ($0, .now) }
            for mock in state.mocks.keys { state.mocks[mock]?.scenarioUses = 0 }
        }
    }

    /// Requires that calls use the answers of the scenario so often. Called again for the same scenario, it does nothing.
    func expect(_ times: [MockName: Int]) { state.withLock { $0.scenarioTimes = $0.scenarioTimes ?? times } }

    var scenario: MockScenario? { state.withLock { $0.scenario?.scenario } }

    /// Counts a call that used what the scenario says of a mock.
    package func markScenarioUsed(_ mock: MockName) {
        state.withLock { $0.mocks[mock, default: Mock()].scenarioUses += 1 }
    }

    /// The problems of mocks that calls used more or less often than the scenario says. A mock whose answer is set in
    /// code, or whose variant was chosen after the scenario, has none.
    private static func unmetTimes(in state: State) -> [String] {
        guard let (scenario, time) = state.scenario, let times = state.scenarioTimes else { return [] }
        return times.compactMap { name, times in
            let mock = state.mocks[name] ?? Mock()
            let isReplaced = mock.answer != nil || mock.variant.map { $0.time >= time } ?? false
            if isReplaced || mock.scenarioUses == times { return nil }
            return
                "mock \"\(name)\": the scenario \"\(scenario)\" says that its answer must be used \(times.times), but "
                + "calls used it \(mock.scenarioUses.times)"
        }
    }

    /// Switches a mock to a variant, as the `then` of another mock's answer declares.
    package func use(_ variant: String, of mock: MockName) {
        state.withLock {
            $0.mocks[mock, default: Mock()].variant = Choice(variant: variant, time: .now, isChosen: false)
        }
    }

    /// Chooses the variants for a test.
    func choose(_ variants: [MockName: String], isStrict: Bool = false) {
        state.withLock { state in
            for (mock, variant) in variants {
                state.mocks[mock, default: Mock()].variant = Choice(variant: variant, time: .now, isChosen: true)
                state.mocks[mock]?.unused = variant
            }
            state.isStrict = state.isStrict || isStrict
        }
    }

    func answer(for mock: MockName) -> (answer: MockAnswer, id: Int)? {
        state.withLock { $0.mocks[mock]?.answer }
    }

    func variant(of mock: MockName) -> Choice? { state.withLock { $0.mocks[mock]?.variant } }

    /// What was chosen for the answers of a mock, and where.
    package struct Choices {
        package fileprivate(set) var variant: (choice: Choice, owner: MockPlayback)?
        package fileprivate(set) var scenario:
            (scenario: MockScenario, time: ContinuousClock.Instant, owner: MockPlayback)?

        fileprivate init() {}

        /// Takes over what was chosen later in another playback.
        mutating func add(_ other: Choices) {
            if let new = other.variant, variant.map({ $0.choice.time < new.choice.time }) ?? true { variant = new }
            if let new = other.scenario, scenario.map({ $0.time < new.time }) ?? true { scenario = new }
        }
    }

    package func choices(of mock: MockName) -> Choices {
        let (variant, scenario) = state.withLock { state in
            // Most playbacks know nothing of any mock.
            (state.mocks.isEmpty ? nil : state.mocks[mock]?.variant, state.scenario)
        }
        var choices = Choices()
        choices.variant = variant.map { ($0, self) }
        choices.scenario = scenario.map { ($0.scenario, $0.time, self) }
        return choices
    }

    /// Records that a call used the chosen variant.
    package func markUsed(_ mock: MockName) { state.withLock { $0.mocks[mock]?.unused = nil } }

    /// The names of all mocks with an answer or a variant.
    var names: [MockName] {
        state.withLock { $0.mocks.filter { $0.value.answer != nil || $0.value.variant != nil }.map(\.key) }
    }

    // MARK: Sequences and counts

    /// Takes the next answer of a sequence. Concurrent calls never take the same position in the sequence.
    ///
    /// - Returns: the answer's index (nil when no answer is left) and the number of this call.
    package func claim(
        from source: Source, count: Int, after: AfterSequence
    ) -> (index: Int?, call: Int) {
        state.withLock { state in
            var sequence = state.sequences[source] ?? Sequence(count: count, mustEnd: after != .loop)
            defer { state.sequences[source] = sequence }
            let index = sequence.claimed
            sequence.claimed += 1
            if index < count { return (index, index + 1) }
            if count == 0 { return (nil, index + 1) }
            return switch after {
            case .fail: (nil, index + 1)
            case .repeatLast: (count - 1, index + 1)
            case .loop: (index % count, index + 1)
            }
        }
    }

    /// Counts a call, and returns how many times the mock was used, including this call.
    package func count(_ mock: MockName) -> Int {
        state.withLock { state in
            state.mocks[mock, default: Mock()].count += 1
            return state.mocks[mock]?.count ?? 1
        }
    }

    /// Reports sequences with unused answers and, if `isStrict` is set, unused variants. Each problem is reported only
    /// once.
    ///
    /// - Parameter misspelled: the problems of mocks whose names are probably typos. They explain why nothing was used.
    func takeUnread(_ misspelled: [MockName: String] = [:]) -> [String] {
        let (sequences, unused, inner) = state.withLock { state in
            let sequences = state.sequences
            for source in sequences.keys { state.sequences[source]?.mustEnd = false }
            var unused = state.unmet + Self.unmetTimes(in: state)
            // Each problem is told once.
            (state.unmet, state.scenarioTimes) = ([], [:])
            for (name, mock) in state.mocks {
                if let problem = Self.unmet(mock, name) { unused.append(misspelled[name] ?? problem) }
                state.mocks[name]?.answer?.answer.times = nil
                guard let variant = mock.unused else { continue }
                state.mocks[name]?.unused = nil
                if state.isStrict {
                    unused.append(
                        "mock \"\(name)\": no call used its variant \"\(variant)\"; add the missing call, "
                            + "or remove the variant")
                }
            }
            // Two scopes can run inside each other, so each playback may be nested in the other. Forget the nested
            // playbacks before asking them, so that no playback is asked without end.
            defer { (state.inner, state.adopted) = ([], []) }
            return (sequences, unused, state.inner)
        }
        return unused.sorted()
            + sequences.filter(\.value.isUnread).map { source, sequence in
                misspelled[source.mock]
                    ?? "mock \(source): the sequence has \(sequence.count) answers, but calls used only "
                    + "\(sequence.claimed); add the missing calls, or shorten the sequence"
            }.sorted() + inner.flatMap { $0.takeUnread(misspelled) }
    }

    /// Takes over the unused answers of a nested scope that ends, so that this scope reports them.
    func adopt(_ other: MockPlayback) {
        guard other !== self, other.hasUnread else { return }
        state.withLock { state in
            if state.adopted.insert(ObjectIdentifier(other)).inserted { state.inner.append(other) }
        }
    }

    /// True if this scope or a scope nested in it has unused answers.
    var hasUnread: Bool {
        state.withLock { state in
            state.sequences.values.contains(where: \.isUnread) || !state.inner.isEmpty || !state.unmet.isEmpty
                || state.mocks.contains {
                    Self.unmet($0.value, $0.key) != nil || state.isStrict && $0.value.unused != nil
                } || !Self.unmetTimes(in: state).isEmpty
        }
    }

    // MARK: Randomness

    /// A random value from the scope's generator.
    package func random<Value: Sendable>(_ make: @Sendable (inout SeededGenerator) -> Value) -> Value {
        state.withLock { make(&$0.generator) }
    }

    /// A random UUID (version 4, RFC 9562 section 5.4) from the scope's generator.
    package func uuid() -> UUID {
        state.withLock { state in
            let high = state.generator.next()
            let low = state.generator.next()
            var bytes = [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) } }
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                ))
        }
    }
}

extension Int {
    /// This number of times, in words: `once`, or `3 times`.
    fileprivate var times: String { self == 1 ? "once" : "\(self) times" }
}
