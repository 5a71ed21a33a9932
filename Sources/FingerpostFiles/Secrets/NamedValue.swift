// Finds the value after a name in a text, and the end of the value.
extension NamedValues {
    /// Returns the range of the value after a colon, an equals sign or a quote, if the text after that sign can be the
    /// value of the name.
    func place(after sign: Int, _ name: NameBefore, _ rule: Rule) -> Range<Int>? {
        if text[sign].isOne(of: "\"'") { return quoted(at: sign, name.text.lowercased()) }
        var rest = text[(sign + 1)...].drop { $0 == 0x20 || $0 == 0x09 || name.isQuoted && ($0 == 0x0A || $0 == 0x0D) }
        // Ruby writes `"password"=>"…"`.
        if text[sign] == UInt8(ascii: "="), rest.begins(with: ">\"") { rest = rest.dropFirst() }
        if rest.begins(with: "Optional(") { rest = rest.dropFirst("Optional(".utf8.count) }
        let isEscaped = rest.first == UInt8(ascii: "\\")
        rest = rest.drop { $0 == UInt8(ascii: "\\") }
        let quote = rest.first.flatMap { $0.isOne(of: "\"'") ? $0 : nil }
        if quote != nil { rest = rest.dropFirst() }
        // A placeholder stands for a value that is already hidden, or is the start of a longer value. The search for
        // the end of a placeholder has a limit, because a text of unfinished placeholders would otherwise take
        // quadratic time.
        if rest.begins(with: "<redacted>") || rest.begins(with: "<secret "),
            let end = rest.prefix(256).firstIndex(of: UInt8(ascii: ">"))
        {
            let tail = rest[(end + 1)...].word
            return tail.hasLetterOrDigit ? rest.startIndex..<tail.endIndex : nil
        }
        var value = rest.word
        if let quote {
            value = rest.quoted(by: quote, isEscaped: isEscaped)
        } else if rest.first?.isOne(of: "[{") == true {
            value = rest.bracketed
            // `password: ["This password is too short."]` is a message about the field.
            if value.isOfSentences { return nil }
        } else if name.isItem {
            value = rest.item
            if SensitiveName.isAmbiguous(name.text), value.isCondition { return nil }
        } else if name.text.lowercased().ends(with: "authorization") {
            return rest.authorization
        } else if name.text.lowercased().ends(with: "cookie") {
            return rest.parameters?.indices
        } else if text[sign] == UInt8(ascii: ":") || rule == .count, !isLikely(value, in: rest, of: name) {
            return nil
        }
        if rule == .count, value.allSatisfy({ $0.isASCIIDigit || $0.isOne(of: ".,") }) { return nil }
        return value.isEmpty ? nil : value.indices
    }

    /// Returns the word in quotes after a name without a sign, as in `invalid password "…"`. A quoted word that may be
    /// a name is left out: `secrets "db-prod" not found`, `unexpected token "null"`.
    private func quoted(at quote: Int, _ name: String) -> Range<Int>? {
        let value = text[(quote + 1)...].prefix(256).prefix { $0 > 0x20 && !$0.isOne(of: "\"'") }
        guard text[value.endIndex...].first == text[quote], value.count >= 4, !name.ends(with: "s") else { return nil }
        let isName = SensitiveName.isPassword(value.text)
        let isPassword = name.begins(with: "pass") || name.begins(with: "pwd")
        return !isName && (isPassword || value.count >= 8 && value.hasDigit && !value.isIdentifier)
            ? value.indices : nil
    }

    /// True if a word after a colon is a credential. An ordinary word can follow the colon too:
    /// `invalid token: expired`.
    private func isLikely(_ value: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, of name: NameBefore) -> Bool {
        if ["null", "true", "false"].contains(value.text) { return false }
        if value.allSatisfy(\.isASCIIDigit) {
            return value.count < 3 ? name.isQuoted : !text[value.endIndex...].beginsWithUnit
        }
        return value.looksRandom && !(name.text.lowercased().contains(bytesOf: "token") && value.isIdentifier)
    }
}

