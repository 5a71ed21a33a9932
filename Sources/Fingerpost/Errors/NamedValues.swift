import FingerpostFiles

/// Finds values that no call knows, in texts of any form, by the names before them: what follows `token=`, `password: `
/// or `"apiKey": `, the fields of a form, the user information of URLs, and JSON Web Tokens.
package enum NamedValues {
    /// The text with `<redacted>` in place of each value whose name is that of a credential.
    @inline(never)
    package static func hidden(in text: String) -> String {
        text.replacing(places(in: Array(text.utf8), upTo: .max).map { ($0, SensitiveName.placeholder) })
    }

    /// The values whose names are those of credentials, without the signs of numbers.
    ///
    /// - Parameters:
    ///   - isForm: true for a text that is known to be a form.
    ///   - limit: how many are looked for.
    static func found(in text: String, isForm: Bool = false, upTo limit: Int = .max) -> [String] {
        let bytes = Array(text.utf8)
        return places(in: bytes, isForm: isForm, upTo: limit).map {
            String(decoding: bytes[$0].drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
        }
    }

    private static func places(in text: [UInt8], isForm: Bool = false, upTo limit: Int) -> [Range<Int>] {
        var (names, found) = (NamedValue(), [Range<Int>]())
        guard let fields = FormFields(text, isDeclared: isForm) else {
            find(in: text, text.indices, &names, &found, upTo: limit)
            return found
        }
        for (name, value) in fields where found.count < limit {
            let text = text[value]
            let rule = names.rule(of: String(decoding: fields.text[name], as: UTF8.self), isItem: true)
            if rule == .credential || rule == .count && !text.allSatisfy(\.isASCIIDigit) {
                if !text.isEmpty, !text.elementsEqual(SensitiveName.placeholder.utf8) { found.append(value) }
            } else {
                find(in: fields.text, value, &names, &found, upTo: limit)
            }
        }
        return found
    }

    /// Appends the places of values in a part of a text.
    private static func find(
        in text: [UInt8], _ part: Range<Int>, _ names: inout NamedValue, _ found: inout [Range<Int>], upTo limit: Int
    ) {
        let text = text[..<part.upperBound]
        var index = part.lowerBound
        while found.count < limit, let mark = text.mark(from: index) {
            let value =
                text[mark] == UInt8(ascii: "e")
                ? webToken(in: text, at: mark) : userInfo(in: text, at: mark) ?? names.place(in: text, after: mark)
            if let value { found.append(value) }
            index = value?.upperBound ?? mark + 1
        }
    }

    /// The JSON Web Token that begins at an index; nil if there is none.
    private static func webToken(in text: ArraySlice<UInt8>, at start: Int) -> Range<Int>? {
        let isPart = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-_.=") }
        if start > text.startIndex, isPart(text[start - 1]), text[start - 1] != UInt8(ascii: "=") { return nil }
        var word = text[start...].prefix(while: isPart)
        // A sentence can end after it.
        while word.last == UInt8(ascii: ".") { word.removeLast() }
        return String(decoding: word, as: UTF8.self).isWebToken ? word.indices : nil
    }

    /// The user information of the URL whose scheme ends at an index; nil if there is none.
    private static func userInfo(in text: ArraySlice<UInt8>, at colon: Int) -> Range<Int>? {
        guard text[colon...].begins(with: "://") else { return nil }
        let start = colon + 3
        let authority = text[start...].prefix { $0 > 0x20 && !$0.isOne(of: "/?#\"'<>`") }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    /// The name before a colon or an equals sign, as ``CurlCommand`` shows it.
    static func name(before sign: Int, in text: [UInt8]) -> String { NameBefore(sign, in: text[...]).text }
}

extension String {
    /// True for a JSON Web Token: three parts, of which two are JSON objects, if it is signed, and five if it is
    /// encrypted (RFC 7519 section 3, RFC 7516 section 3.1).
    var isWebToken: Bool {
        let parts = parts(between: ".")
        guard parts[0].begins(with: "eyJ") else { return false }
        return parts.count == 5 || parts.count == 3 && parts[1].begins(with: "eyJ") && !parts[2].isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// The first place of a sign after a name, or of the start of a JSON Web Token.
    fileprivate func mark(from start: Int) -> Int? {
        // A loop over a buffer: in a debug build, a search with a closure takes several times as long.
        withUnsafeBufferPointer { bytes in
            var index = start - startIndex
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 0x3A || byte == 0x3D { return startIndex + index }
                if byte == 0x65, index + 2 < bytes.count, bytes[index + 1] == 0x79, bytes[index + 2] == 0x4A {
                    return startIndex + index
                }
                index += 1
            }
            return nil
        }
    }
}
