import FingerpostFiles

/// Finds the value after a name in a text of others, and where it ends. What a name is counts once for each text,
/// because a text can repeat it.
struct NamedValue {
    enum Rule { case none, credential, count }

    private var known: [String: Rule] = [:]

    /// What the value of a name is.
    ///
    /// - Parameter isItem: true for an item of a URL or a field of a form.
    mutating func rule(of name: String, isItem: Bool) -> Rule {
        // No credential has a shorter name.
        if name.utf8.count < 3 { return .none }
        let key = isItem ? "&" + name : name
        if let rule = known[key] { return rule }
        let isCredential = isItem ? SensitiveName.isSensitive(name) : SensitiveName.isPassword(name)
        let rule: Rule = isCredential ? .credential : SensitiveName.countsTokens(name) ? .count : .none
        known[key] = rule
        return rule
    }

    /// The value after a colon or an equals sign; nil if the name before it is not that of a credential.
    mutating func place(in text: ArraySlice<UInt8>, after sign: Int) -> Range<Int>? {
        let name = NameBefore(sign, in: text)
        let rule = rule(of: name.text, isItem: name.isItem)
        if rule == .none { return nil }
        var rest = text[(sign + 1)...].drop { $0 == 0x20 || $0 == 0x09 || name.isQuoted && ($0 == 0x0A || $0 == 0x0D) }
        if rest.begins(with: "Optional(") { rest = rest.dropFirst("Optional(".utf8.count) }
        let escapes = rest.prefix { $0 == UInt8(ascii: "\\") }
        rest = rest[escapes.endIndex...]
        let quote = rest.first.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
        if quote != nil { rest = rest.dropFirst() }
        // A value that is hidden already, and what a known value is only the start of. Keys are short: in a text of
        // placeholders without an end, a search to its end would take quadratic time.
        let start = rest.prefix(256)
        if rest.begins(with: "<redacted>") || rest.begins(with: "<secret "), let end = start.firstIndex(of: 0x3E) {
            let tail = rest[(end + 1)...].prefix(while: Self.isOfWord)
            return tail.contains { $0.isASCIILetter || $0.isASCIIDigit } ? rest.startIndex..<tail.endIndex : nil
        }
        var value: ArraySlice<UInt8>
        if let quote {
            value = quoted(rest, by: quote, isEscaped: !escapes.isEmpty)
        } else if rest.first?.isOne(of: "[{") == true {
            value = bracketed(rest)
            // `password: ["This password is too short."]` is a message about the field.
            if value.isOfSentences { return nil }
        } else if !name.isItem, name.text.lowercased().ends(with: "authorization") {
            return rest.authorization
        } else {
            value = rest.prefix(while: Self.isOfWord)
            if text[sign] == UInt8(ascii: ":") || rule == .count, !isLikely(value, in: rest, of: name) { return nil }
        }
        if rule == .count, value.allSatisfy({ $0.isASCIIDigit || $0.isOne(of: ".,") }) { return nil }
        return value.isEmpty ? nil : value.indices
    }

    static func isOfWord(_ byte: UInt8) -> Bool { byte > 0x20 && !byte.isOne(of: "\"'<>,;&(){}[]\\`#") }

    /// True if a word after a colon is a credential. An ordinary word can follow too, as in `invalid token: expired`.
    private func isLikely(_ value: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, of name: NameBefore) -> Bool {
        if ["null", "true", "false"].contains(String(decoding: value.prefix(6), as: UTF8.self)) { return false }
        if value.allSatisfy(\.isASCIIDigit) {
            return value.count < 3 ? name.isQuoted : !text[value.endIndex...].isOfUnit
        }
        if name.text.lowercased().contains(bytesOf: "token"), value.isIdentifier { return false }
        return value.isLong || value.contains(where: \.isASCIIDigit)
    }

