import Fingerpost
import FingerpostFiles

/// Something that was chosen for a mock.
struct MockOverride: Sendable {
    enum Choice: Sendable {
        /// Set in code.
        case response(MockResponse)
        /// `isChosen` is true when a test chose the variant, and false when another mock's answer switched to it.
        case variant(String, isChosen: Bool)
        case scenario(MockScenario)
    }

    let choice: Choice
    /// Numbers the choices of all scopes. A scope may be created before the scope that it runs in, and two scopes may
    /// run inside each other, so scopes cannot number their own choices.
    let number: Int64
    /// What calls used of the choices of its scope.
    let usage: MockUsage

    private static let last = Locked<Int64>(0)

    fileprivate init(_ choice: Choice, _ usage: MockUsage) {
        number = Self.last.withLock { number in
            number += 1
            return number
        }
        (self.choice, self.usage) = (choice, usage)
    }
}

/// What was chosen for the mocks of a scope. Each client also has choices for calls without a scope.
///
/// The choices for a mock are one list, and the first that says something of its answer counts:
///
/// | | Choice | Which of several |
/// |---|---|---|
/// | 1 | code: `Mocks.set` | that of the innermost scope; nothing below it counts, unless it is `.file` |
/// | 2 | another process: what `MockControl` sets for the mock, then its scenario | the last |
/// | 3 | variants, `then` and scenarios | the newest in all scopes; a scenario's delay stays under a newer variant |
/// | 4 | the file: the variant for the query, or else the default answer | |
final class MockOverrides: Sendable {
    private struct Chosen {
        var responses = [MockName: MockOverride]()
        var variants = [MockName: MockOverride]()
        var scenario: MockOverride?
        /// True once an answer was set that the test's code makes.
        var runsCode = false
    }

    /// The random generator of the scope.
    let chance: Chance
    /// What calls used of the mocks of the scope.
    let usage = MockUsage()
    /// Is notified of the calls of a test; nil if nothing is, and for a nested scope.
    let witness: (any MockWitness)?
    private let chosen = Locked(Chosen())

    init(
        variants: [MockName: String] = [:], scenario: MockScenario? = nil, seed: Chance.Seed? = nil,
        witness: (any MockWitness)? = nil
    ) {
        chance = Chance(seed)
        self.witness = witness
        // A variant chosen for one mock is later, and replaces what the scenario says of that mock.
        if let scenario { use(scenario) }
        choose(variants)
    }

    // MARK: Choosing

    /// Sets the answer for a mock, or removes the answer if `response` is nil. The sequences in a new answer start from
    /// the beginning.
    func set(_ response: MockResponse?, for mock: MockName) {
        chosen.withLock { chosen in
            let override = response.map { MockOverride(.response($0), usage) }
            chosen.runsCode = chosen.runsCode || response?.runsCode == true
            chosen.responses[mock] = override
            usage.set(response, number: override?.number ?? 0, for: mock)
        }
    }

    /// Sets the scenario; nil for none.
    func use(_ scenario: MockScenario?) {
        chosen.withLock { chosen in
            chosen.scenario = scenario.map { MockOverride(.scenario($0), usage) }
            usage.use(scenario)
        }
    }

    /// Chooses the variants for a test.
    func choose(_ variants: [MockName: String], isStrict: Bool = false) {
        if variants.isEmpty, !isStrict { return }
        chosen.withLock { chosen in
            for (mock, variant) in variants {
                chosen.variants[mock] = MockOverride(.variant(variant, isChosen: true), usage)
            }
            usage.choose(variants, isStrict: isStrict)
        }
    }

    /// Switches a mock to a variant, as the `then` of another mock's answer declares.
    func `switch`(_ mock: MockName, to variant: String) {
        chosen.withLock { chosen in
            chosen.variants[mock] = MockOverride(.variant(variant, isChosen: false), usage)
            usage.noteSwitch(of: mock)
        }
    }

    // MARK: What was chosen

    /// True if the test's code may make an answer.
    var runsCode: Bool { chosen.withLock { $0.runsCode } }

    /// The answer set in code for a mock.
    func response(for mock: MockName) -> MockOverride? {
        chosen.withLock { $0.responses.isEmpty ? nil : $0.responses[mock] }
    }

    /// The names of all mocks with an answer or a variant.
    var names: [MockName] {
        chosen.withLock { chosen in
            Array(chosen.responses.keys) + chosen.variants.keys.filter { chosen.responses[$0] == nil }
        }
    }

    /// The variant and the scenario of each scope for a mock, newest first.
    static func newestFirst(for mock: MockName, in scopes: [MockOverrides]) -> [MockOverride] {
        var overrides: [MockOverride] = []
        for scope in scopes {
            scope.chosen.withLock { chosen in
                if !chosen.variants.isEmpty, let variant = chosen.variants[mock] { overrides.append(variant) }
                if let scenario = chosen.scenario { overrides.append(scenario) }
            }
        }
        return overrides.count < 2 ? overrides : overrides.ordered { $0.number > $1.number }
    }

    /// The choices of a scope and the enclosing ones, innermost first; those of the client outside any scope.
    ///
    /// - Returns: `memory` is where positions in sequences and switched variants of the mocks in the folder belong:
    ///   enclosing scopes with the same folder share them.
    static func chosen(
        in scope: APIScope?, or client: MockOverrides
    ) -> (scopes: [MockOverrides], memory: MockOverrides) {
        var (scopes, memory) = ([MockOverrides](), nil as MockOverrides?)
        var isSameFolder = true
        if let scope {
            for outer in scope.chain {
                guard let session = outer.session as? MockSession else { continue }
                scopes.append(session.overrides)
                if outer.settings.mocks != scope.settings.mocks { isSameFolder = false }
                if isSameFolder { memory = session.overrides }
            }
        }
        if scopes.isEmpty { scopes = [client] }
        if let memory { return (scopes, memory) }
        return (scopes, scopes[0])
    }

    /// The random generator where mocks answer: the innermost one with a seed, or else that of the memory.
    static func chance(of scopes: [MockOverrides], _ memory: MockOverrides) -> Chance {
        scopes.first { $0.chance.seed != nil }?.chance ?? memory.chance
    }
}
