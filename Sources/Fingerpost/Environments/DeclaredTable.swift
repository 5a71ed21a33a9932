import FingerpostFiles
import Foundation

/// Finds the values of an environment by path, in the time that a dictionary needs for its hash alone.
///
/// Generated code asks with literals, whose bytes are hashed and compared as they lie in the program. The table is open addressing
/// with linear probing, at most half full.
final class DeclaredTable: Sendable {
    /// Where an entry is; the hash is zero where there is none.
    private struct Slot {
        var hash: UInt64 = 0
        var place = 0
    }

    private let slots: [Slot]
    /// Every value, those of dictionaries and the dictionaries themselves.
    let entries: [DeclaredEntry]
    /// The values that can be base URLs, by path: taken apart once.
    let baseURLs: [String: BaseURL]
    /// What the values were read from.
    let layers: LayeredEnvironment
    /// The target's own file; nil for values that were made in code.
    let file: URL?
    /// What the file says of calls: asked for with every one.
    let calls: CallSettings

    init(_ layers: LayeredEnvironment, file: URL?) {
        self.layers = layers
        self.file = file
        calls = CallSettings(layers)
        let isSealed = layers.isSealed
        var entries: [DeclaredEntry] = []
        func add(_ setting: Setting, below path: String) {
            for member in setting.members {
                let path = Setting.path(of: member.key, in: path)
                let isSecret = layers.rules.secrets.contains(path)
                var value = member.setting.value
                // Mocks need no credentials, so a sealed environment may come without them.
                if isSecret, isSealed, value.isNull, !layers.rules.optional.contains(path) {
                    value = .string("<secret \(path)>")
                }
                entries.append(DeclaredEntry(path: path, value: value, isSecret: isSecret))
                if member.setting.isDictionary { add(member.setting, below: path) }
            }
        }
        add(layers.root, below: "")
        var capacity = 8
        while capacity < entries.count * 2 { capacity *= 2 }
        var slots = [Slot](repeating: Slot(), count: capacity)
        for (place, entry) in entries.enumerated() {
            let hash = entry.bytes.withUnsafeBytes(Self.hash)
            var index = Int(truncatingIfNeeded: hash >> 1) & (capacity - 1)
            while slots[index].hash != 0 { index = (index + 1) & (capacity - 1) }
            slots[index] = Slot(hash: hash, place: place)
        }
        self.slots = slots
        self.entries = entries
        baseURLs = entries.reduce(into: [:]) { baseURLs, entry in
            // What is a URL and no base URL is an error only for who asks for it as one.
            if let url = entry.url { baseURLs[entry.path] = try? BaseURL(url) }
        }
    }

    /// Where a value is among the entries; nil when there is no such key.
    func place(of key: StaticString) -> Int? {
        key.withUTF8Buffer { buffer in
            let bytes = UnsafeRawBufferPointer(buffer)
            let hash = Self.hash(bytes)
            let mask = slots.count - 1
            var index = Int(truncatingIfNeeded: hash >> 1) & mask
            while slots[index].hash != 0 {
                let place = slots[index].place
                if slots[index].hash == hash, entries[place].has(bytes) { return place }
                index = (index + 1) & mask
            }
            return nil
        }
    }

    /// Eight bytes at a time; the paths come from files of the app's own, so nobody makes them collide on purpose.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(hash, rest) | 1
    }

    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }

    func fail(_ key: StaticString, _ type: Any.Type) -> Never {
        let name = "\(key)"
        guard let place = place(of: key) else {
            let hint = NearestName.hint(name, in: entries.map(\.path).sorted())
            fatalError(
                "the environment \(layers.name) has no key \"\(name)\"\(hint), which generated code reads. Fix: add it, or load the "
                    + "environment from the files that the code was generated from")
        }
        fatalError(
            "the key \"\(name)\" of the environment \(layers.name) is \(entries[place].value.kind), which generated code reads as "
                + "\(type). Fix: correct the value, or generate the code anew")
    }
}
