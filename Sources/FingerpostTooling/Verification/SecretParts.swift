import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The parts of a secret's value by which it is found in a build.
///
/// A value of one line is searched for as a whole. Others are collections: a key with its certificates, the JSON file
/// of an account, a `.env` file. What is public in them may be in the build too, so only what looks secret is searched
/// for: private keys, passwords, credentials of a known format, and random text.
struct SecretParts {
    private(set) var texts: [String] = []
    /// Bytes of the secret numbers of private keys, without zeros.
    private(set) var numbers: [[UInt8]] = []

    var isEmpty: Bool { texts.isEmpty && numbers.isEmpty }

    init(_ text: String) {
        add(text)
    }

    /// - Parameter name: the name of the value in a dictionary that is a secret.
    init(_ text: String, named name: String) {
        addValue(text, name)
    }

    private mutating func add(_ text: String) {
        if addJSON(text) || addKey(text[...], isBare: true) { return }
        let other = addBlocks(of: text)
        let lines = other.words(between: "\r\n\0").map(Self.trimmed).filter { !$0.isEmpty }
        if lines.count == 1, other.isSame(as: text) {
            texts.append(lines[0])
            return
        }
        var rest: [String] = []
        for line in lines {
            if let (name, value) = Self.assignment(line) { addValue(value, name) } else { rest.append(line) }
        }
        texts += rest.filter(Self.isRandom)
        // A text such as the words of a recovery phrase.
        if isEmpty, other.isSame(as: text), let longest = rest.max(by: { $0.utf8.count < $1.utf8.count }) {
            texts.append(longest)
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.trimmingCharacters(in: .whitespaces)
    }

    // MARK: Names and values

    private mutating func addJSON(_ text: String) -> Bool {
        guard let root = JSONReader.inspect(Data(text.utf8)), root.entries != nil || root.elements != nil else {
            return false
        }
        root.visit("") { node, entry, name in
            let name = entry?.key ?? name
            if let text = node.string { addValue(text, name) }
            return name
        }
        return true
    }

    /// The parts of `NAME=value` and `name: value`; nil for any other line. Base64 can end in equals signs.
    private static func assignment(_ line: String) -> (name: String, value: String)? {
        guard let (before, after) = line.cut(at: "=") ?? line.cut(at: ":") else { return nil }
        let name = before.begins(with: "export ") ? before.dropFirst(7) : before
        let value = after.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"',;"))
        let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_-. ".utf8.contains($0) }
        return isName && value.utf8.contains { $0 != UInt8(ascii: "=") } ? (String(name), value) : nil
    }

    private mutating func addValue(_ text: String, _ name: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if addJSON(text) || addKey(text[...], isBare: true) { return }
        if text.utf8.contains(UInt8(ascii: "\n")) || text.contains(bytesOf: Self.begin) { return add(text) }
        if let url = URLText.url(text) {
            // The path of a hook is secret, but not its host.
            texts += text.words(between: "/?&=#:@").map(String.init).filter(Self.isRandom)
            if let password = url.password { texts.append(password) }
        } else if !SecretShape.found(in: Array(text.utf8)).isEmpty || Self.isSecret(text, named: name.lowercased()) {
            texts.append(text)
        }
    }

    private static func isSecret(_ text: String, named name: String) -> Bool {
        // `publicKey` and `PUBLISHABLE_KEY` are for everybody, and ids are no secrets.
        if name.contains(bytesOf: "publi") || name.ends(with: "id") { return false }
        if passwords.contains(where: { name.ends(with: $0) }) { return true }
        let isKey = keys.contains { name.ends(with: $0) } && text.utf8.contains(where: \.isASCIIDigit)
        return isKey && !text.utf8.contains(UInt8(ascii: " ")) || isRandom(text)
    }

    /// The ends of names of secrets, and of names whose values are secrets if they have digits.
    private static let passwords = ["password", "passwd", "passphrase", "secret"]
    private static let keys = ["key", "token", "pass", "pin"]

    /// True for text that hardly anybody has made up: 20 bytes or more, with letters and digits, which often change
    /// between capitals, small letters and digits.
    private static func isRandom(_ text: String) -> Bool {
        let kinds = text.utf8.compactMap { byte -> UInt8? in
            byte.isASCIIDigit ? 0 : byte.isASCIILetter ? byte & 0x20 | 1 : nil
        }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        return text.utf8.count >= 20 && !text.utf8.contains(UInt8(ascii: " ")) && Set(text.utf8).count >= 10
            && kinds.contains(0) && changes * 4 >= kinds.count
    }

    // MARK: Keys

    private static let begin = "-----BEGIN "
    /// Words in the labels of what is public: certificates, their revocation lists, public keys, and numbers of curves.
    private static let publicLabels = ["CERTIFICATE", "CRL", "PKCS7", "PUBLIC", "PARAMETERS"]

    /// Adds the private keys in a text (RFC 7468), and returns the text without such blocks.
    private mutating func addBlocks(of text: String) -> String {
        guard text.contains(bytesOf: Self.begin) else { return text }
        var (label, other) = ("", "")
        for part in text.replacing(bytesOf: "-----", with: "\0").parts(between: "\0") {
            if part.begins(with: "BEGIN ") {
                label = String(part)
            } else if part.begins(with: "END ") {
                label = ""
            } else if label.isEmpty {
                other += part
            } else if !Self.publicLabels.contains(where: { label.contains(bytesOf: $0) }) {
                addKey(part)
            }
        }
        return other
    }

    /// Adds what is secret in the base64 of a private key.
    ///
    /// - Parameter isBare: true for text that need not be a key.
    /// - Returns: false if it is none.
    @discardableResult
    private mutating func addKey(_ block: Substring, isBare: Bool = false) -> Bool {
        // A variable of one line has `\n` for the ends of lines.
        let lines = block.replacing(bytesOf: "\\n", with: "\n").replacing(bytesOf: "\\r", with: "\n")
            .words(between: " \t\r\n")
            .filter { $0.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+/=".utf8.contains($0) } }
        let base64 = lines.joined()
        let der = Data(base64Encoded: base64).map(Array.init) ?? []
        let number = Self.lastNumber(in: der[...])
        // A key begins with the number of its version, and a certificate with another sequence.
        let version = der.dropFirst(2 + (der.count > 1 && der[1] > 0x80 ? Int(der[1] - 0x80) : 0))
        if isBare, number == nil || !version.starts(with: [2, 1]) { return false }
        // Keys that are not in DER begin with what is public, too.
        var secret = lines[..<(lines.count / 2)].joined().utf8.count..<base64.utf8.count
        if let number {
            // Zeros that UTF-16 has between characters do not count in a search, so that these cannot be found.
            numbers.append(Array(number.split(separator: 0).max { $0.count < $1.count } ?? []))
            secret = (number.startIndex * 4 + 2) / 3..<number.endIndex * 4 / 3
        }
        var start = 0
        for line in lines {
            let range = (start..<start + line.utf8.count).clamped(to: secret)
            if range.count >= 20 {
                texts.append(String(Substring(line.utf8.dropFirst(range.lowerBound - start).prefix(range.count))))
            }
            start += line.utf8.count
        }
        return true
    }

    /// The last integer or octet string in the DER of a private key (RFC 5958, RFC 8017, RFC 5915). It is secret: the
    /// public number of RSA is before it, and public points are bit strings. nil if the bytes are not DER.
    private static func lastNumber(in der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var (rest, last) = (der, ArraySlice<UInt8>?.none)
        while let tag = rest.popFirst(), var length = rest.popFirst().map(Int.init) {
            if length > 0x80 {
                let bytes = rest.prefix(length - 0x80)
                guard bytes.count == length - 0x80, bytes.count <= 4 else { return nil }
                rest = rest[bytes.endIndex...]
                length = bytes.reduce(0) { $0 << 8 | Int($1) }
            }
            let contents = rest.prefix(length)
            guard contents.count == length else { return nil }
            rest = rest[contents.endIndex...]
            let inner = tag == 0x30 || tag == 4 ? lastNumber(in: contents) : nil
            let isNumber = (tag == 2 || tag == 4) && length >= 16
            last = inner ?? (isNumber ? contents : last)
        }
        return rest.isEmpty ? last : nil
    }
}