    /// The text up to the quote that ends it, or to the end of the line.
    private func quoted(_ text: ArraySlice<UInt8>, by quote: UInt8, isEscaped: Bool) -> ArraySlice<UInt8> {
        var end = text.startIndex
        while end < text.endIndex, text[end] != 0x0A, text[end] != quote {
            let isEscape = text[end] == UInt8(ascii: "\\")
            if isEscape, isEscaped, text[(end + 1)...].first == quote { break }
            end += isEscape ? 2 : 1
        }
        return text[..<min(end, text.endIndex)]
    }

    /// The list or the object at the start of a text, up to its bracket; to the end of the line if it has none.
    private func bracketed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (index, depth) = (text.startIndex, 0)
        while index < text.endIndex, index - text.startIndex < 4096 {
            switch text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return text[...index] }
            case UInt8(ascii: "\""):
                let isEscaped = text[text.startIndex..<index].last == UInt8(ascii: "\\")
                index = quoted(text[(index + 1)...], by: UInt8(ascii: "\""), isEscaped: isEscaped).endIndex
                if isEscaped { index += 1 }
            default: break
            }
            index += 1
        }
        return text.prefix { $0 != 0x0A }
    }
}

extension ArraySlice<UInt8> {
    /// True for a text that is too long for an ordinary word.
    fileprivate var isLong: Bool { count >= 16 }

    /// True for words that underscores join, as in `signature_mismatch_for_key_3`.
    fileprivate var isIdentifier: Bool {
        let parts = String(decoding: self, as: UTF8.self).words(between: "_.")
        return parts.count > 2
            && parts.allSatisfy {
                $0.utf8.allSatisfy { 0x61...0x7A ~= $0 } || $0.utf8.allSatisfy { 0x41...0x5A ~= $0 }
                    || $0.utf8.count < 3 && $0.utf8.allSatisfy(\.isASCIIDigit)
            }
    }

    /// True for a list of sentences.
    fileprivate var isOfSentences: Bool {
        guard first == UInt8(ascii: "["), last == UInt8(ascii: "]") else { return false }
        let texts = String(decoding: self, as: UTF8.self).words(between: "[]\"'\\,")
            .filter { $0.hasAny(of: " ") && !$0.utf8.allSatisfy { $0 == 0x20 } }
        return !texts.isEmpty
            && texts.allSatisfy { text in
                let words = text.words(between: " .,:;!?()")
                return words.filter { $0.utf8.allSatisfy(\.isASCIILetter) }.count > 2
                    && words.allSatisfy {
                        $0.utf8.count < 16
                            && ($0.utf8.allSatisfy(\.isASCIIDigit) || !$0.utf8.contains(where: \.isASCIIDigit))
                    }
            }
    }

