import Fingerpost
import FingerpostFiles

/// What was chosen for the mocks of a scope: answers set in code, variants, and the scenario. Each client also has
/// choices for calls without a scope.
final class MockChoices: Sendable {
    /// A variant chosen by a test, or switched to by another mock's answer.
    struct Variant: Sendable {
        let name: String
        /// Numbers the choices. The latest choice applies, regardless of the scope in which it was made.
        let number: Int64
        /// True when a test chose the variant.
        let isChosen: Bool
    }

    /// What was chosen last for the answers of a mock, and where.
    struct Latest {
        fileprivate(set) var variant: (choice: Variant, owner: MockChoices)?
        fileprivate(set) var scenario: (scenario: MockScenario, number: Int64, owner: MockChoices)?

        fileprivate init() {}

        /// Takes over what was chosen later in another scope.
        mutating func add(_ other: Latest) {
            if let new = other.variant, variant.map({ $0.choice.number < new.choice.number }) ?? true { variant = new }
            if let new = other.scenario, scenario.map({ $0.number < new.number }) ?? true { scenario = new }
        }
    }

    private struct Written {
        var answers = [MockName: (answer: MockResponse, id: Int64)]()
        var variants = [MockName: Variant]()
        var scenario: (scenario: MockScenario, number: Int64)?
        /// True once an answer was set that the test's code makes.
        var runsCode = false
    }

    /// The random generator of the scope.
    let chance: Chance
    /// What calls did with the mocks of the scope.
    let playback = MockPlayback()
    private let written = Locked(Written())

    /// The number of the last choice in all scopes. A scope may be created before the scope that it runs in, and two
    /// scopes may run inside each other, so scopes cannot number their own choices.
    private static let last = Locked<Int64>(0)

    private static func next() -> Int64 {
        last.withLock { number in
            number += 1
            return number
        }
    }

    init(variants: [MockName: String] = [:], scenario: MockScenario? = nil, seed: Chance.Seed? = nil) {
        chance = Chance(seed)
        // A variant chosen for one mock is later, and replaces what the scenario says of that mock.
        if let scenario { use(scenario) }
        choose(variants)
    }

    // MARK: Choosing

    /// Sets the answer for a mock, or removes the answer if `answer` is nil. The sequences in a new answer start from
    /// the beginning.
    func set(_ answer: MockResponse?, for mock: MockName) {
        written.withLock { written in
            let id = Self.next()
            written.runsCode = written.runsCode || answer?.runsCode == true
            written.answers[mock] = answer.map { ($0, id) }
            playback.set(answer, id: id, for: mock)
        }
    }

    /// Sets the scenario; nil for none.
    func use(_ scenario: MockScenario?) {
        written.withLock { written in
            written.scenario = scenario.map { ($0, Self.next()) }
            playback.use(scenario)
        }
    }

    /// Chooses the variants for a test.
    func choose(_ variants: [MockName: String], isStrict: Bool = false) {
        if variants.isEmpty, !isStrict { return }
        written.withLock { written in
            for (mock, variant) in variants {
                written.variants[mock] = Variant(name: variant, number: Self.next(), isChosen: true)
            }
            playback.choose(variants, isStrict: isStrict)
        }
    }

    /// Switches a mock to a variant, as the `then` of another mock's answer declares.
    func `switch`(_ mock: MockName, to variant: String) {
        written.withLock { written in
            written.variants[mock] = Variant(name: variant, number: Self.next(), isChosen: false)
            playback.noteSwitch(of: mock)
        }
    }

    // MARK: What was chosen

    /// True if the test's code may make an answer.
    var runsCode: Bool { written.withLock { $0.runsCode } }

    var scenario: MockScenario? { written.withLock { $0.scenario?.scenario } }

    func answer(for mock: MockName) -> (answer: MockResponse, id: Int64)? { written.withLock { $0.answers[mock] } }

    func latest(of mock: MockName) -> Latest {
        let (variant, scenario) = written.withLock { written in
            // Most scopes know nothing of any mock.
            (written.variants.isEmpty ? nil : written.variants[mock], written.scenario)
        }
        var latest = Latest()
        latest.variant = variant.map { ($0, self) }
        latest.scenario = scenario.map { ($0.scenario, $0.number, self) }
        return latest
    }

    /// The names of all mocks with an answer or a variant.
    var names: [MockName] {
        written.withLock { written in
            Array(written.answers.keys) + written.variants.keys.filter { written.answers[$0] == nil }
        }
    }
}
