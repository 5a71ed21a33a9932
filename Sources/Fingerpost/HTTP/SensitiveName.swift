/// Decides from the name of a header, query item or JSON key whether its value is a credential.
package enum SensitiveName {
    /// The text shown instead of a sensitive value.
    package static let placeholder = "<redacted>"

    /// Whole names of headers, cookies and query items whose values are credentials. In a body, a field with one of
    /// these names often contains a value that is not a credential.
    private static let names: Set<String> = [
        "code", "cookie", "setcookie", "pin", "sid", "connectsid", "sessid", "phpsessid", "sessionid", "jsessionid",
        "xaccess",
    ]

    /// A name is sensitive if any of its words is in this set: `X-Api-Key`, `apiKey`, `api_key`.
    private static let words: Set<String> = [
        "auth", "key", "session", "sig", "credential", "credentials",
    ]

    /// Words that make a name sensitive in bodies too, not only in headers and query items.
    private static let passwords: Set<String> = [
        "pass", "userpass", "pwd", "passcode", "jwt", "otp", "totp", "hmac", "bearer", "assertion", "cvv", "cvc",
    ]

    /// Pieces of text that make a name sensitive even inside a longer word: `apikey`, `accesstoken`.
    private static let stems = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "signature",
        "authorization", "accesscode", "authcode", "mfacode", "codeverifier", "samlresponse",
    ]

    /// True if the value of a header, a query item or a JSON key with this name is a credential.
    package static func isSensitive(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return names.contains(folded) || split.contains { words.contains($0) || passwords.contains($0) }
            || stems.contains { folded.contains($0) }
    }

    /// True for names of passwords and similar credentials. Use this function for request bodies, where names such as
    /// `key` and `session` are usually harmless.
    static func isPassword(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return split.contains { $0 == "pin" || passwords.contains($0) } || stems.contains { folded.contains($0) }
    }

    /// A key in a response body is the key of a secret if it ends with a suffix in `issued`, or if its last word is in
    /// `issuedWords`.
    private static let issued = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "apikey", "accesskey", "privatekey", "jwt",
    ]
    private static let issuedWords: Set<String> = ["pass", "userpass", "pwd", "pin", "otp", "totp"]

    /// True if the value of a key with this name in a response body is a secret: `access_token`, `clientSecret`,
    /// `passwords`.
    ///
    /// The properties of a secret, such as `token_type` or `passwordResetRequired`, are not secret. In bodies, the
    /// values of names such as `key`, `code` and `session` are not assumed to be secret either, because most of these
    /// values are ids.
    package static func isIssued(_ name: String) -> Bool {
        let split = words(of: name)
        if split.last.map(issuedWords.contains) ?? false { return true }
        let end = split.joined().reversed().drop { $0.isNumber || $0 == "s" }
        return issued.contains { end.starts(with: $0.reversed()) }
    }

    /// The words of a name in lower case: `apiKey`, `api_key` and `Api-Key` all have the words `api` and `key`.
    private static func words(of name: String) -> [String] {
        var found: [String] = []
        var word = ""
        var previousIsLower = false
        for character in name {
            let isSeparator = !character.isLetter && !character.isNumber
            if isSeparator || character.isUppercase && previousIsLower {
                if !word.isEmpty { found.append(word) }
                word = ""
            }
            if !isSeparator { word += character.lowercased() }
            previousIsLower = character.isLowercase
        }
        return word.isEmpty ? found : found + [word]
    }
}
