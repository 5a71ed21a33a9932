import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

struct MockOverride: Sendable {
    enum Choice: Sendable {
        /// A response that was set in code.
        case response(MockResponse)
        /// `isChosen` is true when a test chose the variant, and false when another mock's answer switched to it.
        case variant(String, isChosen: Bool)
        case scenario(MockScenario)
    }

    let choice: Choice
    /// The number of the choice: a newer choice has a higher number. All scopes share one series of numbers, because
    /// the nesting of scopes does not show which choice is newer. A scope may be created before the scope in which it
    /// runs, and each of two scopes may run inside the other.
    let number: Int64
    /// The reference can be unowned, because the scope owns this choice, and a call retains the scopes whose choices it
    /// uses.
    unowned let scope: MockOverrides

    private static let last = Locked<Int64>(0)

    fileprivate init(_ choice: Choice, in scope: MockOverrides) {
        number = Self.last.withLock { number in
            number += 1
            return number
        }
        (self.choice, self.scope) = (choice, scope)
    }
}

/// The choices for the mocks of a scope, and the number of their uses. Each client also has choices for calls without a
/// scope.
///
/// The choices for a mock have an order. The first choice that describes the response applies:
///
/// | | Choice | If there are several |
/// |---|---|---|
/// | 1 | a response set with `Mocks.set` | the innermost scope applies. If it sets `.file`, the next row applies |
/// | 2 | a change that another process makes with `MockControl`, then its scenario | the last applies |
/// | 3 | a variant, a key `then` or a scenario | the newest applies. A newer variant keeps a scenario's delay |
/// | 4 | the mock's files: the variant for the query, or else the default response | one of them answers |
final class MockOverrides: Sendable {
    private struct State {
        var responses = [MockName: MockOverride]()
        var variants = [MockName: MockOverride]()
        var scenario: MockOverride?
        /// True after the test has set a response that a closure of the test creates.
        var runsCode = false

        /// The uses of each mock's responses.
        var cursors = [MockName: [MockCursor.Source: MockCursor]]()
        /// The uses of a scenario's response, by mock.
        var ofScenario = [MockName: MockCursor]()
        /// True after the required numbers of calls have been read from the scenario.
        var knowsTimes = false
        /// The variants that a test chose but no call has used.
        var unused = [MockName: String]()
        /// The problems of responses that were replaced before calls used them often enough.
        var unmet: [String] = []
        /// True if an unused variant is a problem.
        var isStrict = false
        /// Nested scopes that ended with unused responses, in the order in which they ended.
        var inner: [MockOverrides] = []
        /// The identities of the scopes in `inner`.
        var adopted: Set<ObjectIdentifier> = []

        /// If the response set in code was used too often or too rarely, returns the problem. Otherwise returns nil.
        func unmet(_ mock: MockName) -> String? {
            guard let code = responses[mock] else { return nil }
            let cursor = cursors[mock]?[MockCursor.Source(mock: mock, place: [code.number])]
            return cursor?.unmet("mock \"\(mock)\": the answer set for it")
        }

        /// The problems of mocks that calls used more or less often than the scenario requires. A mock has no such
        /// problem if its response is set in code, or if its variant was chosen after the scenario.
        var unmetTimes: [String] {
            guard let scenario, case .scenario(let name) = scenario.choice else { return [] }
            return ofScenario.compactMap { mock, cursor in
                if responses[mock] != nil || variants[mock]?.number ?? 0 > scenario.number { return nil }
                return cursor.unmet("mock \"\(mock)\": the scenario \"\(name)\" says that its answer")
            }
        }
    }

    private let state = Locked(State())

    init(variants: [MockName: String] = [:], scenario: MockScenario? = nil) {
        // The variants are chosen after the scenario, so they replace the scenario's responses for their mocks.
        if let scenario { use(scenario) }
        choose(variants)
    }

    // MARK: Choosing

    /// Sets the response of a mock, or removes the response if `response` is nil. Sequences in a new response start
    /// from the beginning.
    func set(_ response: MockResponse?, for mock: MockName) {
        state.withLock { state in
            if let problem = state.unmet(mock) { state.unmet.append(problem) }
            state.cursors[mock] = state.cursors[mock]?.filter { $0.key.place.isEmpty }
            let override = response.map { MockOverride(.response($0), in: self) }
            state.responses[mock] = override
            guard let response, let override else { return }
            state.runsCode = state.runsCode || response.runsCode
            state.cursors[mock, default: [:]][MockCursor.Source(mock: mock, place: [override.number])] = MockCursor(
                count: response.sequence?.count, times: response.stub.times, mustEnd: response.sequence != nil)
        }
    }

    /// Sets the scenario. Nil for no scenario.
    func use(_ scenario: MockScenario?) {
        state.withLock { state in
            // If no call has used the old scenario, replacing it is not a problem.
            if state.ofScenario.values.contains(where: { $0.used > 0 }) { state.unmet += state.unmetTimes }
            state.scenario = scenario.map { MockOverride(.scenario($0), in: self) }
            (state.ofScenario, state.knowsTimes) = ([:], false)
        }
    }

    /// Chooses the variants for a test.
    func choose(_ variants: [MockName: String], isStrict: Bool = false) {
        if variants.isEmpty, !isStrict { return }
        state.withLock { state in
            for (mock, variant) in variants {
                state.variants[mock] = MockOverride(.variant(variant, isChosen: true), in: self)
                state.unused[mock] = variant
            }
            state.isStrict = state.isStrict || isStrict
        }
    }

    /// Switches a mock to a variant, as the key `then` of another mock's response declares.
    func `switch`(_ mock: MockName, to variant: String) {
        state.withLock { $0.variants[mock] = MockOverride(.variant(variant, isChosen: false), in: self) }
    }