    /// True if a unit follows a number, as in `40 characters`.
    fileprivate var isOfUnit: Bool {
        let word = drop { $0 == 0x20 }.prefix { $0.isASCIILetter }
        return startIndex < endIndex && self[startIndex] == 0x20
            && Self.units.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    private static let units: Set = [
        "attempt", "attempts", "bit", "bits", "byte", "bytes", "char", "chars", "character", "characters", "day",
        "days", "digit", "digits", "hours", "letters", "minutes", "more", "of", "or", "seconds", "symbols", "times",
        "to", "tries", "uses",
    ]

    // MARK: Authorization

    /// The credential after `Authorization:`: that of its scheme, or one word that looks like a credential.
    fileprivate var authorization: Range<Int>? {
        let scheme = prefix(while: NamedValue.isOfWord)
        let rest = self[scheme.endIndex...].drop { $0 == 0x20 }
        guard Self.schemes.contains(String(decoding: scheme, as: UTF8.self).lowercased()), !rest.isEmpty else {
            let isLikely = scheme.isLong || scheme.contains(where: \.isASCIIDigit)
            return isLikely ? scheme.indices : rest.isLastWord && !scheme.isEmpty ? rest.credential?.indices : nil
        }
        return (rest.parameters ?? rest.credential)?.indices
    }

    /// The word at the start of the text, if it can be a credential.
    private var credential: ArraySlice<UInt8>? {
        let word = prefix(while: NamedValue.isOfWord)
        let text = String(decoding: word, as: UTF8.self)
        let isOrdinary = text.hasOnly { $0.isASCIILetter || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        let isMixed = zip(word, word.dropFirst()).contains { 0x61...0x7A ~= $0 && 0x41...0x5A ~= $1 }
        if word.isEmpty || isOrdinary && !word.isLong && !isMixed && !word.isWholeLine(in: self) { return nil }
        return isOrdinary && Self.ordinary.contains(text.lowercased()) ? nil : word
    }

    private func isWholeLine(in text: ArraySlice<UInt8>) -> Bool { text[endIndex...].first.map { $0 < 0x20 } ?? true }

    private var isLastWord: Bool {
        let word = prefix(while: NamedValue.isOfWord)
        return word.isWholeLine(in: self) && word.contains(where: \.isASCIIDigit)
    }

    /// `name=value` parameters with commas between them (RFC 9110 section 11.2).
    private var parameters: ArraySlice<UInt8>? {
        var (rest, end) = (self, startIndex)
        while true {
            let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0.isOne(of: "-_*") }
            var value = rest[name.endIndex...]
            guard !name.isEmpty, value.first == UInt8(ascii: "="), value.dropFirst().first != UInt8(ascii: "=") else {
                break
            }
            value = value.dropFirst()
            if value.first == UInt8(ascii: "\"") {
                let text = value.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != 0x0A }
                end = Swift.min(text.endIndex + 1, endIndex)
            } else {
                let text = value.prefix { NamedValue.isOfWord($0) || $0 == UInt8(ascii: ";") }
                if text.isEmpty { break }
                end = text.endIndex
            }
            rest = self[end...].drop { $0 == 0x20 || $0 == UInt8(ascii: ",") }
        }
        return end == startIndex ? nil : self[..<end]
    }

    private static let schemes: Set = [
        "apikey", "aws4-hmac-sha256", "basic", "bearer", "bot", "digest", "dpop", "gnap", "hawk", "hmac", "key", "mac",
        "negotiate", "ntlm", "oauth", "sharedkey", "signature", "token", "vapid",
    ]

    /// What can follow a scheme in a sentence.
    private static let ordinary: Set = [
        "access", "auth", "authentication", "authorization", "credential", "credentials", "denied", "empty", "expected",
        "expired", "failed", "format", "header", "invalid", "is", "key", "malformed", "missing", "not", "prefix",
        "realm", "rejected", "required", "revoked", "scheme", "token", "tokens", "unsupported", "value",
    ]
}

/// The name before a colon or an equals sign.
struct NameBefore {
    let text: String
    /// True for the name of an item of a URL or of a form.
    var isItem = false
    /// True for a name in quotes, as in JSON.
    var isQuoted = false

    init(_ sign: Int, in bytes: ArraySlice<UInt8>) {
        var end = sign
        while end > bytes.startIndex, sign - end < 64, bytes[end - 1].isOne(of: " \t\r\n\"'\\]") {
            isQuoted = isQuoted || bytes[end - 1] == UInt8(ascii: "\"")
            end -= 1
        }
        var start = end
        // The escapes of JSON make a name longer.
        while start > bytes.startIndex, end - start < (isQuoted ? 200 : 72), Self.isPart(bytes[start - 1], isQuoted) {
            start -= 1
        }
        let word = String(decoding: bytes[start..<end], as: UTF8.self)
        text = isQuoted && word.hasAny(of: "\\") ? CallSecrets.unescaped(word) ?? word : word
        if start > bytes.startIndex {
            isItem = bytes[start - 1].isOne(of: "?&;#")
        } else if bytes[sign] == UInt8(ascii: "=") {
            // The first field of a form has nothing before it.
            isItem = bytes[sign...].first { $0 <= 0x20 || $0 == UInt8(ascii: "&") } == UInt8(ascii: "&")
        }
    }

    private static func isPart(_ byte: UInt8, _ isQuoted: Bool) -> Bool {
        byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-._%")
            || isQuoted && byte == UInt8(ascii: "\\")
    }
}
