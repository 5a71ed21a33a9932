/// Finds many byte patterns in one pass over a text, by the algorithm of Aho and Corasick: the time depends on the
/// length of the text alone, not on the number of patterns.
package struct BytePatterns: Sendable {
    /// The next state for each state and byte. The sign bit marks a state in which a pattern ends.
    private var next: [Int32]
    /// The patterns that end in each state.
    private var ends: [[Int]]

    private static let mark: Int32 = .min

    /// - Parameters:
    ///   - patterns: the patterns, none of them empty.
    ///   - isWrapped: true for the index of a pattern in which white space can be anywhere, as in base64 in lines.
    package init(_ patterns: [[UInt8]], isWrapped: (Int) -> Bool = { _ in false }) {
        next = [Int32](repeating: -1, count: 256)
        ends = [[]]
        var wrapped: Set<Int> = []
        for (index, pattern) in patterns.enumerated() {
            let states = add(pattern, index)
            if isWrapped(index) { wrapped.formUnion(states) }
        }
        link(wrapped)
    }

    /// Adds a pattern, and returns the states on its way but the last.
    private mutating func add(_ pattern: [UInt8], _ index: Int) -> [Int] {
        var states: [Int] = []
        var state = 0
        for byte in pattern {
            let place = state << 8 | Int(byte)
            if next[place] < 0 {
                next[place] = Int32(ends.count)
                ends.append([])
                next.append(contentsOf: repeatElement(-1, count: 256))
            }
            state = Int(next[place])
            states.append(state)
        }
        ends[state].append(index)
        return states.dropLast()
    }

    /// Replaces each missing transition with that of the longest suffix which begins a pattern.
    ///
    /// - Parameter wrapped: the states that white space does not leave, unless it goes on with another pattern.
    private mutating func link(_ wrapped: Set<Int>) {
        var suffix = [Int](repeating: 0, count: ends.count)
        var queue: [Int] = []
        for byte in 0..<256 {
            if next[byte] < 0 { next[byte] = 0 } else { queue.append(Int(next[byte])) }
        }
        var position = 0
        while position < queue.count {
            let state = queue[position]
            position += 1
            ends[state] += ends[suffix[state]]
            for byte in 0..<256 {
                let fallback = next[suffix[state] << 8 | byte]
                let child = next[state << 8 | byte]
                if child < 0 {
                    next[state << 8 | byte] = fallback
                } else {
                    suffix[Int(child)] = Int(fallback)
                    queue.append(Int(child))
                }
            }
        }
        for state in wrapped {
            for byte in " \t\r\n".utf8 where next[state << 8 | Int(byte)] == 0 {
                next[state << 8 | Int(byte)] = Int32(state)
            }
        }
        for place in next.indices where !ends[Int(next[place])].isEmpty { next[place] |= Self.mark }
    }

    /// Calls the body for each occurrence of a pattern, with the index of the pattern and the offset after it.
    package func forEachMatch(in text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ end: Int) -> Void) {
        next.withUnsafeBufferPointer { next in
            guard let next = next.baseAddress else { return }
            var state: Int32 = 0
            var offset = 0
            while offset < text.count {
                state = next[Int(state) << 8 | Int(text[offset])]
                offset += 1
                if state < 0 {
                    state &= ~Self.mark
                    for pattern in ends[Int(state)] { body(pattern, offset) }
                }
            }
        }
    }
}
