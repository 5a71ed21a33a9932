/// The answer found for a mock's name and variant: the body file and the settings.
package struct ResolvedMock: Sendable {
    package let name: String
    /// The variant; nil for the default answer.
    package let variant: String?
    /// The path of the body relative to the mocks folder; nil when the mock has no body file.
    package let file: String?
    /// The status from the file name, or 200 when the name contains none. ``settings`` can override it.
    package let status: Int
    package let settings: MockSettings?
    /// True when the calls of the mock are counted, because it has settings, which can depend on the count.
    package let isCounted: Bool

    /// All answers, including each answer of a sequence, with their status and body resolved.
    package var answers: [MockAnswerSettings] {
        (settings?.answers ?? [MockAnswerSettings()]).map { answer in
            var answer = answer
            answer.status = answer.status ?? status
            answer.body = answer.body ?? file
            return answer
        }
    }
}
