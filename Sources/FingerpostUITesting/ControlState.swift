import Foundation

/// The choices that a test has made so far.
///
/// `@unchecked Sendable` is correct, because every access to `state` holds the lock.
final class ControlState: @unchecked Sendable {
    /// The contents of the file that the app reads.
    struct Current: Sendable {
        var number = 0
        var scenario: String?
        var answers: [String: MockControl.Answer] = [:]
    }

    /// A response that at least one call must use.
    struct Use: Sendable {
        let mock: String
        let answer: MockControl.Answer
        /// The number of the change that set the response.
        let first: Int
        /// The number of the change that replaced this response; nil if no change has.
        var end: Int?

        func isUsed(by call: MockControl.Call) -> Bool {
            let isEvery = mock == "*"
            let isMock = isEvery ? call.mock != nil : call.mock?.utf8.elementsEqual(mock.utf8) == true
            return isMock && call.change >= first && call.change < end ?? .max
                && answer.isPossible(of: call, isOfEveryMock: isEvery)
        }
    }

    private struct State {
        var current = Current()
        var uses: [Use] = []
        var notes: [String] = []
    }

    private let lock = NSLock()
    private var state = State()

    private func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    var current: Current { withState { $0.current } }

    var uses: [Use] { withState { $0.uses } }

    /// The reasons why changes were not written.
    var notes: [String] { withState { $0.notes } }

    func note(_ text: String) { withState { $0.notes.append(text) } }

    /// Changes the contents of the file that the app reads.
    ///
    /// - Parameter write: writes the file. Concurrent changes are written in order. If `write` throws an error, nothing
    ///   changes.
    func change(_ change: (inout Current) -> Void, write: (Current) throws -> Void) rethrows {
        try withState { try Self.change(&$0, change, write) }
    }

    /// Sets the response of a mock, or removes it if `answer` is nil.
    ///
    /// - Parameter write: writes the file, as in `change`.
    func set(_ mock: String, _ answer: MockControl.Answer?, write: (Current) throws -> Void) rethrows {
        try withState { state in
            try Self.change(&state, { $0.answers[mock] = answer }, write)
            let number = state.current.number
            for index in state.uses.indices where state.uses[index].mock == mock && state.uses[index].end == nil {
                state.uses[index].end = number
            }
            if let answer { state.uses.append(Use(mock: mock, answer: answer, first: number)) }
        }
    }

    private static func change(
        _ state: inout State, _ change: (inout Current) -> Void, _ write: (Current) throws -> Void
    ) rethrows {
        var new = state.current
        change(&new)
        new.number += 1
        try write(new)
        state.current = new
    }
}

/// The folder that a UI test and its app share. FingerpostMocks contains a type of the same name for the app, with the
/// same four constants. A test compares the constants.
enum ControlFolder {
    /// The environment variable that names the folder.
    static let variable = "MOCKS_CONTROL"
    /// The file that the UI test writes.
    static let order = "control.json"
    /// The version of `order`.
    static let version = 1
    /// The file that the app writes.
    static let calls = "calls.jsonl"
}
