import Fingerpost
import FingerpostFiles

/// Finds what looks like a credential in text that other code or a server wrote: user information and sensitive query
/// items in URLs, values after sensitive names, such as `token=…` and `password: "…"`, and the text after the name of
/// an authentication scheme.
///
/// `SecretRedactor` finds the credentials of a call by their values. This type finds credentials that the call does not
/// know, such as a key that middleware adds.
struct ForeignText {
    private let bytes: [UInt8]
    /// True to find only what is inside addresses.
    private let isOnlyInAddresses: Bool
    /// True for the name of a credential outside of an address.
    private let isSecret: (String) -> Bool
    private var index = 0
    /// The offset after the URL that is being read.
    private var endOfURL = 0
    /// The offset after the last value that was searched for an address with escapes.
    private var endOfValue = 0
    private var found: [Range<Int>] = []

    /// Returns a text with `<redacted>` in place of everything that looks like a credential.
    ///
    /// - Parameter isOnlyInAddresses: true to find only credentials in URLs and relative references.
    static func redacted(_ text: String, onlyInAddresses isOnlyInAddresses: Bool = false) -> String {
        var reader = ForeignText(Array(text.utf8), isOnlyInAddresses, SensitiveName.isPassword)
        reader.read()
        if reader.found.isEmpty { return text }
        var redacted: [UInt8] = []
        var end = 0
        for range in reader.found {
            redacted += reader.bytes[end..<range.lowerBound]
            redacted += SensitiveName.placeholder.utf8
            end = range.upperBound
        }
        return String(decoding: redacted + reader.bytes[end...], as: UTF8.self)
    }

    /// The values in a text that look like credentials.
    ///
    /// - Parameter isSecret: true for the name of a credential outside of an address.
    static func values(in text: [UInt8], named isSecret: @escaping (String) -> Bool) -> [String] {
        var reader = ForeignText(text, false, isSecret)
        reader.read()
        return reader.found.map { String(decoding: text[$0], as: UTF8.self) }
    }

    private init(_ bytes: [UInt8], _ isOnlyInAddresses: Bool, _ isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.isOnlyInAddresses = isOnlyInAddresses
        self.isSecret = isSecret
    }

