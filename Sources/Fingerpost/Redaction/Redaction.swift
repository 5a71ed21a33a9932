import FingerpostFiles
import Foundation

/// Removes credentials from everything shown to people: errors, logs, descriptions.
///
/// Several types look for secrets. Each answers one question:
///
/// | Question | Answer |
/// |---|---|
/// | Is the value under this name a credential? | ``SensitiveName`` |
/// | Which credentials are in this header, URL or request? | `Redaction.credentials`; in bodies ``BodyCredentials`` |
/// | Where does a text repeat a secret that is known? | ``SecretRedactor`` |
/// | Which parts of a text of others look like credentials, when none are known? | ``ForeignText`` |
/// | Is this word random, so that a server has probably issued it? | ``looksIssued(_:)`` |
/// | May this word be hidden wherever it occurs, because it is hardly an ordinary word? | ``isUnlikelyWord(_:)`` |
/// | Does a text contain a credential of a known format, such as a GitHub token? | `SecretShape`, for mocks in files |
///
/// `SecretScan` of the testing library asks the first, the fifth and the last question about recorded mocks.
package enum Redaction {
    /// The size in bytes of the largest body that is searched for credentials. Searching a larger body would take too
    /// long.
    static let largestBody = 1 << 20

    /// Redacts a URL. The URL's fragment is removed. The user, the password, and the values of sensitive query items
    /// and path parameters are replaced by `<redacted>`.
    package static func url(_ text: String) -> String {
        let text = URLText.hidingUserInfo(String(text.prefix(before: "#")))
        // A path segment can have parameters (RFC 3986 section 3.3): `/cart;jsessionid=1`.
        let path = text.prefix(before: "?").parts(between: "/")
            .map { pairs(in: $0, separator: ";") }.joined(separator: "/")
        guard let query = text.cut(at: "?")?.after else { return path }
        return path + "?" + pairs(in: query, separator: "&")
    }

    /// Redacts values in `name=value` pairs if their names are sensitive.
    private static func pairs(in text: Substring, separator: Unicode.Scalar) -> String {
        text.parts(between: separator).map { item in
            guard let (name, value) = item.cut(at: "=") else { return String(item) }
            return isSensitive(parameter: name) || containsCredential(value)
                ? "\(name)=\(SensitiveName.placeholder)" : String(item)
        }.joined(separator: String(separator))
    }

    // MARK: Random text

    /// True if a text is probably neither an ordinary word nor a sentence.
    static func isUnlikelyWord(_ text: String) -> Bool {
        guard text.utf8.count >= SecretRedactor.unlikelyLength else { return false }
        // A long text needs no digit.
        var isUnlikely = text.utf8.count >= 16
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace { return false }
            isUnlikely = isUnlikely || scalar.properties.numericType != nil
        }
        return isUnlikely
    }

    /// True if a text is long and random, like a secret that a server issued. Values that people invent for tests are
    /// short or contain words.
    package static func looksIssued(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return false }
        var isUsed = [Bool](repeating: false, count: 256)
        var (length, hasLetter, hasDigit, isLong) = (0, false, false, false)
        for byte in bytes {
            isUsed[Int(byte)] = true
            switch byte {
            case _ where byte.isASCIIDigit: hasDigit = true
            case _ where byte.isASCIILetter: hasLetter = true
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
        return isLong && isUsed.count { $0 } >= 10 && !madeUp.contains { folded.contains(bytesOf: $0) }
    }

    private static let madeUp = [
        "token", "test", "fake", "mock", "sample", "example", "dummy", "password", "redacted", "1234", "abcd", "0000",
        "xxxx",
    ]
}