    // MARK: What calls use

    /// Reads from the scenario how many calls must use its responses. If these numbers were already read, does nothing.
    func expectTimes(in mocks: URL?) {
        let unknown = state.withLock { $0.knowsTimes ? nil : $0.scenario }
        // Calls and `Mocks.use` report scenarios that cannot be read.
        guard case .scenario(let scenario)? = unknown?.choice,
            let changes = try? MockIndexes.index(in: mocks)?.changes(of: scenario)
        else { return }
        state.withLock { state in
            if state.knowsTimes { return }
            state.knowsTimes = true
            for (mock, times) in changes.times {
                // The route and the scenario may write the name of one mock in different ways.
                let mock = MockName(rawValue: mock)
                var cursor = state.ofScenario.removeValue(forKey: mock) ?? MockCursor()
                cursor.times = times
                state.ofScenario[mock] = cursor
            }
        }
    }

    /// Counts a call that used the scenario's response of a mock.
    func markScenarioUsed(_ mock: MockName) {
        state.withLock { _ = $0.ofScenario[mock, default: MockCursor()].claim() }
    }

    /// Marks the chosen variant of a mock as used.
    func markUsed(_ mock: MockName) { state.withLock { $0.unused[mock] = nil } }

    /// Counts a use of a response, and returns the position of this use in the response's sequence. Concurrent calls
    /// never get the same position.
    ///
    /// - Parameter count: the number of responses in the sequence; nil for a single response.
    func claim(_ source: MockCursor.Source, count: Int?, after: AfterSequence) -> Int {
        state.withLock { state in
            // If a response is replaced while its closure creates a sequence, the test may leave responses of this
            // sequence unused.
            let code = source.place.first
            let isReplaced = code != nil && code != state.responses[source.mock]?.number
            let unclaimed = MockCursor(count: count, mustEnd: after != .loop && !isReplaced)
            return state.cursors[source.mock, default: [:]][source, default: unclaimed].claim()
        }
    }

    // MARK: What no call used

    /// Returns the unreported problems, including those of nested scopes. Each problem is returned once.
    ///
    /// - Parameter misspelled: the problems of mocks whose names are probably typos.
    func takeUnread(_ misspelled: [MockName: String]) -> [String] {
        let (unread, unmet, inner) = state.withLock { state in
            var (unread, unmet) = ([String](), state.unmet + state.unmetTimes)
            for (mock, cursors) in state.cursors {
                if let problem = state.unmet(mock) { unmet.append(misspelled[mock] ?? problem) }
                for (source, cursor) in cursors {
                    state.cursors[mock]?[source]?.mustEnd = false
                    state.cursors[mock]?[source]?.times = nil
                    guard cursor.isUnread else { continue }
                    unread.append(
                        misspelled[mock]
                            ?? "mock \(source): \(cursor.unread); add the missing calls, or shorten the sequence")
                }
            }
            for (mock, variant) in state.unused where state.isStrict {
                unmet.append(
                    "mock \"\(mock)\": no call used its variant \"\(variant)\"; add the missing call, or remove the "
                        + "variant")
            }
            // Two scopes can run inside each other, so each may be nested in the other. Clear the list of nested scopes
            // before the recursion, so that the recursion ends.
            defer { (state.inner, state.adopted) = ([], []) }
            (state.unmet, state.unused) = ([], [:])
            (state.ofScenario, state.knowsTimes) = ([:], true)
            return (unread, unmet, state.inner)
        }
        return unmet.ordered(by: <) + unread.ordered(by: <) + inner.flatMap { $0.takeUnread(misspelled) }
    }

    /// Stores a nested scope that has ended, if it has unused responses.
    func adopt(_ other: MockOverrides) {
        guard other !== self, other.hasUnread else { return }
        state.withLock { state in
            if state.adopted.insert(ObjectIdentifier(other)).inserted { state.inner.append(other) }
        }
    }

    private var hasUnread: Bool {
        state.withLock { state in
            if !(state.inner.isEmpty && state.unmet.isEmpty && state.unmetTimes.isEmpty) { return true }
            if state.isStrict, !state.unused.isEmpty { return true }
            return state.cursors.contains { mock, cursors in
                state.unmet(mock) != nil || cursors.values.contains(where: \.isUnread)
            }
        }
    }

    // MARK: What was chosen

    /// True if a closure of the test may create a response.
    var runsCode: Bool { state.withLock { $0.runsCode } }

    /// Returns the response that was set in code for a mock.
    func response(for mock: MockName) -> MockOverride? {
        state.withLock { $0.responses.isEmpty ? nil : $0.responses[mock] }
    }

    /// The names of all mocks with a response or a variant.
    var names: [MockName] {
        state.withLock { state in
            Array(state.responses.keys) + state.variants.keys.filter { state.responses[$0] == nil }
        }
    }

    /// Returns the variants and scenarios that apply to a mock in any of the scopes, newest first.
    static func newestFirst(for mock: MockName, in scopes: [MockOverrides]) -> [MockOverride] {
        var overrides: [MockOverride] = []
        for scope in scopes {
            scope.state.withLock { state in
                if !state.variants.isEmpty, let variant = state.variants[mock] { overrides.append(variant) }
                if let scenario = state.scenario { overrides.append(scenario) }
            }
        }
        return overrides.count < 2 ? overrides : overrides.ordered { $0.number > $1.number }
    }

    /// Returns the choices of a scope and of the enclosing scopes, innermost first. Outside of any scope, returns the
    /// choices of the client.
    ///
    /// - Returns: the choices, and the memory for the folder's mocks. The memory stores the positions in sequences, and
    ///   the variants to which mocks were switched. Enclosing scopes with the same folder share this memory.
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
}
