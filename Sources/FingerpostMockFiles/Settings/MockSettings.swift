import FingerpostFiles
package import Foundation

/// The settings of a mock, read from `<name>.mock.json`.
package struct MockSettings: Sendable {
    /// When and where a body was recorded.
    package struct Recorded: Sendable {
        /// When the body was recorded.
        package var at: Date
        /// The environment that the body was recorded from.
        package var from: String?
        /// The enum case or type whose call was recorded, such as `App.Shop/list`; nil for a route without a router.
        package var by: String?
        /// How long the recording stays valid, in seconds from ``at``; nil when the recording never expires.
        package var lifetime: Double?
        /// The line of the key `recorded` in the settings file, 1-based.
        package var line: Int?

        /// True when the recording has expired at the given time.
        package func isExpired(at now: Date) -> Bool {
            lifetime.map { at.addingTimeInterval($0) < now } ?? false
        }

        /// Parses a duration and returns it in seconds.
        ///
        /// - Parameter text: a number of days, hours, minutes or seconds: `90d`, `12h`, `30m`, `45s`.
        static func seconds(_ text: String) throws(FileProblem) -> Double {
            let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
            let digits = text.dropLast()
            guard let unit = text.last.flatMap({ units[$0] }), digits.utf8.count <= 9, digits.first != "0",
                let number = Int64(digits: digits)
            else {
                throw FileProblem("it is not a duration", fix: "write 90d, 12h, 30m or 45s")
            }
            return Double(number * unit)
        }
    }

    /// The path of the settings file, as shown in messages.
    package let path: String
    /// The requests that the mock can answer, as set by the key `for`; nil when the mock can answer any request.
    package var route: MockRoute?
    /// The mock's response. If the settings contain a sequence, its responses inherit the values of this response.
    package var response = StubResponse()
    /// The responses to successive calls, in order. Each already includes the values inherited from ``response``.
    package var sequence: [StubResponse] = []
    /// The response to calls after the end of ``sequence``.
    package var after = AfterSequence.fail
    /// When and where the body was recorded; nil for handwritten mocks.
    package var recorded: Recorded?

    /// True if the settings contain only the key `for`, and nothing about the response.
    var namesRequestsAlone: Bool {
        route != nil && sequence.isEmpty && recorded == nil && response.body == nil && response.status == nil
            && response.failure == nil && response.headers.isEmpty && response.delay == nil && response.pace == nil
            && response.isOpen == nil && response.then == nil
    }

    /// All responses that a call can get.
    package var responses: [StubResponse] { sequence.isEmpty ? [response] : sequence }
}
