/// Finds many byte patterns in one pass over a text, by the algorithm of Aho and Corasick: the time depends on the
/// length of the text, and hardly on the number of patterns.
///
/// A state is the end of the text that begins a pattern. Those of up to two bytes have a row with the next state for
/// each byte, because nearly all bytes of a text are read in them. The others take a few bytes each: they are the nodes
/// of a tree.
package struct BytePatterns: Sendable {
    package typealias State = Int32

    /// A state that was reached at an offset in a text.
    package struct Reading: Equatable {
        package var state: State
        package var offset: Int

        package init(state: State = 0, offset: Int = 0) {
            (self.state, self.offset) = (state, offset)
        }
    }

    private struct Node: Sendable {
        /// The last byte of the state.
        let byte: UInt8
        /// True inside a wrapped pattern.
        var isWrapped = false
        /// The first state that is longer by one byte, and the next one that is longer than the same state; 0 for none.
        var child: State = 0
        var sibling: State = 0
        /// The longest end of the state that begins a pattern too.
        var suffix: State = 0
    }

    private var nodes = [Node(byte: 0)]
    /// The patterns that end in each state.
    private var ends: [[Int]] = [[]]
    /// The next state for each byte, of the states with a row. The sign bit marks those at which `advance` stops.
    private var rows: [State] = []
    private var rowCount: State = 0
    private var isStop = [Bool](repeating: false, count: 256)

    private static let mark: State = .min
    /// The longest states with a row.
    private static let depth = 2

    /// - Parameters:
    ///   - patterns: the patterns, none of them empty.
    ///   - isWrapped: true for the index of a pattern that can be written in lines, such as base64.
    ///   - stops: the bytes at which `advance` stops.
    ///   - gaps: the bytes at which `advance` stops if the bytes before them begin a pattern.
    package init(
        _ patterns: [[UInt8]], isWrapped: (Int) -> Bool = { _ in false }, stops: [UInt8] = [], gaps: [UInt8] = []
    ) {
        // The states with a row have the lowest numbers.
        for pattern in patterns { _ = add(pattern.prefix(Self.depth), false) }
        rowCount = State(nodes.count)
        for (index, pattern) in patterns.enumerated() { ends[add(pattern[...], isWrapped(index))].append(index) }
        link()
        for byte in stops + gaps { isStop[Int(byte)] = true }
        for place in rows.indices {
            let isGap = place >= 256 && isStop[place & 0xFF]
            if isGap || stops.contains(UInt8(place & 0xFF)) || !ends[Int(rows[place])].isEmpty {
                rows[place] |= Self.mark
            }
        }
    }

    /// Adds the states of a pattern, and returns the last one.
    private mutating func add(_ pattern: ArraySlice<UInt8>, _ isWrapped: Bool) -> Int {
        var state: State = 0
        for byte in pattern {
            if isWrapped, state != 0 { nodes[Int(state)].isWrapped = true }
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
    package func step(_ state: State, _ byte: UInt8) -> State {
        var state = state
        while state >= rowCount {
            let next = child(of: state, byte)
            if next != 0 { return next }
            state = nodes[Int(state)].suffix
        }
        return rows[Int(state) << 8 | Int(byte)] & ~Self.mark
    }

    /// The patterns that end in a state.
    package func ends(in state: State) -> [Int] { ends[Int(state)] }

    /// The longest end of a state that is inside a wrapped pattern; nil if there is none.
    package func wrapped(_ state: State) -> State? {
        var state = state
        while state != 0, !nodes[Int(state)].isWrapped { state = nodes[Int(state)].suffix }
        return state == 0 ? nil : state
    }

    /// True if a state is an end of another one, in which every pattern that it begins has begun too.
    package func isEnd(_ state: State, of other: State) -> Bool {
        var end = other
        while end != 0, end != state { end = nodes[Int(end)].suffix }
        return end == state
    }

    /// Reads a text up to the byte with which a pattern ends, or at which to stop; up to the end if there is none.
    package func advance(_ reading: inout Reading, in text: UnsafeRawBufferPointer) {
        guard let bytes = text.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        var (state, offset) = (reading.state, reading.offset)
        rows.withUnsafeBufferPointer { buffer in
            guard let rows = buffer.baseAddress else { return }
            while offset < text.count {
                var next: State
                if state < rowCount {
                    next = rows[Int(truncatingIfNeeded: state) &<< 8 | Int(truncatingIfNeeded: bytes[offset])]
                } else {
                    next = step(state, bytes[offset])
                    if isStop[Int(bytes[offset])] || !ends[Int(next)].isEmpty { next |= Self.mark }
                }
                if next < 0 { break }
                state = next
                offset &+= 1
            }
        }
        reading = Reading(state: state, offset: offset)
    }

    /// Calls the body for each occurrence of a pattern, with the index of the pattern and the offset after it.
    func forEachMatch(in text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ end: Int) -> Void) {
        var reading = Reading()
        while true {
            advance(&reading, in: text)
            guard reading.offset < text.count else { return }
            reading = Reading(state: step(reading.state, text[reading.offset]), offset: reading.offset + 1)
            for pattern in ends(in: reading.state) { body(pattern, reading.offset) }
        }
    }
}
