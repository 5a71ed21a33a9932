import FingerpostFiles

/// What a scenario, or another process, writes about the answers of several mocks.
package struct MockChanges: Sendable {
    /// The name that stands for every mock.
    static let everyMock = "*"

    private var changes: [ByteName: StubResponse] = [:]

    package init() {}

    package subscript(mock: String) -> StubResponse? { changes[ByteName(mock)] }

    mutating func set(_ mock: String, to change: StubResponse) {
        changes.updateValue(change, forKey: ByteName(mock))
    }

    /// The names of the mocks that have a change of their own.
    package var names: [String] {
        var names: [String] = []
        for name in changes.keys where !name.text.isSame(as: Self.everyMock) { names.append(name.text) }
        return names.ordered { $0 < $1 }
    }

    /// What changes for a mock: its own change, and that of every mock.
    package func change(of mock: String, in folder: MockIndex) -> StubResponse? {
        var every = self[Self.everyMock]
        // Mocks that lack the variant answer as usual.
        if let variant = every?.variant, !folder.variants(of: mock).contains(where: variant.isSame) {
            every?.variant = nil
        }
        guard let own = self[mock] else { return every }
        return every.map(own.replacing) ?? own
    }
}
