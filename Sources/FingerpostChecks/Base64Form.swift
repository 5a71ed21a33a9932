import Foundation

/// The characters of base64 that depend on a value alone, and not on the bytes before and after it.
package struct Base64Form {
    package let characters: [UInt8]
    /// The number of characters directly before and after the form that can contain further bits of the value.
    package let margins: (before: Int, after: Int)

    /// The forms of a value, which is not empty: one for each of the three positions that its first byte can have in a
    /// group of base64, and for each of the two alphabets (RFC 4648 sections 4 and 5) if they differ there.
    package static func all(of value: [UInt8]) -> [Base64Form] {
        var forms: [Base64Form] = []
        for shift in 0..<3 {
            let encoded = Array(Data([UInt8](repeating: 0, count: shift) + value + [0, 0]).base64EncodedString().utf8)
            let start = (shift * 8 + 5) / 6
            let end = (shift + value.count) * 8 / 6
            let margins = (before: start, after: (shift + value.count) * 8 % 6 == 0 ? 0 : 1)
            let standard = Array(encoded[start..<end])
            var forURLs = standard
            for index in forURLs.indices {
                if forURLs[index] == UInt8(ascii: "+") { forURLs[index] = UInt8(ascii: "-") }
                if forURLs[index] == UInt8(ascii: "/") { forURLs[index] = UInt8(ascii: "_") }
            }
            forms.append(Base64Form(characters: standard, margins: margins))
            if forURLs != standard { forms.append(Base64Form(characters: forURLs, margins: margins)) }
        }
        return forms
    }
}
