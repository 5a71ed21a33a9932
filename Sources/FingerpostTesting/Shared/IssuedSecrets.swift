import Fingerpost

/// Uses the keys on the path to a JSON value to decide whether the value is a secret that a server issued, such as an
/// access token.
struct IssuedSecrets {
    /// States whether a JSON value is a secret, may be a secret, or is no secret, judged by the keys on the path to the
    /// value.
    enum Place {
        /// No key on the path to the value names a secret.
        case anywhere
        /// The value is inside an object whose key names a secret, so the value is either the secret or a description
        /// of the secret.
        case besideSecret
        /// The value's own key names a secret, or the value is an element of a list under a key that names a secret.
        case secret
    }

    /// Caches whether a key names a secret, because bodies repeat a few keys many times.
    private var known: [String: Bool] = [:]

    /// Returns the ``Place`` of the value under a key, given the ``Place`` of the object that contains the key.
    mutating func place(of key: String, in object: Place) -> Place {
        let isIssued = known[key] ?? SensitiveName.isIssued(key)
        known[key] = isIssued
        if isIssued { return .secret }
        if object == .anywhere { return .anywhere }
        return ["access", "refresh", "value"].contains(key) ? .secret : .besideSecret
    }

    /// True if a text is long and random, like a secret that a server issued. Values that people invent for tests are
    /// short or contain words.
    static func isReal(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, Set(bytes).count >= 10 else { return false }
        var (length, hasLetter, hasDigit, isLong) = (0, false, false, false)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): hasLetter = true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"),
                UInt8(ascii: "/"), UInt8(ascii: "="):
                (length, hasLetter, hasDigit) = (0, false, false)
                continue
            default: return false
            }
            length += 1
            isLong = isLong || length >= 16 && hasLetter && hasDigit
        }
        let folded = text.lowercased()
        return isLong && !madeUp.contains(where: folded.contains)
    }

    private static let madeUp = [
        "token", "test", "fake", "mock", "sample", "example", "dummy", "password", "redacted", "1234", "abcd", "0000",
        "xxxx",
    ]
}
