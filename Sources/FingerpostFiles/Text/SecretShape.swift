/// The look of a credential that tells what it is, whoever issued it.
package struct SecretShape: Sendable {
    let kind: String
    private let prefix: String
    /// What may follow the prefix.
    private let alphabet: Alphabet
    /// How many characters must follow.
    private let minimum: Int

    private enum Alphabet: Sendable {
        case letters
        case capitals
        /// Of base64, also that for URLs, and of tokens (RFC 6750 section 2.1).
        case token
        /// Three parts between dots (RFC 7519).
        case jsonWebToken

        func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self != .capitals
            case UInt8(ascii: "_"), UInt8(ascii: "-"): self == .token || self == .jsonWebToken
            case UInt8(ascii: "."): self == .token || self == .jsonWebToken
            case UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): self == .token
            default: false
            }
        }
    }

    private init(_ kind: String, _ prefix: String, _ alphabet: Alphabet, _ minimum: Int) {
        self.kind = kind
        self.prefix = prefix
        self.alphabet = alphabet
        self.minimum = minimum
    }

    static let known: [SecretShape] =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { SecretShape("a GitHub token", $0, .letters, 36) }
        + ["AKIA", "ASIA"].map { SecretShape("an AWS access key", $0, .capitals, 16) }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-"].map { SecretShape("a Slack token", $0, .token, 20) }
        + ["sk_live_", "rk_live_"].map { SecretShape("a Stripe key", $0, .letters, 16) }
        + ["Bearer ", "bearer "].map { SecretShape("a bearer token", $0, .token, 16) }
        + ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"].map { SecretShape("a private key", "-----BEGIN ", $0) } + [
            SecretShape("a GitHub token", "github_pat_", .token, 22),
            SecretShape("a Google API key", "AIza", .token, 35),
            SecretShape("a JSON Web Token", "eyJ", .jsonWebToken, 20),
        ]

    /// What stands between the prefix and this, for armour such as `-----BEGIN RSA PRIVATE KEY-----`.
    private var end: String?

    private init(_ kind: String, _ prefix: String, _ end: String) {
        self.init(kind, prefix, .letters, 0)
        self.end = end
    }

    /// The known ones by the first bytes of their prefixes.
    private static let byFirstByte = known.reduce(into: [[SecretShape]](repeating: [], count: 256)) { lists, shape in
        lists[Int(shape.prefix.utf8.first ?? 0)].append(shape)
    }
    private static let mayBegin = byFirstByte.map { !$0.isEmpty }

    /// The kinds of the known ones that a text holds, and where.
    package static func found(in text: [UInt8]) -> [(offset: Int, kind: String)] {
        let starts = text.withUnsafeBufferPointer { bytes in
            mayBegin.withUnsafeBufferPointer { mayBegin in
                var starts: [Int] = []
                for index in 0..<bytes.count where mayBegin[Int(bytes[index])] { starts.append(index) }
                return starts
            }
        }
        return starts.flatMap { start in
            byFirstByte[Int(text[start])].filter { $0.isFound(in: text, at: start) }.map { (start, $0.kind) }
        }
    }

    private func isFound(in text: [UInt8], at start: Int) -> Bool {
        guard text[start...].starts(with: prefix.utf8) else { return false }
        let rest = text[(start + prefix.utf8.count)...]
        if let end { return String(decoding: rest.prefix(60), as: UTF8.self).contains(end) }
        // The end of another word is no beginning: `task_live_`.
        if start > 0, Alphabet.letters.contains(text[start - 1]), !isEscape(text[..<start]) { return false }
        return isLikely(rest.prefix(while: alphabet.contains))
    }

    /// `\n` and the like before the token, in JSON.
    private func isEscape(_ before: ArraySlice<UInt8>) -> Bool {
        before.dropLast().last == UInt8(ascii: "\\")
    }

    private func isLikely(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count >= minimum else { return false }
        // What stands in for a token in an example is `xxxx…` or `0000…`.
        guard Set(value).count > 5 else { return false }
        guard alphabet == .jsonWebToken else { return true }
        let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[1].starts(with: "eyJ".utf8) && !parts[2].isEmpty
    }
}
