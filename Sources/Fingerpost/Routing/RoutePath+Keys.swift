import Foundation

/// Keys of the environment, as a path contains them until a request is built.
extension RoutePath {
    /// The text before the name of a key, and after it.
    static let (key, revealedKey, end) = ("{env.", "{secret env.", "}")

    /// The bytes before each key, and the key; the last bytes have none.
    var pieces: [(literal: ArraySlice<UInt8>, key: (name: String, place: KeyLookup.Place)?)] {
        var pieces: [(ArraySlice<UInt8>, (String, KeyLookup.Place)?)] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            let isRevealed = rest[start...].starts(with: Self.revealedKey.utf8)
            let prefix = isRevealed ? Self.revealedKey : Self.key
            let isInQuery = bytes[..<start].contains(UInt8(ascii: "?"))
            let name = String(decoding: rest[(start + prefix.utf8.count)..<end], as: UTF8.self)
            let place: KeyLookup.Place = isRevealed ? .revealed : isInQuery ? .query : .path
            pieces.append((rest[..<start], (name.removingPercentEncoding ?? name, place)))
            rest = rest[(end + 1)...]
        }
        return pieces + [(rest, nil)]
    }
}
