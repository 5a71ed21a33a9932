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
}
