/// A random source that gives the same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Text of reserved characters, controls, and letters of several scripts.
    mutating func text(_ lengths: ClosedRange<Int>, avoiding unwanted: Set<String> = []) -> String {
        let alphabet: [Unicode.Scalar] =
            (1..<128).compactMap(Unicode.Scalar.init) + ["é", "ß", "日", "本", "🦉", "\u{301}", "\u{FFFD}", "\u{10FFFF}"]
        while true {
            let scalars = (0..<Int.random(in: lengths, using: &self)).map { _ in
                alphabet.randomElement(using: &self) ?? "x"
            }
            let text = String(String.UnicodeScalarView(scalars))
            if !unwanted.contains(text) { return text }
        }
    }
}
