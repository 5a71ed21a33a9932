/// A random number generator that returns the same numbers for the same seed (SplitMix64). Do not use this generator
/// for cryptography.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter seed: any number. Use ``seed(of:)`` to derive a seed from a text.
    package init(seed: UInt64) {
        state = seed
    }

    /// Returns a seed for a text. Unlike a hash value from `Hasher`, the seed is the same in every process.
    package static func seed(of text: String) -> UInt64 {
        // The seed is the FNV-1a hash of the text's UTF-8 bytes.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
