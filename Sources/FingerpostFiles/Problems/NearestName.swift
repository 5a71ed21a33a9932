import Foundation

/// Finds the valid name that a misspelled name was probably meant to be. The caller passes the valid names as
/// candidates; for a missing mock, the caller is `MockIndex`.
package enum NearestName {
    /// The candidate that is most similar to `name`; nil when every candidate is so different that `name` is probably
    /// not a typo.
    ///
    /// Letter case is ignored, so the candidate `Login` is found for the name `login`.
    package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        all(name, in: Array(candidates), limit: 1).first
    }

    /// Up to `limit` similar candidates, most similar first. Candidates that are equally similar are in alphabetical
    /// order.
    package static func all(_ name: String, in candidates: [String], limit: Int = 3) -> [String] {
        let folded = bytes(of: name)
        // A name of more than `longest` bytes is unlikely to be a typo, and comparing such a name would be slow.
        guard folded.count <= longest else { return [] }
        var allowed = max(2, folded.count / 3)
        var found: [(distance: Int, name: String)] = []
        for candidate in candidates {
            let other = bytes(of: candidate)
            // Do not suggest a candidate that has nothing in common with the name, such as `a` for `b`.
            guard let distance = editDistance(folded, other, allowed), distance < max(folded.count, other.count) else {
                continue
            }
            let place = found.firstIndex { (distance, candidate) < ($0.distance, $0.name) } ?? found.endIndex
            found.insert((distance, candidate), at: place)
            if found.count > limit { found.removeLast() }
            // Once `found` has `limit` candidates, skip any candidate that is less similar to the name than the last
            // candidate in `found`.
            if found.count == limit, let last = found.last { allowed = min(allowed, last.distance) }
        }
        return found.map(\.name)
    }

    private static let longest = 200

    /// The UTF-8 bytes of a name in lowercase. Because names are compared by bytes, a non-ASCII letter counts as two to
    /// four characters, both in the name's length and in the distance between names.
    private static func bytes(of name: String) -> [UInt8] {
        let bytes = Array(name.lowercased().utf8)
        // Composed and decomposed forms of the same letter count as equal.
        return bytes.allSatisfy { $0 < 0x80 }
            ? bytes : Array(name.lowercased().precomposedStringWithCanonicalMapping.utf8)
    }

    /// The end of a message that suggests the most similar candidate: ` (did you mean "x"?)`. The text is empty if no
    /// candidate is similar enough.
    package static func hint(_ name: String, in candidates: some Sequence<String>) -> String {
        hint(find(name, in: candidates))
    }

    /// Returns the end of a message that suggests a name which was found in another way. Returns an empty text if there
    /// is no name.
    package static func hint(_ nearest: String?) -> String { nearest.map { " (did you mean \($0.quoted)?)" } ?? "" }

    /// The part of a message that lists several similar names, which ``all(_:in:limit:)`` returns; empty if there are
    /// no names.
    package static func list(_ nearest: [String], to name: String) -> String {
        if nearest.isEmpty { return "" }
        // Names are compared by bytes. A disk may write the same letters with other bytes.
        let isTwin = nearest.contains { $0 == name }
        return "; similar: " + nearest.map(\.quoted).joined(separator: ", ")
            + (isTwin ? ", which looks the same: one has letters with combining characters (NFD), the other none" : "")
    }

    /// The optimal string alignment distance between two names: the number of insertions, deletions, replacements and
    /// swaps of adjacent bytes that turn one name into the other. The result is nil if the distance is larger than
    /// `allowed`.
    private static func editDistance(_ a: [UInt8], _ b: [UInt8], _ allowed: Int) -> Int? {
        guard abs(a.count - b.count) <= allowed else { return nil }
        // A common prefix or suffix does not change the distance.
        let shorter = min(a.count, b.count)
        var (start, end) = (0, 0)
        while start < shorter, a[start] == b[start] { start += 1 }
        while end < shorter - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        let (a, b) = (Array(a[start..<a.count - end]), Array(b[start..<b.count - end]))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var previous = Array(0...b.count)
        var (beforePrevious, current) = (previous, previous)
        var nearestBefore = 0
        for i in 1...a.count {
            current[0] = i
            var nearest = i
            for j in 1...b.count {
                var best = min(previous[j], current[j - 1]) + 1
                best = min(best, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                current[j] = best
                nearest = min(nearest, best)
            }
            // Each row of the table is computed from the two rows before. If all distances of two adjacent rows are
            // larger than `allowed`, all later distances are also larger.
            if min(nearest, nearestBefore) > allowed { return nil }
            nearestBefore = nearest
            swap(&beforePrevious, &previous)
            swap(&previous, &current)
        }
        return previous[b.count] <= allowed ? previous[b.count] : nil
    }
}
