/// Finds many byte patterns in one pass over a text, by the algorithm of Aho and Corasick: the time depends on the
/// length of the text, and hardly on the number of patterns.
///
/// A state is the end of the text that begins a pattern. Those of up to two bytes have a row with the next state for
/// each byte, because nearly all bytes of a text are read in them. The others take a few bytes each: they are the nodes
/// of a tree.
package struct BytePatterns: Sendable {
    private typealias State = Int32

    private struct Node: Sendable {
        /// The last byte of the state.
        let byte: UInt8
        /// The first state that is longer by one byte, and the next one that is longer than the same state; 0 for none.
        var child: State = 0
        var sibling: State = 0
        /// The longest end of the state that begins a pattern too.
        var suffix: State = 0
    }

    private var nodes = [Node(byte: 0)]
    /// The patterns that end in each state.
    private var ends: [[Int]] = [[]]
    /// The next state for each byte, of the states with a row. The sign bit marks those in which a pattern ends.
    private var rows: [State] = []
    private var rowCount: State = 0

    private static let mark: State = .min
    /// The longest states with a row.
    private static let depth = 2

    /// - Parameter patterns: the patterns, none of them empty.
    package init(_ patterns: [[UInt8]]) {
        // The states with a row have the lowest numbers.
        for pattern in patterns { _ = add(pattern.prefix(Self.depth)) }
        rowCount = State(nodes.count)
        for (index, pattern) in patterns.enumerated() { ends[add(pattern[...])].append(index) }
        link()
        for place in rows.indices where !ends[Int(rows[place])].isEmpty { rows[place] |= Self.mark }
    }

    /// Adds the states of a pattern, and returns the last one.
    private mutating func add(_ pattern: ArraySlice<UInt8>) -> Int {
        var state: State = 0
        for byte in pattern {
            var next = child(of: state, byte)
            if next == 0 {
                next = State(nodes.count)
                var node = Node(byte: byte)
                node.sibling = nodes[Int(state)].child
                nodes.append(node)
                ends.append([])
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

    /// Gives each state its suffix and its row, the shorter states first.
    private mutating func link() {
        rows = [State](repeating: 0, count: Int(rowCount) << 8)
        var (queue, position): ([State], Int) = ([0], 0)
        while position < queue.count {
            let state = queue[position]
            position += 1
            let suffix = nodes[Int(state)].suffix
            if state < rowCount {
                for byte in 0..<256 { rows[Int(state) << 8 | byte] = rows[Int(suffix) << 8 | byte] }
            }
            var next = nodes[Int(state)].child
            while next != 0 {
                let byte = nodes[Int(next)].byte
                if state != 0 {
                    let end = step(suffix, byte)
                    nodes[Int(next)].suffix = end
                    ends[Int(next)] += ends[Int(end)]
                }
                if state < rowCount { rows[Int(state) << 8 | Int(byte)] = next }
                queue.append(next)
                next = nodes[Int(next)].sibling
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

    /// Calls the body for each occurrence of a pattern, with the index of the pattern and the offset after it.
    package func forEachMatch(in text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ end: Int) -> Void) {
        guard let bytes = text.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        rows.withUnsafeBufferPointer { buffer in
            guard let rows = buffer.baseAddress else { return }
            var (state, offset): (State, Int) = (0, 0)
            while offset < text.count {
                var next: State
                if state < rowCount {
                    next = rows[Int(truncatingIfNeeded: state) &<< 8 | Int(truncatingIfNeeded: bytes[offset])]
                } else {
                    next = step(state, bytes[offset])
                    if !ends[Int(next)].isEmpty { next |= Self.mark }
                }
                offset &+= 1
                if next < 0 {
                    next &= ~Self.mark
                    for pattern in ends[Int(next)] { body(pattern, offset) }
                }
                state = next
            }
        }
    }
}
