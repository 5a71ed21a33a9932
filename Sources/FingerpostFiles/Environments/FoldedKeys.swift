/// Tells quickly that the keys of a dictionary are all different, whatever their letter case.
struct FoldedKeys {
    private var hashes: Set<UInt64> = []

    init(minimumCapacity: Int) {
        hashes.reserveCapacity(minimumCapacity)
    }

    /// - Returns: false when the key may be one that was inserted before, in this or another letter case.
    mutating func insert(_ key: String) -> Bool {
        hashes.insert(Self.hash(key)).inserted
    }

    /// FNV-1a over the key in lower case.
    private static func hash(_ key: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 {
            if byte >= 0x80 { return UInt64(truncatingIfNeeded: key.lowercased().hashValue) }
            let folded = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            hash = (hash ^ UInt64(folded)) &* 0x100_0000_01B3
        }
        return hash
    }
}
