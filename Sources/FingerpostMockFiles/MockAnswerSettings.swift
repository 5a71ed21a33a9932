import FingerpostFiles

/// The settings of one answer of a mock. A property is nil or empty when the settings do not contain its key.
package struct MockAnswerSettings: Sendable {
    /// The HTTP status, from 100 to 599.
    package var status: Int?
    /// The header fields, in the order in which the file lists them.
    package var headers: [(name: String, value: String)] = []
    /// How long the answer takes.
    package var delay: MockDelay?
    /// The failure that this answer simulates, such as a lost connection.
    package var failure: MockFailure?
    /// How the body arrives at a call that reads it as it arrives; nil for as a whole.
    package var pace: MockPace?
    /// True if the connection stays open after the body.
    package var isOpen: Bool?
    /// How many pieces of a truncated body arrive; nil for half of them.
    package var after: Int?
    /// The path of the body file, relative to the mocks folder.
    package var body: String?
    /// The values that are filled into the body.
    package var fill: [MockSubstitution] = []
    /// Pairs of a mock and a variant: after this answer, the mock is switched to the variant.
    package var then: [(mock: String, variant: String)] = []
    /// The line where the settings of this answer start, 1-based.
    package var line: Int?

    /// An answer without settings.
    package init() {}

    /// Copies values from `parent` for the keys that this answer does not set. Headers are copied one by one, whereas
    /// `fill` and `then` are each copied completely or not at all.
    ///
    /// - Parameter said: the keys that this answer sets, including keys with an empty value.
    mutating func inherit(_ parent: MockAnswerSettings, except said: [MockSettingsReader.Key]) {
        delay = delay ?? parent.delay
        if !said.contains(.then) { then = parent.then }
        if failure?.isBeforeAnswer == true { return }
        status = status ?? parent.status
        let own = headers.map { $0.name.lowercased() }
        headers = parent.headers.filter { !own.contains($0.name.lowercased()) } + headers
        if failure == .empty { return }
        body = body ?? parent.body
        pace = pace ?? parent.pace
        if failure == nil { isOpen = isOpen ?? parent.isOpen }
        if !said.contains(.fill) { fill = parent.fill }
    }
}
