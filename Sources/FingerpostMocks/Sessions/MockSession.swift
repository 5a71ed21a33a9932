import Fingerpost
import FingerpostFiles
import Foundation

/// What a scope remembers: its calls, the answers that a test sets, and the random generator.
final class MockSession: ScopeSession {
    /// What was chosen for mocks, and the random generator.
    let overrides: MockOverrides
    /// The calls made inside the scope.
    let log = CallLog()

    init(_ overrides: MockOverrides) {
        self.overrides = overrides
    }

    var isOpen: Bool { log.isOpen }
    var isClosed: Bool { log.isClosed }

    func enter() { log.enter() }

    func leave(_ scope: APIScope) {
        log.leave()
        guard let outer = scope.outer?.mockSession else { return }
        overrides.usage.expectTimes(in: scope.mocks)
        outer.overrides.usage.adopt(overrides.usage)
    }

    func began(_ call: CallRecord) { log.append(call) }

    func note() -> (any AnyObject & Sendable)? { CallProblem() }

    func chance(in scope: APIScope, isLive: Bool) -> (any ScopeChance)? {
        let scopes = MockOverrides.all(of: scope)
        // The name of a test is no seed for servers: one would take the second run of the test for the first.
        if isLive { return scopes.first { if case .given? = $0.chance.seed { true } else { false } }?.chance }
        return MockOverrides.chance(of: scopes, memory: MockOverrides.memory(of: scope))
    }

    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        log.own(shared, make)
    }
}

extension MockSession: CustomReflectable {
    /// The calls. Answers set in code are left out because they can contain secrets.
    var customMirror: Mirror { Mirror(self, children: ["calls": log.calls], displayStyle: .class) }
}
