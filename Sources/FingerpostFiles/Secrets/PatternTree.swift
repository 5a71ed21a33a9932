/// Finds many byte patterns in one pass over a text, by the algorithm of Aho and Corasick: the time depends on the
/// length of the text and of the patterns, and not on their number, nor on how much of them repeats.
///
/// A state is the end of the text that begins a pattern. Those of up to two bytes have a row with the next state for
/// each byte, because nearly all bytes of a text are read in them. The others are the nodes of a tree.
package struct PatternTree: Sendable {
    private typealias State = Int32

    private struct Node: Sendable {
        /// The last byte.
        let byte: UInt8
        /// The pattern that ends here; the first one if there are several, and -1 for none.
        var pattern: Int32 = -1
        /// The first state that is longer by one byte, and the next one that is longer than the same state; 0 for none.
        var child: State = 0
        var sibling: State = 0
        /// The longest end of the state that begins a pattern too, and the longest end that is a pattern, which can be
        /// the whole state.
        var suffix: State = 0
        var end: State = 0
    }

    private var nodes = [Node(byte: 0)]
    private let lengths: [Int]
    /// The next state for each byte, of the states with a row. The sign bit marks those at which a pattern ends.
    private var (rows, rowCount): ([State], State) = ([], 0)

    private static let mark: State = .min

    /// - Parameter patterns: none of them empty.
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

    /// Adds the states of the start of a pattern, and returns the last one.
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

    /// Gives each state its suffix, its end and its row, the shorter states first.
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

    /// The state after another and a byte.
    private func step(_ state: State, _ byte: UInt8) -> State {
        var state = state
        while state >= rowCount {
            let next = child(of: state, byte)
            if next != 0 { return next }
            state = nodes[Int(state)].suffix
        }
        return rows[Int(state) << 8 | Int(byte)] & ~Self.mark
    }

    /// Calls the body where patterns end, with their index and their place in the text: first for the longest one that
    /// ends there, and for shorter ones until the body returns true.
    package func forEachMatch(in text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ place: Range<Int>) -> Bool) {
        guard let bytes = text.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        rows.withUnsafeBufferPointer { buffer in
            // In a debug build, a buffer and generic conversions take several times as long.
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
