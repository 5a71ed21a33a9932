package import Foundation

/// The settings of a mock, read from `<name>.mock.json`.
package struct MockSettings: Sendable {
    /// What calls get after the last answer of a sequence.
    package enum After: String, Sendable, CaseIterable {
        /// The call fails. This is the default, because silent repeats would hide calls that should not be made.
        case fail
        /// Every further call gets the last answer again.
        case repeatLast
        /// The sequence starts over.
        case loop
    }

    /// When and where a body was recorded.
    package struct Recorded: Sendable {
        /// The time of the recording.
        package var at: Date
        /// The environment that the body was recorded from.
        package var from: String?
        /// The time until the recording expires, in seconds; nil when it never expires.
        package var lifetime: Double?
        /// The line of `recorded`, 1-based.
        package var line: Int?

        /// True when the lifetime ended before a time.
        package func isExpired(at now: Date) -> Bool {
            lifetime.map { at.addingTimeInterval($0) < now } ?? false
        }

        /// Parses a duration and returns it in seconds.
        ///
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

    /// The path of the file, as shown in messages.
    package let path: String
    /// The requests that the mock can answer, from the key `for`; nil for any request.
    package var route: MockRoute?
    /// The answer when there is no sequence, and otherwise the values that the sequence's answers inherit.
    package var answer = MockAnswerSettings()
    /// The answers that successive calls get. Values inherited from ``answer`` are already included.
    package var sequence: [MockAnswerSettings] = []
    /// What calls get after the last answer of ``sequence``.
    package var after = After.fail
    /// When and where the body was recorded; nil for handwritten mocks.
    package var recorded: Recorded?

    /// All answers that a call can get.
    var answers: [MockAnswerSettings] { sequence.isEmpty ? [answer] : sequence }

    /// Empty settings of a file.
    package init(path: String) {
        self.path = path
    }
}
