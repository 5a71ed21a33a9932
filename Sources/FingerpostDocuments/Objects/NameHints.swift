import FingerpostFiles

/// Suggests valid names when many files or keys may be misspelled. The time for a suggestion is proportional to the
/// number of valid names, so only the first hundred problems get a suggestion. For a single problem, use
/// ``NearestName``.
package final class NameHints: Sendable {
    private let rest = Locked(100)

    package init() {}

    /// Returns the end of a message that suggests the most similar name: see ``NearestName/hint(_:in:)``. Returns an
    /// empty text after the first hundred problems.
    ///
    /// - Parameter candidates: the valid names. The names are only computed for a suggestion.
    package func hint(_ name: String, in candidates: @autoclosure () -> some Sequence<String>) -> String {
        look { NearestName.hint(name, in: candidates()) } ?? ""
    }

    /// Runs a search for similar names. Returns nil after 100 problems, because searches are slow.
    package func look<Found>(_ search: () -> Found) -> Found? {
        let isLeft = rest.withLock { rest in
            rest -= 1
            return rest >= 0
        }
        return isLeft ? search() : nil
    }
}