    private mutating func read() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ":") where bytes[index...].begins(with: "://"): readAuthority(after: 3)
            case UInt8(ascii: "/") where bytes[index...].begins(with: "//"): readAuthority(after: 2)
            case UInt8(ascii: ":"), UInt8(ascii: "="): readAssignment()
            case UInt8(ascii: " ") where !isOnlyInAddresses: readScheme()
            default: index += 1
            }
        }
    }

    /// Reads the authority of a URL, or of a relative reference (RFC 3986 section 4.2): `//user:password@host`.
    private mutating func readAuthority(after length: Int) {
        let hasScheme = length > 2
        index += length
        // A URL can be inside another. Searched for each of them, the end would take quadratic time.
        if index > endOfURL {
            endOfURL = bytes[index...].firstIndex { $0 <= 0x20 || Self.endsOfURL.contains($0) } ?? bytes.count
        }
        let authority = bytes[index..<endOfURL].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > index,
            // Without a scheme, this may be a comment that names somebody.
            hasScheme || authority[..<at].contains(UInt8(ascii: ":"))
        else { return }
        found.append(index..<at)
        index = at
    }

    /// Reads `name=value`, `name: value`, `"name": "value"` and `name: Optional("value")`.
    private mutating func readAssignment() {
        let (sign, place) = (bytes[index], name(before: index))
        let name = String(decoding: bytes[place], as: UTF8.self)
        index += 1
        let isInURL = index < endOfURL || sign == UInt8(ascii: "=") && isOfQuery(place)
        guard !name.isEmpty, isInURL || !isOnlyInAddresses else { return }
        guard isInURL ? SensitiveName.isSensitive(name) : isSecret(name) else {
            if isInURL, sign == UInt8(ascii: "=") { readEscapedAddress() }
            return
        }
        var start = index
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
        if bytes[start...].begins(with: "Optional(") { start += "Optional(".utf8.count }
        while start < bytes.count, bytes[start] == UInt8(ascii: "\\") { start += 1 }
        guard start < bytes.count, bytes[start] != UInt8(ascii: "<") else { return }
        let quote = bytes[start]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { start += 1 }
        // The value of `Authorization` contains spaces.
        let isWholeLine = isQuoted || name.lowercased().ends(with: "authorization")
        // Reading goes on behind the `#` of a URL, so the search for the end of the value must stop there too.
        let mark = isInURL ? UInt8(ascii: "#") : nil
        let end =
            isWholeLine
            ? endOfLine(from: start, quote: isQuoted ? quote : 0x22, orAt: mark) : endOfWord(from: start, orAt: mark)
        let value = start..<end
        // After a colon, an ordinary word can follow, as in `invalid token: expired`.
        let isWord = !isWholeLine && sign == UInt8(ascii: ":") && !isLikely(value)
        let minimum = isInURL ? 1 : SecretRedactor.minimumLength
        guard value.count >= minimum, bytes[start] != UInt8(ascii: "<"), !isWord else { return }
        found.append(value)
        index = value.upperBound
    }

    /// Reads a value that may be an address with escapes: `https%3A%2F%2Fh.example%2F%3Ftoken%3Dabc`.
    private mutating func readEscapedAddress() {
        // The value inside a value has been read with it.
        guard index >= endOfValue else { return }
        let value = index..<endOfWord(from: index)
        endOfValue = value.upperBound
        guard bytes[value].contains(UInt8(ascii: "%")),
            Credentials.containsCredential(String(decoding: bytes[value], as: UTF8.self)[...])
        else { return }
        found.append(value)
        index = value.upperBound
    }

    /// True for the name of a query item, of a parameter of a path, or of an item of a fragment.
    private func isOfQuery(_ name: Range<Int>) -> Bool {
        name.lowerBound > 0 && "?&;#".utf8.contains(bytes[name.lowerBound - 1])
    }

    /// Reads the value in `Bearer value`.
    private mutating func readScheme() {
        let word = String(decoding: bytes[name(before: index)], as: UTF8.self).lowercased()
        index += 1
        guard ["bearer", "basic", "dpop", "negotiate"].contains(word) else { return }
        let value = index..<endOfWord(from: index)
        guard value.count >= SecretRedactor.unlikelyLength, isLikely(value) else { return }
        found.append(value)
        index = value.upperBound
    }

    // MARK: Pieces

    /// The name that ends before an offset, apart from quotes and one space.
    private func name(before end: Int) -> Range<Int> {
        var end = end
        if end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        while end > 0, [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\")].contains(bytes[end - 1]) { end -= 1 }
        var start = end
        while start > 0, end - start < 64, isNameByte(bytes[start - 1]) { start -= 1 }
        return start..<end
    }

    private func endOfLine(from start: Int, quote: UInt8, orAt mark: UInt8?) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != mark {
            if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count, bytes[end + 1] != quote, bytes[end + 1] != mark
            {
                end += 2
                continue
            }
            if bytes[end] == quote || bytes[end] == UInt8(ascii: "\\") { break }
            end += 1
        }
        return min(end, bytes.count)
    }

    private func endOfWord(from start: Int, orAt mark: UInt8? = nil) -> Int {
        bytes[start...].firstIndex { $0 <= 0x20 || $0 == mark || Self.endsOfWord.contains($0) } ?? bytes.count
    }

    private static let endsOfURL = Set("\"'<>`".utf8)
    private static let endsOfWord = Set("\"'<>,;&(){}[]\\`".utf8)

    /// True for text that is probably not an ordinary word.
    private func isLikely(_ range: Range<Int>) -> Bool {
        range.count >= 16 || bytes[range].contains(where: \.isASCIIDigit)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
    }
}
