/// Finds the name that was probably meant.
package enum NearestName {
    /// The candidate closest to `name`, if one is close enough to be a likely slip.
    ///
    /// Letter case counts as a small difference, so `Login` is found for `login`.
    package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        all(name, in: candidates, limit: 1).first
    }

    /// Up to `limit` close candidates, the closest first; equally close ones in alphabetical order.
    package static func all(_ name: String, in candidates: some Sequence<String>, limit: Int = 3) -> [String] {
        let folded = Array(name.lowercased())
        let allowed = max(2, folded.count / 3)
        return
            candidates
            .compactMap { candidate -> (distance: Int, name: String)? in
                let other = Array(candidate.lowercased())
                guard abs(other.count - folded.count) <= allowed else { return nil }
                let distance = editDistance(folded, other)
                // A name with nothing in common (`a` for `b`) is no suggestion.
                guard distance <= allowed, distance < max(folded.count, other.count) else { return nil }
                return (distance, candidate)
            }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(limit)
            .map(\.name)
    }

    /// The nearest name as the end of a sentence: ` (did you mean "x"?)`, or nothing.
    package static func hint(_ name: String, in candidates: some Sequence<String>) -> String {
        find(name, in: candidates).map { " (did you mean \"\($0)\"?)" } ?? ""
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
    private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforePrevious = [Int]()
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var current = [i]
            for j in 1...b.count {
                var best = min(previous[j] + 1, current[j - 1] + 1)
                best = min(best, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[b.count]
    }
}
