import Foundation

/// What a test has set so far.
///
/// `@unchecked Sendable`: every access to `state` holds the lock.
final class Orders: @unchecked Sendable {
    /// What the app reads.
    struct Current: Sendable {
        var number = 0
        var scenario: String?
        var answers: [String: MockControl.Answer] = [:]
    }

    /// An answer that a call must use.
    struct Use: Sendable {
        let mock: String
        let answer: String
        /// The number of the change that set the answer.
        let first: Int
        /// The number of the change that replaced it; nil if none has.
        var end: Int?

        func isUsed(by call: MockControl.Call) -> Bool {
            let isMock = mock == "*" ? call.mock != nil : call.mock?.utf8.elementsEqual(mock.utf8) == true
            return isMock && call.change >= first && call.change < end ?? .max
        }
    }

    private struct State {
        var current = Current()
        var uses: [Use] = []
        var notes: [String] = []
    }

    private let lock = NSLock()
    private var state = State()

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    var current: Current { withState { $0.current } }

    var uses: [Use] { withState { $0.uses } }

    /// Why changes were not written.
    var notes: [String] { withState { $0.notes } }

    func note(_ text: String) { withState { $0.notes.append(text) } }

    /// Changes what the app reads, and returns it with its new number.
    func change(_ change: (inout Current) -> Void) -> Current {
        withState { state in
            change(&state.current)
            state.current.number += 1
            return state.current
        }
    }

    /// Sets the answer of a mock, or removes it if `answer` is nil.
    func set(_ mock: String, _ answer: MockControl.Answer?) -> Current {
        withState { state in
            state.current.number += 1
            let number = state.current.number
            for index in state.uses.indices where state.uses[index].mock == mock && state.uses[index].end == nil {
                state.uses[index].end = number
            }
            state.current.answers[mock] = answer
            if let answer { state.uses.append(Use(mock: mock, answer: answer.description, first: number)) }
            return state.current
        }
    }
}
