import Fingerpost

/// What is chosen for the mocks of a call: in its scope and the enclosing scopes, or else in its client.
struct ChosenMocks {
    /// An answer set in code, its identifier, and the choices that it belongs to.
    typealias Answer = (answer: MockResponse, id: Int64, owner: MockChoices)

    /// The choices, those of the innermost scope first.
    private let all: [MockChoices]
    /// Where positions in sequences, counts and switched variants of the mocks in the folder belong. Enclosing scopes
    /// with the same folder share them.
    let memory: MockChoices

    /// - Parameter client: what is chosen for calls without a scope.
    init(in scope: APIScope?, or client: @autoclosure () -> MockChoices = MockChoices()) {
        let scopes = scope?.chain.filter { $0.choices != nil } ?? []
        let same = scopes.prefix { $0.mocks == scope?.mocks }
        let all = scopes.compactMap(\.choices)
        self.all = all.isEmpty ? [client()] : all
        memory = same.last?.choices ?? self.all[0]
    }

    /// The answer set in code for a mock, from the innermost scope that has an answer for it.
    func answer(for mock: MockName) -> Answer? {
        for choices in all {
            if let (answer, id) = choices.answer(for: mock) { return (answer, id, choices) }
        }
        return nil
    }

    /// True if the test's code may make an answer. Asked once per call, without looking for the call's own answer.
    var runsCode: Bool { all.contains(where: \.runsCode) }

    /// What was chosen last for a mock.
    func latest(of mock: MockName) -> MockChoices.Latest {
        var latest = all[0].latest(of: mock)
        for choices in all.dropFirst() { latest.add(choices.latest(of: mock)) }
        return latest
    }

    /// True if an answer or a variant is chosen for one of the mocks, or a scenario.
    func haveChoice(for mocks: [MockName]) -> Bool {
        all.contains { $0.scenario != nil }
            || mocks.contains { answer(for: $0) != nil || latest(of: $0).variant != nil }
    }

    /// The random generator where mocks answer: the innermost one with a seed, or else that of `memory`.
    var chance: Chance { all.first { $0.chance.seed != nil }?.chance ?? memory.chance }

    /// The random generator where a server answers; nil for the system's. The name of a test does not count: a server
    /// would take the second run of the test for the first.
    var chanceOfServer: Chance? {
        all.first { if case .given? = $0.chance.seed { true } else { false } }?.chance
    }
}
