import Fingerpost
import FingerpostFiles
import Foundation

/// What a scope remembers: its calls, the answers that a test sets, and the random generator.
final class MockSession: ScopeSession {
    /// What was chosen for mocks, and the random generator.
    let choices: MockChoices
    /// The calls made inside the scope.
    let log = CallLog()

    init(_ choices: MockChoices) {
        self.choices = choices
    }

    var isOpen: Bool { log.isOpen }
    var isClosed: Bool { log.isClosed }

    func enter() { log.enter() }

    func leave(_ scope: APIScope) {
        log.leave()
        guard let outer = scope.outer?.mockSession else { return }
        choices.playback.expectTimes(in: scope.mocks)
        outer.choices.playback.adopt(choices.playback)
    }

    func began(_ call: CallRecord) { log.append(call) }

    func note() -> (any AnyObject & Sendable)? { CallProblem() }

    func chance(in scope: APIScope, isLive: Bool) -> (any ScopeChance)? {
        let chosen = ChosenMocks(in: scope)
        return isLive ? chosen.chanceOfServer : chosen.chance
    }

    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        log.own(shared, make)
    }
}

extension MockSession: CustomReflectable {
    /// The calls. Answers set in code are left out because they can contain secrets.
    var customMirror: Mirror { Mirror(self, children: ["calls": log.calls], displayStyle: .class) }
}
