/// Tells from the name of a header, a query item or a JSON key whether its value is a credential.
package enum SensitiveName {
    /// Shown in place of a value.
    package static let placeholder = "<redacted>"

    /// Names, as a whole, whose values are credentials: of a header, a cookie, a query item. In bodies they are names of much else.
    private static let names: Set<String> = [
        "code", "cookie", "setcookie", "pin", "sid", "connectsid", "sessid", "phpsessid", "sessionid", "jsessionid",
        "xaccess",
    ]

    /// Words that make a name sensitive wherever they stand in it: `X-Api-Key`, `apiKey`, `api_key`.
    private static let words: Set<String> = [
        "auth", "key", "session", "sig", "credential", "credentials",
    ]

    /// Words that do so in bodies too.
    private static let passwords: Set<String> = [
        "pass", "userpass", "pwd", "passcode", "jwt", "otp", "totp", "hmac", "bearer", "assertion", "cvv", "cvc",
    ]

    /// Words that do so inside another word too: `apikey`, `accesstoken`.
    private static let stems = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "signature",
        "authorization", "accesscode", "authcode", "mfacode", "codeverifier", "samlresponse",
    ]

    /// True when the value of a header, a query item or a JSON key of this name is a credential.
    package static func isSensitive(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return names.contains(folded) || split.contains { words.contains($0) || passwords.contains($0) }
            || stems.contains { folded.contains($0) }
    }

    /// True for names of passwords and the like. A body has many names that only might be sensitive: `key`, `session`.
    static func isPassword(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return split.contains { $0 == "pin" || passwords.contains($0) } || stems.contains { folded.contains($0) }
    }

    /// What the names of secrets end in that a body tells, and whole words that say as much at the end.
    private static let issued = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "apikey", "accesskey", "privatekey", "jwt",
    ]
    private static let issuedWords: Set<String> = ["pass", "userpass", "pwd", "pin", "otp", "totp"]

    /// True when a body tells a secret under this name: `access_token`, `clientSecret`, `passwords`.
    ///
    /// What is said of one is none: `token_type`, `passwordResetRequired`. Nor are the keys, codes and sessions of bodies, which mostly
    /// are ids.
    package static func isIssued(_ name: String) -> Bool {
        let split = words(of: name)
        if split.last.map(issuedWords.contains) ?? false { return true }
        let end = split.joined().reversed().drop { $0.isNumber || $0 == "s" }
        return issued.contains { end.starts(with: $0.reversed()) }
    }

    /// The words of a name, in lower case: `apiKey`, `api_key` and `Api-Key` have the same two.
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
