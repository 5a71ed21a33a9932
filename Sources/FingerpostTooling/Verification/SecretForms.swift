import FingerpostFiles

/// Encodes a value in each way in which software may write it into a text. The variants are the unchanged value, the
/// value with the escapes of JSON strings (RFC 8259 section 7), and the percent-encoded value (RFC 3986 section 2.1).
struct SecretForms {
    /// The text that an encoder writes for a character.
    private typealias Encoder = @Sendable (Unicode.Scalar) -> String

    /// Each text belongs to one kind of encoder for URLs or HTML forms. The text contains the characters, other than
    /// letters and digits, that the encoder does not escape. The first encoder escapes all such characters. The next
    /// three follow RFC 3986, encode HTML forms, and work like JavaScript's `encodeURIComponent`. The others encode
    /// path segments, queries and parts of queries.
    private static let kept = [
        "", "-._~", "-._*", "-._~!*'()", "-._~/", "-._~/?", "-._~!$'()*,;:@/?", "-._~!$&'()*+,;=:@",
        "-._~!$&'()*+,;=:@/?",
    ]
    /// For each JSON encoder, the characters that the encoder writes in the form `\u0000` although JSON does not
    /// require this form. Some encoders use this form for JSON inside HTML.
    private static let marked = ["", "<>&", "<>&'\"", "<>&'+`\"", "<>&'+`\"/"]
    private static let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b",
        "\u{C}": "\\f",
    ]

    /// The encoders that escape every character. The hexadecimal digits are in lower or in upper case.
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

    /// If a value has at most this many bytes, the variants that escape every character are included.
    private static let longestWhole = 256

    /// The encoders whose results differ, for each set of special characters in a value. They are cached, because many
    /// secrets have the same special characters.
    private var differing: [String: [Int]] = ["": [0]]

    /// Returns the different encoded variants of a value.
    mutating func all(of value: String) -> Set<String> {
        let escaped = Self.escapedCharacters(of: value)
        let encoders = differing[escaped] ?? Self.differing(for: escaped)
        differing[escaped] = encoders
        var forms: Set = [value]
        for index in encoders {
            let texts = Dictionary(uniqueKeysWithValues: escaped.unicodeScalars.map { ($0, Self.encoders[index]($0)) })
            let form = value.unicodeScalars.map { texts[$0] ?? "\($0)" }.joined()
            forms.insert(form)
        }
        for (percent, json) in Self.whole where value.utf8.count <= Self.longestWhole {
            for encode in [percent, json] {
                let form = value.unicodeScalars.map(encode).joined()
                forms.insert(form)
            }
        }
        return forms
    }

    /// Returns the characters of a value that encoders escape. Each character is returned once.
    private static func escapedCharacters(of value: String) -> String {
        let special = value.unicodeScalars.filter {
            $0.value > 0x7F || !$0.properties.isAlphabetic && !("0"..."9" ~= $0)
        }
        return special.ordered(by: <).reduce(into: "") {
            if $0.unicodeScalars.last != $1 { $0.unicodeScalars.append($1) }
        }
    }

    private static func differing(for escaped: String) -> [Int] {
        var known: Set<String> = []
        return encoders.indices.filter { index in
            known.insert(escaped.unicodeScalars.map { encoders[index]($0) + "\0" }.joined()).inserted
        }
    }
}
