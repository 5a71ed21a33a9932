/// Finds many byte patterns in one pass over a text with the algorithm of Aho and Corasick. The time depends on the
/// length of the text and of the patterns, but not on the number of patterns or on repetitions.
///
/// A state is a prefix of a pattern. The bytes read so far end with the bytes of the current state. States of up to two
/// bytes have a row with the next state for each byte, because nearly all bytes of a text are read in these states. The
/// other states are the nodes of a tree.
package struct PatternTree: Sendable {
    private typealias State = Int32

    private struct Node: Sendable {
        /// The last byte of the state.
        let byte: UInt8
        /// The number of the first pattern that equals the state; -1 if no pattern equals the state.
        var pattern: Int32 = -1
        /// `child` is the first state that is longer by one byte. `sibling` is the next state with the same parent.
        /// Each is 0 if there is no such state.
        var child: State = 0
        var sibling: State = 0
        /// `suffix` is the longest suffix of the state, except the whole state, that is also a state. `end` is the
        /// longest suffix of the state that is a pattern, and can be the whole state.
        var suffix: State = 0
        var end: State = 0
    }

    private var nodes = [Node(byte: 0)]
    private let lengths: [Int]
    /// The next state for each byte, for the states with a row. The sign bit marks a state at which a pattern ends.
    private var (rows, rowCount): ([State], State) = ([], 0)

    private static let mark: State = .min

    /// - Parameter patterns: the patterns. No pattern may be empty.
    package init(_ patterns: [[UInt8]]) {
        lengths = patterns.map(\.count)
        // The states with a row have the lowest numbers.
        for pattern in patterns { _ = add(pattern.prefix(2)) }
        rowCount = State(nodes.count)
        for (index, pattern) in patterns.enumerated() {
            let last = add(pattern[...])
            if nodes[last].pattern < 0 { nodes[last].pattern = Int32(index) }
        }
        link()
    }

    /// Adds the states for the start of a pattern, and returns the last state.
    private mutating func add(_ pattern: ArraySlice<UInt8>) -> Int {
        var state: State = 0
        for byte in pattern {
            var next = child(of: state, byte)
            if next == 0 {
                next = State(nodes.count)
                nodes.append(Node(byte: byte, sibling: nodes[Int(state)].child))
                nodes[Int(state)].child = next
            }
            state = next
        }
        return Int(state)
    }

    private func child(of state: State, _ byte: UInt8) -> State {
        var child = nodes[Int(state)].child
        while child != 0, nodes[Int(child)].byte != byte { child = nodes[Int(child)].sibling }
        return child
    }

    /// Computes the suffix, the end and the row of each state. Shorter states come first.
    private mutating func link() {
        rows = [State](repeating: 0, count: Int(rowCount) << 8)
        var (queue, position): ([State], Int) = ([0], 0)
        while position < queue.count {
            let state = queue[position]
            position += 1
            let (row, suffix) = (Int(state) << 8, Int(nodes[Int(state)].suffix) << 8)
            if state < rowCount, state != 0 { rows.replaceSubrange(row..<row + 256, with: rows[suffix..<suffix + 256]) }
            var next = nodes[Int(state)].child
            while next != 0 {
                let node = nodes[Int(next)]
                let shorter = state == 0 ? 0 : step(nodes[Int(state)].suffix, node.byte)
                nodes[Int(next)].suffix = shorter
                nodes[Int(next)].end = node.pattern < 0 ? nodes[Int(shorter)].end : next
                if state < rowCount { rows[row | Int(node.byte)] = nodes[Int(next)].end == 0 ? next : next | Self.mark }
                queue.append(next)
                next = node.sibling
            }
        }
    }

    // MARK: Search

    /// Returns the state that follows a state and a byte.
    private func step(_ state: State, _ byte: UInt8) -> State {
        var state = state
        while state >= rowCount {
            let next = child(of: state, byte)
            if next != 0 { return next }
            state = nodes[Int(state)].suffix
        }
        return rows[Int(state) << 8 | Int(byte)] & ~Self.mark
    }

    /// Calls the body for each position at which patterns end, with the index of the pattern and its range. The longest
    /// pattern comes first. Shorter patterns follow until the body returns true.
    package func forEachMatch(in text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ place: Range<Int>) -> Bool) {
        guard let bytes = text.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        rows.withUnsafeBufferPointer { buffer in
            // Without a pointer, or with generic conversions, this loop takes several times as long in a debug build.
            guard let rows = buffer.baseAddress else { return }
            var (state, offset): (State, Int) = (0, 0)
            while offset < text.count {
                let byte = bytes[offset]
                offset &+= 1
                if state < rowCount {
                    state = rows[Int(state) &<< 8 | Int(byte)]
                    if state >= 0 { continue }
                    state &= ~Self.mark
                } else {
                    state = step(state, byte)
                }
                var end = Int(nodes[Int(state)].end)
                while end != 0 {
                    let pattern = Int(nodes[end].pattern)
                    if body(pattern, offset - lengths[pattern]..<offset) { break }
                    end = Int(nodes[Int(nodes[end].suffix)].end)
                }
            }
        }
    }
}
