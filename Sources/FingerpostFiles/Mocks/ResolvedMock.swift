/// The answer that was found for a mock's name and variant: its body file, status and settings.
package struct ResolvedMock: Sendable {
    package let name: String
    /// The variant; nil for the default answer.
    package let variant: String?
    /// The body file's path relative to the mocks folder; nil when the answer has no body file.
    package let file: String?
    /// The status from the body's file name, or 200 if that name contains no status. ``settings`` can override it.
    package let status: Int
    package let settings: MockSettings?
    /// True when calls to the mock are counted. Calls are counted if the mock has settings, because its answers can
    /// then depend on the count.
    package let isCounted: Bool

    /// All answers that a call can get, including each answer of a sequence. Every answer contains its final status and
    /// body.
    package var answers: [MockAnswerSettings] {
        (settings?.answers ?? [MockAnswerSettings()]).map { answer in
            var answer = answer
            answer.status = answer.status ?? status
            answer.body = answer.body ?? file
            return answer
        }
    }
}
