import FingerpostFiles
import Foundation

/// The format of one kind of credential, such as a GitHub token. This type finds credentials in any text.
struct SecretShape: Sendable {
    let kind: String
    private let prefix: String
    /// The characters that can follow the prefix.
    private let alphabet: Alphabet
    /// The minimum number of characters that must follow the prefix.
    private let minimum: Int

    private enum Alphabet: Sendable {
        case letters
        case capitals
        /// The characters of Base64, base64url and bearer tokens (RFC 6750 section 2.1).
        case token
        /// The characters of a JSON Web Token, which has three parts separated by dots (RFC 7519).
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

    /// One of these texts must follow within 60 bytes after the prefix, as in `-----BEGIN RSA PRIVATE KEY-----`. Empty
    /// for formats without such a text.
    private let ends: [String]

    private init(
        _ kind: String, _ prefix: String, _ alphabet: Alphabet, _ minimum: Int, _ ends: [String] = []
    ) {
        (self.kind, self.prefix, self.alphabet) = (kind, prefix, alphabet)
        (self.minimum, self.ends) = (minimum, ends)
    }

    /// Parts of the Base64 text of `-----BEGIN PRIVATE KEY`, and of the same line for `RSA`, `EC`, `OPENSSH` and
    /// `ENCRYPTED` keys. Kubernetes manifests contain keys in Base64.
    private static let encodedKeys = [
        "QUklWQVRF", "SU0EgUFJJVkFUR", "FQyBQUklWQVRF", "PUEVOU1NIIFBSSVZBVEUg", "FTkNSWVBURUQgUFJJVkFUR",
    ].map { SecretShape("a private key", "LS0tLS1CRUdJTiB" + $0, .token, 16) }

    static let known: [SecretShape] =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { SecretShape("a GitHub token", $0, .letters, 36) }
        + ["AKIA", "ASIA"].map { SecretShape("an AWS access key", $0, .capitals, 16) }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-"].map { SecretShape("a Slack token", $0, .token, 20) }
        + ["sk_live_", "rk_live_"].map { SecretShape("a Stripe key", $0, .letters, 16) }
        + ["Bearer ", "bearer "].map { SecretShape("a bearer token", $0, .token, 16) }
        + encodedKeys + [
            SecretShape("a private key", "-----BEGIN ", .letters, 0, ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"]),
            SecretShape("a GitHub token", "github_pat_", .token, 22),
            SecretShape("a Google API key", "AIza", .token, 35),
            SecretShape("a JSON Web Token", "eyJ", .jsonWebToken, 20),
        ]

    private static let prefixes = PatternTree(known.map { Array($0.prefix.utf8) })

    /// Finds the credentials with a known format in a text. Returns the range and the kind of each credential, such as
    /// `a GitHub token`, in the order of the text. Credentials can overlap. A private key extends to the end of the
    /// text.
    static func found(in text: [UInt8]) -> [(range: Range<Int>, kind: String)] {
        var found: [(range: Range<Int>, kind: String)] = []
        text.withUnsafeBytes { bytes in
            prefixes.forEachMatch(in: bytes) { shape, place in
                let shape = known[shape]
                if let end = shape.end(in: text, after: place) { found.append((place.lowerBound..<end, shape.kind)) }
                return false
            }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns the end of a credential after a prefix, or nil if the text after the prefix is not a credential.
    private func end(in text: [UInt8], after prefix: Range<Int>) -> Int? {
        let rest = text[prefix.upperBound...]
        if !ends.isEmpty {
            let line = String(decoding: rest.prefix(60), as: UTF8.self)
            return ends.contains(where: line.contains) ? text.count : nil
        }
        // A prefix does not count if it is part of a longer word, such as `sk_live_` in `task_live_`.
        if text[..<prefix.lowerBound].endsWithWord { return nil }
        var value = rest.prefix(while: alphabet.contains)
        // The dot at the end of a sentence does not belong to a token.
        if alphabet == .jsonWebToken, value.last == UInt8(ascii: ".") { value.removeLast() }
        return isLikely(value) ? value.endIndex : nil
    }

    private func isLikely(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count >= minimum else { return false }
        // Placeholders in examples, such as `xxxx…` or `0000…`, consist of only a few different characters.
        guard Set(value).count > 5 else { return false }
        guard alphabet == .jsonWebToken else { return true }
        let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A signed token has three parts, and an encrypted token has five (RFC 7516 section 3.1).
        return parts.count == 5 || parts.count == 3 && parts[1].starts(with: "eyJ".utf8) && !parts[2].isEmpty
    }
}

extension [UInt8] {
    /// The credentials with a known format in this text: see ``SecretShape/found(in:)``.
    package var shapedSecrets: [(range: Range<Int>, kind: String)] { SecretShape.found(in: self) }

    /// The Base64 encodings of this value inside a longer encoded text. Each encoding contains only the characters that
    /// depend on this value alone, and not on the bytes around the value. An encoding depends on the alphabet (RFC 4648
    /// sections 4 and 5), and on the position of the value's first byte in its group of three bytes. Duplicates are
    /// left out. The characters just before and after an encoding may contain more bits of the value. The value must
    /// not be empty.
    package var base64Forms: [[UInt8]] {
        (0..<3).flatMap { shift -> Set<[UInt8]> in
            let encoded = Array(Data([UInt8](repeating: 0, count: shift) + self + [0, 0]).base64EncodedString().utf8)
            let form = Array(encoded[(shift * 8 + 5) / 6..<(shift + count) * 8 / 6])
            let others: [UInt8: UInt8] = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
            return [form, form.map { others[$0] ?? $0 }]
        }
    }
}
