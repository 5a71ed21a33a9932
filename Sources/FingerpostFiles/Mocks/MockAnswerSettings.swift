/// One answer of a mock, as far as its settings say.
package struct MockAnswerSettings: Sendable {
    package var status: Int?
    package var headers: [(name: String, value: String)] = []
    package var delay: MockDelay?
    package var failure: MockFailure?
    /// The file of the body: its path below the folder of the mocks.
    package var body: String?
    package var fill: [MockFill] = []
    /// The variants that other mocks have from this answer on.
    package var then: [(mock: String, variant: String)] = []
    /// The line that it starts in.
    package var line: Int?

    package init() {}

    /// The answer with another's values where it has none: single headers and fills are inherited, and lists of variants as a whole.
    func inheriting(_ parent: MockAnswerSettings) -> MockAnswerSettings {
        var answer = self
        answer.delay = delay ?? parent.delay
        answer.failure = failure ?? parent.failure
        if then.isEmpty { answer.then = parent.then }
        if answer.failure?.isBeforeAnswer == true { return answer }
        answer.status = status ?? parent.status
        answer.headers =
            parent.headers.filter { inherited in
                !headers.contains { $0.name.lowercased() == inherited.name.lowercased() }
            } + headers
        if answer.failure == .empty { return answer }
        answer.body = body ?? parent.body
        answer.fill = parent.fill.filter { inherited in !fill.contains { $0.pointer == inherited.pointer } } + fill
        return answer
    }
}
