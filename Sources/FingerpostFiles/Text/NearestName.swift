import Foundation

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
        let folded = bytes(of: name)
        // Nobody means so long a name by a slip, and the work grows with it.
        guard folded.count <= longest else { return [] }
        var allowed = max(2, folded.count / 3)
        var found: [(distance: Int, name: String)] = []
        for candidate in candidates {
            let other = bytes(of: candidate)
            // A name with nothing in common (`a` for `b`) is no suggestion.
            guard let distance = editDistance(folded, other, allowed), distance < max(folded.count, other.count) else {
                continue
            }
            let place = found.firstIndex { (distance, candidate) < ($0.distance, $0.name) } ?? found.endIndex
            found.insert((distance, candidate), at: place)
            if found.count > limit { found.removeLast() }
            // What is further away than all of these need not be known.
            if found.count == limit, let last = found.last { allowed = min(allowed, last.distance) }
        }
        return found.map(\.name)
    }

    private static let longest = 200

    /// In lower case. Letters of other scripts count for two or three, in the names as in what may differ.
    private static func bytes(of name: String) -> [UInt8] {
        let bytes = Array(name.lowercased().utf8)
        // Two ways to write a letter are no slip.
        return bytes.allSatisfy { $0 < 0x80 }
            ? bytes : Array(name.lowercased().precomposedStringWithCanonicalMapping.utf8)
    }

    /// The nearest name as the end of a sentence: ` (did you mean "x"?)`, or nothing.
    package static func hint(_ name: String, in candidates: some Sequence<String>) -> String {
        find(name, in: candidates).map { " (did you mean \"\($0)\"?)" } ?? ""
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours; nil when it is more than
    /// allowed.
    private static func editDistance(_ a: [UInt8], _ b: [UInt8], _ allowed: Int) -> Int? {
        guard abs(a.count - b.count) <= allowed else { return nil }
        // What both begin and end with makes no difference.
        let shorter = min(a.count, b.count)
        var (start, end) = (0, 0)
        while start < shorter, a[start] == b[start] { start += 1 }
        while end < shorter - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        let (a, b) = (Array(a[start..<a.count - end]), Array(b[start..<b.count - end]))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        let tooFar = allowed + 1
        var (beforePrevious, previous) = (Array(repeating: tooFar, count: b.count + 1), Array(0...b.count))
        var current = beforePrevious
        var nearestBefore = 0
        for i in 1...a.count {
            // Beyond these as many letters were inserted or deleted.
            let (first, last) = (max(1, i - allowed), min(b.count, i + allowed))
            guard first <= last else { return nil }
            current[first - 1] = first == 1 ? i : tooFar
            if last < b.count { current[last + 1] = tooFar }
            var nearest = current[first - 1]
            for j in first...last {
                var best = min(previous[j], current[j - 1]) + 1
                best = min(best, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                current[j] = best
                nearest = min(nearest, best)
            }
            // A swap reaches back two rows, and from either on the distance only grows.
            if min(nearest, nearestBefore) > allowed { return nil }
            nearestBefore = nearest
            swap(&beforePrevious, &previous)
            swap(&previous, &current)
        }
        return previous[b.count] <= allowed ? previous[b.count] : nil
    }
}
