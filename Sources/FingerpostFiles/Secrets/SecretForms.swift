/// The ways in which software writes a value into a text: as it is, with the escapes of JSON strings (RFC 8259
/// section 7), and percent-encoded (RFC 3986 section 2.1).
package struct SecretForms {
    /// The text that an encoder writes for a character.
    private typealias Encoder = @Sendable (Unicode.Scalar) -> String

    /// The characters that encoders of URLs and forms write as they are, beside letters and digits: none; those of
    /// RFC 3986; of forms; of JavaScript's `encodeURIComponent`; of path segments, queries and parts of them.
    private static let kept = [
        "", "-._~", "-._*", "-._~!*'()", "-._~/", "-._~/?", "-._~!$'()*,;:@/?", "-._~!$&'()*+,;=:@",
        "-._~!$&'()*+,;=:@/?",
    ]
    /// The characters that encoders of JSON write as `\u0000` although they need not, for JSON inside HTML.
    private static let marked = ["", "<>&", "<>&'\"", "<>&'+`\"", "<>&'+`\"/"]
    private static let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]

    /// The encoders that escape every character, with hexadecimal digits in lower and in upper case.
    private static let whole: [(percent: Encoder, json: Encoder)] = [false, true].map { isUpper in
        @Sendable func digits(_ number: Int, _ count: Int) -> String {
            let digits = String(number, radix: 16, uppercase: isUpper)
            return String(repeating: "0", count: count - digits.utf8.count) + digits
        }
        return (
            { "\($0)".utf8.map { "%" + digits(Int($0), 2) }.joined() },
            { $0.utf16.map { "\\u" + digits(Int($0), 4) }.joined() }
        )
    }

    private static let encoders: [Encoder] = {
        var encoders: [Encoder] = [{ "\($0)" }, { $0 == " " ? "+" : "\($0)" }, { $0 == "+" ? " " : "\($0)" }]
        for (percent, json) in whole {
            for isASCII in [false, true] {
                encoders += kept.flatMap { kept -> [Encoder] in
                    let encode: Encoder = { scalar in
                        let isKept = scalar.isASCII ? kept.unicodeScalars.contains(scalar) : !isASCII
                        return isKept ? "\(scalar)" : percent(scalar)
                    }
                    return [encode, { $0 == " " ? "+" : encode($0) }]
                }
                for (marked, slash) in marked.flatMap({ [($0, "/"), ($0, "\\/")] }) {
                    encoders.append { scalar in
                        let isMarked = marked.unicodeScalars.contains(scalar) || isASCII && !scalar.isASCII
                        if isMarked { return json(scalar) }
                        return scalar == "/" ? slash : short[scalar] ?? (scalar < " " ? json(scalar) : "\(scalar)")
                    }
                }
            }
        }
        return encoders
    }()

    /// Up to this length in bytes, a value is also found with every character escaped.
    private static let longestWhole = 256

    /// What encoders write for the characters that they escape. Many secrets have the same ones.
    private var styles: [[Unicode.Scalar]: Set<[String]>] = [[]: [[]]]

    package init() {}

    /// The forms of a value, each once.
    package mutating func all(of value: String) -> Set<[UInt8]> {
        let scalars = value.unicodeScalars
        let special = Set(
            scalars.filter { UInt8(exactly: $0.value).map { $0.isASCIILetter || $0.isASCIIDigit } != true })
        // The escapes of others contain these, so they are replaced first.
        let first: [Unicode.Scalar] = ["%", "\\", "+"].filter(special.contains)
        let order = first + special.subtracting(first).sorted()
        let styles = styles[order] ?? Set(Self.encoders.map { order.map($0) })
        self.styles[order] = styles
        var forms = Set(
            styles.map { style in
                zip(order, style).reduce(value) { $0.replacing(bytesOf: "\($1.0)", with: $1.1) }
            }.map { Array($0.utf8) })
        if value.utf8.count > Self.longestWhole { return forms }
        for (percent, json) in Self.whole {
            for encode in [percent, json] { forms.insert(Array(scalars.map(encode).joined().utf8)) }
        }
        return forms
    }
}