/// The name before a colon, an equals sign or a quote.
package struct NameBefore {
    /// The name in the spelling of the text.
    let word: String
    /// True for the name of a query item or a form field.
    let isItem: Bool
    /// True for a name in quotes, as in JSON.
    let isQuoted: Bool

    /// The name without escapes. Some software appends a query to a URL that already has a query: `?page=2%3Ftoken=…`.
    package var text: String {
        word.hasAny(of: "%\\") ? String((word.unescaped ?? word).parts(between: "?").last ?? "") : word
    }

    package init(_ sign: Int, in bytes: [UInt8]) {
        var (place, isQuoted) = Self.place(before: sign, in: bytes)
        // In `Authorization header: …`, the name is the word before `header`.
        if place.count == 6, place.lowerBound > 0, bytes[place.lowerBound - 1] == 0x20,
            String(decoding: bytes[place], as: UTF8.self).lowercased() == "header"
        {
            (place, isQuoted) = Self.place(before: place.lowerBound, in: bytes)
        }
        word = String(decoding: bytes[place], as: UTF8.self)
        self.isQuoted = isQuoted
        if place.lowerBound > 0 {
            isItem = bytes[place.lowerBound - 1].isOne(of: "?&;#")
        } else {
            // No character precedes the first field of a form.
            isItem =
                bytes[sign] == UInt8(ascii: "=")
                && bytes[sign...].first { $0 <= 0x20 || $0 == UInt8(ascii: "&") } == UInt8(ascii: "&")
        }
    }

    private static func place(before sign: Int, in bytes: [UInt8]) -> (place: Range<Int>, isQuoted: Bool) {
        var (end, isQuoted) = (sign, false)
        while end > 0, sign - end < 64, bytes[end - 1].isOne(of: between) {
            isQuoted = isQuoted || bytes[end - 1] == UInt8(ascii: "\"")
            end -= 1
        }
        // A name with JSON escapes is longer.
        var (start, longest) = (end, isQuoted ? 200 : 72)
        while start > 0, end - start < longest, isPart(bytes[start - 1], isQuoted) { start -= 1 }
        return (start..<end, isQuoted)
    }

    /// Returns true if a name of three characters or more can precede a sign, or if the sign ends the scheme of a URL.
    /// This check must be fast, because a server's text can contain many signs without names.
    static func isPossible(_ sign: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if sign + 2 < bytes.count, bytes[sign + 1] == 0x2F, bytes[sign + 2] == 0x2F { return true }
        var (index, length) = (sign, 0)
        if bytes[sign].isOne(of: "\"'") {
            guard sign > 0, bytes[sign - 1] == 0x20 else { return false }
            index -= 1
        } else {
            while index > 0, sign - index < 64, bytes[index - 1].isOne(of: between) { index -= 1 }
        }
        while index > 0, length < 3, isPart(bytes[index - 1], true) {
            index -= 1
            // An escape counts as one character.
            length += bytes[index] == UInt8(ascii: "%") ? -1 : 1
        }
        return length == 3
    }

    /// The characters that can be between a name and its sign.
    private static let between: StaticString = " \t\r\n\"'\\]"

    private static func isPart(_ byte: UInt8, _ isQuoted: Bool) -> Bool {
        byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-._%")
            || isQuoted && byte == UInt8(ascii: "\\")
    }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }

    /// The word at the start of the text.
    fileprivate var word: Self { prefix { $0 > 0x20 && !$0.isOne(of: "\"'<>,;&(){}[]\\`#\u{7F}") } }

    /// The value of an item at the start of the text, without punctuation at its end, which belongs to the sentence
    /// around it.
    fileprivate var item: Self {
        var item = prefix { $0 > 0x20 && !$0.isOne(of: "\"'<>;&\\`#\u{7F}") }
        if self[item.endIndex...].first == UInt8(ascii: "&") { return item }
        while let last = item.last, last.isOne(of: ",.)]}") { item.removeLast() }
        return item
    }

    /// The text up to the quote that ends it, or to the end of the line.
    fileprivate func quoted(by quote: UInt8, isEscaped: Bool) -> Self {
        var end = startIndex
        while end < endIndex, self[end] != 0x0A, self[end] != quote {
            let isEscape = self[end] == UInt8(ascii: "\\")
            if isEscape, isEscaped, self[(end + 1)...].first == quote { break }
            end += isEscape ? 2 : 1
        }
        return self[..<Swift.min(end, endIndex)]
    }

    /// The list or the object at the start of the text, up to its closing bracket. If there is no closing bracket, the
    /// result ends with the line.
    fileprivate var bracketed: Self {
        var (index, depth) = (startIndex, 0)
        while index < endIndex, index - startIndex < 4096 {
            let byte = self[index]
            if byte.isOne(of: "[{") { depth += 1 }
            if byte.isOne(of: "]}") {
                depth -= 1
                if depth == 0 { return self[...index] }
            }
            if byte == UInt8(ascii: "\"") {
                let isEscaped = self[..<index].last == UInt8(ascii: "\\")
                index = self[(index + 1)...].quoted(by: byte, isEscaped: isEscaped).endIndex + (isEscaped ? 1 : 0)
            }
            index += 1
        }
        return prefix { $0 != 0x0A }
    }

    // MARK: Ordinary words

    fileprivate var hasLetterOrDigit: Bool { contains { $0.isASCIILetter || $0.isASCIIDigit } }
    fileprivate var hasDigit: Bool { contains(where: \.isASCIIDigit) }
    private var isLong: Bool { count >= 16 }
    private var isOfLetters: Bool { allSatisfy(\.isASCIILetter) }

    /// True for a word that is longer than an ordinary word or contains a digit.
    fileprivate var looksRandom: Bool { isLong || hasDigit }

    private func words(between separators: StaticString) -> [Self] { split { $0.isOne(of: separators) } }

    /// True for words that underscores or dots join, as in `signature_mismatch_for_key_3`.
    fileprivate var isIdentifier: Bool {
        let parts = words(between: "_.")
        return parts.count > 2 && parts.allSatisfy { $0.isOfLetters && !$0.isMixed || $0.count < 3 && $0.hasDigit }
    }

    /// True for a text that describes a failure, as in `code=404` and `key=quota_exceeded`. Such a text is neither a
    /// code nor a key.
    fileprivate var isCondition: Bool {
        let parts = words(between: "_")
        return count == 3 && allSatisfy(\.isASCIIDigit)
            || parts.count > 1 && parts.allSatisfy { $0.isOfLetters && !$0.isMixed && !$0.isLong }
    }

    /// True for a list of sentences.
    fileprivate var isOfSentences: Bool {
        let texts = words(between: "[]\"'\\,").filter { $0.contains { $0 > 0x20 } }
        return first == UInt8(ascii: "[") && !texts.isEmpty
            && texts.allSatisfy { text in
                let words = text.words(between: " .:;!?()")
                return words.count > 2
                    && words.allSatisfy { !$0.isLong && (!$0.hasDigit || $0.allSatisfy(\.isASCIIDigit)) }
            }
    }

    /// True if the text begins with a space and a unit, as after the number in `256 bits`.
    fileprivate var beginsWithUnit: Bool {
        let word = dropFirst().prefix(while: \.isASCIILetter).text
        let units = ["attempt", "bit", "byte", "char", "day", "digit", "hour", "letter", "minute", "second", "time"]
        return first == 0x20 && units.contains(where: word.begins)
    }

    // MARK: Authorization

    /// The credential after `Authorization:`: the credential after the scheme, or a single word that looks like a
    /// credential.
    fileprivate var authorization: Range<Int>? {
        let (scheme, rest) = (word, self[word.endIndex...].drop { $0 == 0x20 })
        let credential = rest.word
        let isLast = rest[credential.endIndex...].first.map { $0 < 0x20 } ?? true
        guard SensitiveName.schemes.contains(scheme.text.lowercased()), !credential.isEmpty else {
            return scheme.looksRandom ? scheme.indices : isLast && credential.hasDigit ? credential.indices : nil
        }
        if let parameters = rest.parameters { return parameters.indices }
        // Ordinary words can follow the scheme, as in `Authorization: Bearer token is required`.
        let isWord = credential.allSatisfy { $0.isASCIILetter || $0.isOne(of: ".:") } && !credential.isLong
        let isOrdinary =
            isWord && !credential.isMixed && (!isLast || Self.ordinary.contains(credential.text.lowercased()))
        return isOrdinary ? nil : credential.indices
    }

    /// True if an uppercase letter follows a lowercase letter.
    private var isMixed: Bool { zip(self, dropFirst()).contains { 0x61...0x7A ~= $0 && 0x41...0x5A ~= $1 } }

    /// The `name=value` parameters or cookies at the start of the text. Commas separate the parameters (RFC 9110
    /// section 11.2).
    fileprivate var parameters: Self? {
        let pairs = /(?:[\w*-]+=(?:"[^"\n]*"?|[^\s"'<>,&(){}\[\]\\`#=][^\s"'<>,&(){}\[\]\\`#]*)[ ,]*)+/
        let text = prefix(4096).text
        guard let match = text.prefixMatch(of: pairs.matchingSemantics(.unicodeScalar)) else { return nil }
        var parameters = prefix(match.output.utf8.count)
        while let last = parameters.last, last.isOne(of: " ,;") { parameters.removeLast() }
        return parameters
    }

    /// The words that can follow a scheme at the end of a sentence.
    private static let ordinary: Set = [
        "access", "authentication", "authorization", "credential", "credentials", "denied", "empty", "expected",
        "expired", "failed", "format", "header", "invalid", "malformed", "missing", "prefix", "rejected", "required",
        "revoked", "scheme", "token", "tokens", "unsupported", "value",
    ]
}
