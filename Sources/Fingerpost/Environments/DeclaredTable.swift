import FingerpostFiles

/// Finds the values of an environment by path, in the time that a dictionary needs for its hash alone.
///
/// Generated code asks with literals, whose bytes are hashed and compared as they lie in the program. The table is open addressing
/// with linear probing, at most half full.
final class DeclaredTable: Sendable {
    private struct Slot {
        let hash: UInt64
        let path: [UInt8]
        let entry: DeclaredEntry
    }

    private let slots: [Slot?]
    private let mask: UInt64
    private let environment: String
    private let paths: [String]

    init(_ layers: LayeredEnvironment, settings: [String: Setting], isSealed: Bool, environment: String) {
        self.environment = environment
        paths = settings.keys.sorted()
        var capacity = 8
        while capacity < settings.count * 2 { capacity *= 2 }
        mask = UInt64(capacity - 1)
        var slots = [Slot?](repeating: nil, count: capacity)
        for (path, setting) in settings {
            let isSecret = layers.rules.secrets.contains(path)
            var value = setting.value
            // Mocks need no credentials, so a sealed environment may come without them.
            if isSecret, isSealed, case .null = value, !layers.rules.optional.contains(path) {
                value = .string("<secret \(path)>")
            }
            let bytes = Array(path.utf8)
            let hash = bytes.withUnsafeBufferPointer(Self.hash)
            var index = Int(hash & mask)
            while slots[index] != nil { index = (index + 1) & (capacity - 1) }
            slots[index] = Slot(
                hash: hash, path: bytes, entry: DeclaredEntry(path: path, value: value, isSecret: isSecret))
        }
        self.slots = slots
    }

    func entry(_ key: StaticString) -> DeclaredEntry? {
        key.withUTF8Buffer { bytes in
            let hash = Self.hash(bytes)
            var index = hash & mask
            while let slot = slots[Int(index)] {
                if slot.hash == hash, slot.path.elementsEqual(bytes) { return slot.entry }
                index = (index + 1) & mask
            }
            return nil
        }
    }

    /// Eight bytes at a time; the paths come from files of the app's own, so nobody makes them collide on purpose.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = UInt64(raw.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= raw.count {
            hash = mix(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        return mix(hash, rest)
    }

    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }

    func fail(_ key: StaticString, _ entry: DeclaredEntry?, _ type: Any.Type) -> Never {
        let name = "\(key)"
        guard let entry else {
            fatalError(
                "the environment \(environment) has no key \"\(name)\"\(NearestName.hint(name, in: paths)), which generated "
                    + "code reads. Fix: add it, or load the environment from the files that the code was generated from"
            )
        }
        fatalError(
            "the key \"\(name)\" of the environment \(environment) is \(entry.value.kind), which generated code reads as "
                + "\(type). Fix: correct the value, or generate the code anew")
    }
}
