package import Foundation

/// What the file `<name>.mock.json` says of a mock.
package struct MockSettings: Sendable {
    /// What happens after the last answer of a sequence.
    package enum After: String, Sendable, CaseIterable {
        /// The call fails: silent repeats would hide calls that should not be made.
        case fail
        case repeatLast
        case loop
    }

    /// Where a recorded body came from.
    package struct Recorded: Sendable {
        package var at: Date
        /// The environment that it was recorded from.
        package var from: String?
        /// How long it can be trusted, in seconds.
        package var lifetime: Double?
        /// The line of `recorded`.
        package var line: Int?

        package func isExpired(at now: Date) -> Bool {
            lifetime.map { at.addingTimeInterval($0) < now } ?? false
        }
    }

    /// The file, as shown to people.
    package let path: String
    /// The requests that it may answer: `for`.
    package var route: MockRoute?
    /// The answer, where there is no sequence; what the answers of a sequence do not say for themselves, where there is one.
    package var answer = MockAnswerSettings()
    /// Answers that are given one after another.
    package var sequence: [MockAnswerSettings] = []
    package var after = After.fail
    package var recorded: Recorded?

    package init(path: String) {
        self.path = path
    }
}
