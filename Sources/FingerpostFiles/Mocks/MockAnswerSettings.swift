/// One answer of a mock, as far as its settings say.
package struct MockAnswerSettings: Sendable {
    package var status: Int?
    package var headers: [(name: String, value: String)] = []
    package var delay: MockDelay?
    package var failure: MockFailure?
    /// The file of the body: its path below the folder of the mocks.
    package var body: String?
    package var fill: [MockSubstitution] = []
    /// The variants that other mocks have from this answer on.
    package var then: [(mock: String, variant: String)] = []
    /// The line that it starts in.
    package var line: Int?

    package init() {}

    /// Takes another's values where it has none. Single headers are inherited, and `fill` and `then` as a whole.
    ///
    /// - Parameter said: the keys that it has, even with an empty value.
    mutating func inherit(_ parent: MockAnswerSettings, except said: [MockSettingsReader.Key]) {
        delay = delay ?? parent.delay
        if !said.contains(.then) { then = parent.then }
        if failure?.isBeforeAnswer == true { return }
        status = status ?? parent.status
        let own = headers.map { $0.name.lowercased() }
        headers = parent.headers.filter { !own.contains($0.name.lowercased()) } + headers
        if failure == .empty { return }
        body = body ?? parent.body
        if !said.contains(.fill) { fill = parent.fill }
    }
}
