import FingerpostChecks
import FingerpostFiles

extension BytePatterns {
    /// The patterns for ``forEachMatch(unescaping:_:)``, none of which contains a zero.
    init(unescaping patterns: [[UInt8]], isWrapped: (Int) -> Bool) {
        self.init(patterns, isWrapped: isWrapped, stops: Escape.starts, gaps: [Escape.space, 0] + Self.whiteSpace)
    }

    private static let whiteSpace = Array(" \t\r\n".utf8)
    /// The most ways in which a text is read at once. Texts that are no attack need a few.
    private static let maximum = 32

    /// Calls the body for each occurrence of a pattern in a text, in UTF-8 and in UTF-16, with the index of the pattern
    /// and the offset after it.
    ///
    /// The text is read as it is, and in other ways beside: with what an escape stands for, and with nothing where
    /// UTF-16 has zeros between characters and where a wrapped pattern has white space. A way ends where all patterns
    /// that have begun in it have begun in another, which is mostly at the next byte.
    func forEachMatch(unescaping text: UnsafeRawBufferPointer, _ body: (_ pattern: Int, _ end: Int) -> Void) {
        var plain = Reading()
        // Each has read as far as the plain text, or further.
        var others: [Reading] = []
        while true {
            if others.isEmpty { advance(&plain, in: text) }
            let offset = plain.offset
            guard offset < text.count else { return }
            let escape = Escape(at: offset, in: text)
            let (value, end) = (escape?.bytes ?? UInt32(text[offset]), escape?.end ?? offset + 1)
            func goOn(after state: State) -> Reading {
                func add(_ reading: Reading) {
                    if reading.state != 0, others.count < Self.maximum { others.append(reading) }
                }
                if escape != nil { add(read(value, after: state, to: end, body)) }
                if value == 0 {
                    let end = escape == nil ? Self.end(ofZerosAt: offset, in: text) : end
                    if let end { add(Reading(state: state, offset: end)) }
                } else if Self.whiteSpace.contains(where: { $0 == value }), let state = wrapped(state) {
                    add(Reading(state: state, offset: end))
                }
                return read(UInt32(text[offset]), after: state, to: offset + 1, body)
            }
            for index in others.indices where others[index].offset == offset {
                others[index] = goOn(after: others[index].state)
            }
            plain = goOn(after: plain.state)
            for index in others.indices.reversed() {
                let other = others[index]
                func covers(_ reading: Reading) -> Bool {
                    reading.offset == other.offset && isEnd(other.state, of: reading.state)
                }
                if covers(plain) || others[..<index].contains(where: covers) { others.remove(at: index) }
            }
        }
    }

    /// - Parameter bytes: bytes of the text, the first of them in the lowest bits.
    private func read(
        _ bytes: UInt32, after state: State, to end: Int, _ body: (_ pattern: Int, _ end: Int) -> Void
    ) -> Reading {
        var (state, rest) = (state, bytes)
        repeat {
            state = step(state, UInt8(truncatingIfNeeded: rest))
            for pattern in ends(in: state) { body(pattern, end) }
            rest >>= 8
        } while rest > 0
        return Reading(state: state, offset: end)
    }

    /// The end of the zeros between two characters of UTF-16 or UTF-32; nil for more zeros, of which programs are full.
    private static func end(ofZerosAt offset: Int, in text: UnsafeRawBufferPointer) -> Int? {
        let end = text[offset...].prefix(4).firstIndex { $0 != 0 } ?? text.count
        return end <= offset + 3 ? end : nil
    }
}
