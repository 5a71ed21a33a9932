import FingerpostFiles

/// The answer that was found for a mock's name and variant: its body file, status and settings.
package struct ResolvedMock: Sendable {
    package let name: String
    /// The variant; nil for the default answer.
    package let variant: String?
    /// The body file's path relative to the mocks folder; nil when the answer has no body file.
    package let file: String?
    /// The status from the body's file name, or 200 if the file name contains no status. A status in ``settings`` takes
    /// precedence.
    package let status: Int
    package let settings: MockSettings?
    /// True when calls to the mock are counted. The calls to a mock with settings are counted, because settings can
    /// make the answers depend on the number of calls.
    package let isCounted: Bool

    /// All answers that a call can get, including each answer of a sequence. An answer that sets no status or no body
    /// uses ``status`` or ``file`` instead.
    package var answers: [MockAnswerSettings] {
        (settings?.answers ?? [MockAnswerSettings()]).map { answer in
            var answer = answer
            answer.status = answer.status ?? status
            answer.body = answer.body ?? file
            return answer
        }
    }
}
