import Fingerpost

/// Tells by the names around a value of JSON whether it is a secret that a server issues.
struct IssuedSecrets {
    /// What the names say.
    enum Place {
        case anywhere
        /// Below an object that has the name of a secret: the secret, or what is said of it.
        case besideSecret
        /// Under the name of a secret, alone or in a list.
        case secret
    }

    /// Most bodies have few names, many times.
    private var known: [String: Bool] = [:]

    /// The place of the value of a key in an object.
    mutating func place(of key: String, in object: Place) -> Place {
        let isIssued = known[key] ?? SensitiveName.isIssued(key)
        known[key] = isIssued
        if isIssued { return .secret }
        if object == .anywhere { return .anywhere }
        return ["access", "refresh", "value"].contains(key) ? .secret : .besideSecret
    }

    /// True for a text that a server issued, as far as it looks: long and random. What people make up for a test has words, or is short.
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
