import Foundation

/// The characters of base64 that depend on a value alone, and not on the bytes before and after it.
package enum Base64Form {
    /// The forms of a value, which is not empty: one for each of the three positions that its first byte can have in a
    /// group of base64, and for each of the two alphabets (RFC 4648 sections 4 and 5) if they differ there. Up to two
    /// characters beside a form have further bits of the value.
    package static func all(of value: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { shift -> Set<[UInt8]> in
            let encoded = Array(Data([UInt8](repeating: 0, count: shift) + value + [0, 0]).base64EncodedString().utf8)
            let form = Array(encoded[(shift * 8 + 5) / 6..<(shift + value.count) * 8 / 6])
            let others: [UInt8: UInt8] = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
            return [form, form.map { others[$0] ?? $0 }]
        }
    }
}
