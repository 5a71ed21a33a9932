import FingerpostFiles
package import Foundation

/// What a scenario, or another process, changes in the answer of a mock. A property is nil if it stays as it is.
package struct MockChange: Sendable {
    /// The variant that answers.
    package var variant: String?
    package var status: Int?
    /// The body in place of the file's, and its content type.
    package var body: (data: Data, type: String)?
    package var failure: MockFailure?
    /// How long the answer takes, in seconds.
    package var delay: Double?
    /// How often a test must use the answer.
    package var times: Int?

    package init() {}

    /// This change, with the properties of another one where this change has none.
    package func over(_ other: MockChange) -> MockChange {
        var change = self
        change.delay = delay ?? other.delay
        change.times = times ?? other.times
        let isAnswer = variant != nil || status != nil || body != nil || failure != nil
        if !isAnswer {
            (change.variant, change.status, change.body) = (other.variant, other.status, other.body)
            change.failure = other.failure
        }
        return change
    }

    /// The part of this change that does not replace an answer.
    package var delayAlone: MockChange {
        var change = MockChange()
        change.delay = delay
        return change
    }
}

/// The changes in the answers of several mocks.
package struct MockChanges: Sendable {
    /// The name that stands for every mock.
    package static let everyMock = "*"

    private var changes: [ByteName: MockChange] = [:]

    package init() {}

    package subscript(mock: String) -> MockChange? {
        get { changes[ByteName(mock)] }
        set { changes[ByteName(mock)] = newValue }
    }

    /// The names of the mocks that have a change of their own.
    package var names: [String] {
        changes.keys.map(\.text).filter { !$0.isSame(as: Self.everyMock) }.ordered { $0 < $1 }
    }

    /// What changes for a mock: its own change, and that of every mock.
    package func change(of mock: String, in folder: MockFolder) -> MockChange? {
        var every = self[Self.everyMock]
        // Mocks that lack the variant answer as usual.
        if let variant = every?.variant, !folder.variants(of: mock).contains(where: variant.isSame) {
            every?.variant = nil
        }
        guard let own = self[mock] else { return every }
        return every.map(own.over) ?? own
    }
}
