extension AsyncSequence where Element: Sendable {
    /// All elements, in order.
    package func all() async throws -> [Element] {
        var all: [Element] = []
        for try await element in self { all.append(element) }
        return all
    }
}
