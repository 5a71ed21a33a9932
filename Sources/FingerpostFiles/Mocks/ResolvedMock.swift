/// What answers for a mock's name and a variant: files of a folder, and what their settings say.
package struct ResolvedMock: Sendable {
    package let name: String
    /// nil for the answer that is given when no variant is asked for.
    package let variant: String?
    /// The body's path below the folder; nil where the settings say everything.
    package let file: String?
    /// The status that the body's name says: 200 when it says none.
    package let status: Int
    package let settings: MockSettings?
    /// True when calls are counted: the settings of some variant may ask how many there were.
    package let isCounted: Bool

    /// Every answer, those of a sequence one by one, each with its status and its body.
    package var answers: [MockAnswerSettings] {
        (settings?.answers ?? [MockAnswerSettings()]).map { answer in
            var answer = answer
            answer.status = answer.status ?? status
            answer.body = answer.body ?? file
            return answer
        }
    }
}
