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

        /// - Parameter text: a number of days, hours, minutes or seconds: `90d`, `12h`, `30m`, `45s`.
        static func seconds(_ text: String) throws(FileProblem) -> Double {
            let units: [Character: Double] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
            let digits = text.dropLast()
            guard let unit = text.last.flatMap({ units[$0] }), digits.utf8.count <= 9, let number = Int(digits),
                number > 0, digits.first != "+", digits.first != "0"
            else { throw FileProblem("it is not a duration", fix: "write 90d, 12h, 30m or 45s") }
            return Double(number) * unit
        }
    }

    /// The file, as shown to people.
    package let path: String
    /// The requests that it may answer: `for`.
    package var route: MockRoute?
    /// The answer, where there is no sequence.
    package var answer = MockAnswerSettings()
    /// Answers that are given one after another. Each is whole: what it does not say itself it has from ``answer``.
    package var sequence: [MockAnswerSettings] = []
    package var after = After.fail
    package var recorded: Recorded?

    /// Each answer that a call can get.
    var answers: [MockAnswerSettings] { sequence.isEmpty ? [answer] : sequence }

    package init(path: String) {
        self.path = path
    }
}
