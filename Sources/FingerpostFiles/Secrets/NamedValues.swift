/// Finds values that may be credentials in texts of any format. A value is found by the name beside it: after `token=`,
/// `password: ` or `"apiKey": `, in the parts of a form, and in elements and attributes. JSON Web Tokens and the user
/// information of URLs are found too. The time is proportional to the length of the text.
package struct NamedValues {
    package typealias Value = (name: String, place: Range<Int>)

    /// Returns the text with `<redacted>` in place of each value that has the name of a credential.
    ///
    /// - Parameter hasMarkup: true to search elements and attributes too.
    package static func hidden(in text: String, hasMarkup: Bool = false) -> String {
        let shown = text.replacing(values(in: text).map { ($0.place, SensitiveName.placeholder) })
        guard hasMarkup, shown.hasAny(of: "<") else { return shown }
        return shown.replacing(markup(in: shown).map { ($0.place, SensitiveName.placeholder) })
    }

    /// Returns the values that have the names of credentials. The sign of a number is left out.
    ///
    /// - Parameter limit: the maximum number of values, and of different names, that are searched for.
    package static func found(in text: String, upTo limit: Int = 2048) -> [String] {
        let values = values(in: text, upTo: limit) + markup(in: text, upTo: limit)
        return text.withBytes { bytes in
            values.map { String(decoding: bytes[$0.place].drop { $0 == UInt8(ascii: "-") }, as: UTF8.self) }
        }
    }

    /// Returns the values after signs, in order. No value is empty.
    private static func values(in text: String, upTo limit: Int = .max) -> [Value] {
        var search = NamedValues(text: Array(text.utf8))
        var (found, index) = ([Value](), 0)
        while search.searched < limit, search.known.count < limit, let mark = search.mark(from: index) {
            let value = search.value(at: mark)
            if let value { found.append(value) }
            index = value?.place.upperBound ?? mark + 1
        }
        return found
    }

    // MARK: Search

    enum Rule { case none, credential, count }

    let text: [UInt8]
    /// The rules for names that were already classified, because a text can repeat a name.
    private var known: [String: Rule] = [:]
    /// The number of places at which a value was searched for.
    private var searched = 0

    private init(text: [UInt8]) { self.text = text }

    private mutating func value(at mark: Int) -> Value? {
        searched += 1
        if text[mark] == UInt8(ascii: "e") { return webToken(at: mark).map { ("", $0) } }
        if let place = userInfo(at: mark) { return ("", place) }
        let name = NameBefore(mark, in: text)
        if let value = part(name, at: mark) { return value }
        let rule = rule(of: name)
        if rule == .none, !name.word.isEmpty { searched -= 1 }
        return rule == .none ? nil : place(after: mark, name, rule).map { (name.text, $0) }
    }

    /// Returns the rule for the value under a name.
    private mutating func rule(of name: NameBefore) -> Rule {
        let key = name.isItem ? "&" + name.word : name.word
        if let rule = known[key] { return rule }
        let text = name.text
        let isCredential = name.isItem ? SensitiveName.isSensitive(text) : SensitiveName.isPassword(text)
        let rule: Rule = isCredential ? .credential : SensitiveName.countsTokens(text) ? .count : .none
        known[key] = rule
        return rule
    }

    /// Returns the position of the first sign or quote after a name, or of the first JSON Web Token.
    private func mark(from start: Int) -> Int? {
        // A loop over a buffer is used, because a search with a closure takes several times as long in a debug build.
        text.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                let isSign = byte == 0x3A || byte == 0x3D || byte == 0x22 || byte == 0x27
                if isSign, NameBefore.isPossible(index, in: bytes) { return index }
                if byte == 0x65, index + 2 < bytes.count, bytes[index + 1] == 0x79, bytes[index + 2] == 0x4A {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    /// The JSON Web Token that begins at an index; nil if there is none.
    private func webToken(at start: Int) -> Range<Int>? {
        let isPart = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit || byte.isOne(of: "-_.=") }
        if start > 0, isPart(text[start - 1]), text[start - 1] != UInt8(ascii: "=") { return nil }
        var word = text[start...].prefix(while: isPart)
        // A token can be at the end of a sentence.
        while word.last == UInt8(ascii: ".") { word.removeLast() }
        return String(decoding: word, as: UTF8.self).isWebToken ? word.indices : nil
    }

    /// The user information of the URL whose scheme ends at an index; nil if there is none.
    private func userInfo(at colon: Int) -> Range<Int>? {
        guard text[colon...].begins(with: "://") else { return nil }
        let start = colon + 3
        let authority = text[start...].prefix { $0 > 0x20 && !$0.isOne(of: "/?#\"'<>`") }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    /// The content of a part in a multipart form (RFC 7578 section 4.2), if the part has the name of a credential.
    private func part(_ name: NameBefore, at sign: Int) -> Value? {
        guard text[sign] == UInt8(ascii: "="), name.text.lowercased() == "name", text.begins(with: "--") else {
            return nil
        }
        let value = text[(sign + 1)...].drop { $0 == UInt8(ascii: "\"") }.prefix { $0 > 0x20 && !$0.isOne(of: "\";") }
        let (head, secret) = (text[value.endIndex...].prefix(1024), String(decoding: value, as: UTF8.self))
        let blank = head.indices.first { text[$0...].begins(with: "\n\n") || text[$0...].begins(with: "\n\r\n") }
        guard let blank, SensitiveName.isPassword(secret) else { return nil }
        let content = text[(blank + 1)...].drop { $0 != 0x0A }.dropFirst()
        let next = content.indices.first { text[$0] == 0x0A && text[$0...].begins(with: "\n--") } ?? text.count
        let end = content[..<next].lastIndex { $0 != 0x0D && $0 != 0x0A }
        let place = content.startIndex..<(end.map { $0 + 1 } ?? content.startIndex)
        return place.isEmpty ? nil : (secret, place)
    }
}

extension String {
    /// True for a JSON Web Token. A signed token has three parts, of which two are JSON objects (RFC 7519 section 3).
    /// An encrypted token has five parts (RFC 7516 section 3.1).
    package var isWebToken: Bool {
        let parts = parts(between: ".")
        guard parts[0].begins(with: "eyJ") else { return false }
        return parts.count == 5 || parts.count == 3 && parts[1].begins(with: "eyJ") && !parts[2].isEmpty
    }
}
