import Foundation

/// Decides from a name whether its value is a credential. The location of the name decides which rule applies. All
/// rules use one table.
///
/// | The name is in | Rule | Names of credentials |
/// |---|---|---|
/// | a header | ``isHeader(_:)`` | the names for queries, and `sign` as the last word: `API-Sign` |
/// | a query, a path, a form, a cookie | ``isSensitive(_:)`` | unambiguous names, and `code`, `key`, `session` |
/// | JSON, a server's text | ``isPassword(_:)`` | unambiguous names: `token`, `password` |
///
/// In a response, `code` and `key` often have another meaning, so the value decides too (`Node.Entry.isCredential`).
/// The value also decides for counts of tokens (``countsTokens(_:)``).
package enum SensitiveName {
    /// The text shown instead of a sensitive value.
    package static let placeholder = URLText.placeholder

    /// The schemes that precede a credential in `Authorization`.
    package static let schemes: Set = [
        "apikey", "aws4-hmac-sha256", "basic", "bearer", "bot", "digest", "dpop", "gnap", "hawk", "hmac", "key", "mac",
        "negotiate", "ntlm", "oauth", "sharedkey", "signature", "token", "vapid",
    ]

    /// Whole names of headers, cookies and query items whose values are credentials. In a body, a field with one of
    /// these names often contains a value that is not a credential.
    private static let names: Set<String> = [
        "code", "sid", "connectsid", "sessid", "phpsessid", "sessionid", "jsessionid",
        "xaccess", "appid", "ticket", "mfa", "2fa", "authentication", "aspxauth", "sign", "xsid",
    ]

    /// Whole names that are names of credentials everywhere.
    package static let whole: Set = ["authorization", "cookie", "cookies", "setcookie", "secretid"]

    /// A name is sensitive if any of its words is in this set: `X-Api-Key`, `apiKey`, `api_key`.
    private static let words: Set<String> = [
        "auth", "key", "appkey", "session", "sess", "sig", "credential", "credentials", "csrf", "xsrf", "attestation",
    ]

    /// Words that make a name sensitive in bodies too, not only in headers and query items.
    package static let passwords: Set<String> = [
        "pass", "userpass", "pwd", "pin", "otp", "totp", "hmac", "bearer", "assertion", "cvv", "cvv2", "cvc", "cvc2",
        "psk",
        "verifier", "tempauth",
    ]

    /// Pieces of text that make a name sensitive even inside a longer word: `apikey`, `accesstoken`.
    package static let stems = [
        "token", "tokenset", "secret", "password", "passwd", "passphrase", "passcode", "passkey", "apikey", "accesskey",
        "accountkey", "authkey", "encryptionkey", "hmackey", "masterkey", "privatekey", "sessionkey", "sharedkey",
        "signingkey", "authcookie", "sessioncookie", "jwt", "samlresponse",
    ]
    /// Texts that make a name sensitive in requests, even inside a longer word. In a response, most values under these
    /// names are not secret.
    private static let requestStems = ["signature", "authorization", "samlrequest", "samlart", "dpop"]

    /// Words that can precede `code`. A code with one of these words proves somebody's identity.
    private static let codes: Set<String> = [
        "access", "activation", "auth", "authentication", "authorization", "backup", "confirmation", "device", "login",
        "mfa", "otp", "pin", "recovery", "reset", "security", "sms", "user", "verification",
    ]

    /// True if the value of a header with this name is a credential.
    ///
    /// A header's name is sensitive even if the last word of the name only describes a credential. Hiding a harmless
    /// header, or not sending it to another origin, does less harm than leaking a credential.
    package static func isHeader(_ name: String) -> Bool {
        let split = words(of: name)
        return isSensitive(split) || split.last == "sign"
    }

    /// True if a value with this name is a credential in a query, a form, a path parameter or a cookie.
    package static func isSensitive(_ name: String) -> Bool {
        let split = words(of: name)
        return !isDescription(split) && isSensitive(split)
    }

    private static func isSensitive(_ split: [String]) -> Bool {
        // Fields of the Fetch standard (CORS) allow or forbid credentials and contain none.
        if isHarmless(split) || split.starts(with: ["access", "control"]) { return false }
        // An idempotency key identifies an operation, not a user.
        if split.contains(where: { $0.begins(with: "idempoten") }) { return false }
        if split.last == "key", let kind = split.dropLast().last, orders.contains(kind) { return false }
        return names.contains(split.joined()) || split.contains(where: words.contains) || isPassword(split)
    }

    /// Returns true for names that only passwords and similar credentials have, in JSON and in texts of servers. In
    /// these texts, values under names such as `key` and `session` are usually harmless.
    package static func isPassword(_ name: String) -> Bool {
        let split = words(of: name)
        return !isDescription(split) && !isHarmless(split) && isPassword(split)
    }

    /// True if a number with this name counts tokens, as in `tokens` and `max_tokens`. Any other value with this name
    /// is a credential.
    package static func countsTokens(_ name: String) -> Bool {
        let split = words(of: name)
        return split.last == "tokens" && split.dropLast().allSatisfy(counts.contains)
    }

    /// Returns true for names of codes and keys, which in a response may also be names of harmless values.
    static func isAmbiguous(_ name: String) -> Bool { ["code", "key"].contains(words(of: name).last) }

    private static func isPassword(_ split: [String]) -> Bool {
        if split.contains(where: passwords.contains) || isCode(split) { return true }
        let folded = split.joined()
        return whole.contains(folded) || stems.contains { folded.contains(bytesOf: $0) }
            || requestStems.contains { folded.contains(bytesOf: $0) }
    }

    /// True for `device_code`, `userCode` and `verificationcodes`, and false for `country_code` and `presetcode`.
    private static func isCode(_ split: [String]) -> Bool {
        guard let last = split.last else { return false }
        for ending in ["code", "codes"] where last.ends(with: ending) {
            let before = last == ending ? split.dropLast().last : last.withoutEnd(ending)
            if let before, codes.contains(before) { return true }
        }
        return false
    }

    /// Returns the words of a name in lower case. `isHarmless` is true for the name of a harmless token, such as a page
    /// token. `isCode` is true for the name of a code that a user enters.
    package static func read(_ name: String) -> (words: [String], isHarmless: Bool, isCode: Bool) {
        let split = words(of: name)
        return (split, isDescription(split) || isHarmless(split), isCode(split))
    }

    // MARK: Tokens that are no credentials

    /// Words that, before `token`, name a position in a list: `page_token`, `nextPageToken`.
    private static let positions: Set<String> = [
        "backward", "continuation", "continue", "cursor", "delta", "end", "forward", "next", "page", "pagination",
        "paging", "prev", "previous", "resume", "skip", "start", "starting", "sync",
    ]
    /// Words that, before `tokens`, count the tokens of a text: `max_tokens`, `completionTokens`.
    private static let counts: Set<String> = [
        "accepted", "allowed", "audio", "available", "budget", "cached", "completion", "context", "count", "creation",
        "generated", "image", "input", "limit", "max", "maximum", "min", "minimum", "new", "num", "number", "of",
        "output", "prediction", "prompt", "read", "reasoning", "rejected", "remaining", "text", "thinking", "to",
        "total", "usage", "used",
    ]
    /// Words that, after `token`, name a property of a token: `token_type`, `tokensUsed`.
    package static let properties: Set<String> = [
        "count", "counts", "endpoint", "expiration", "expires", "expiry", "in", "at", "lifetime", "limit", "limits",
        "remaining", "ttl", "type", "types", "uri", "url", "usage", "used",
    ]
    /// Last words of names that describe a credential: `passwordPolicy`, `SharedAccessKeyName`, `cvc_check`.
    package static let descriptions: Set = [
        "algorithm", "check", "enabled", "format", "length", "name", "policy", "required", "rules", "strength",
    ]
    /// Words that can precede `key` in the name of a key that finds or sorts data.
    private static let orders: Set = ["cache", "foreign", "partition", "sort"]

    /// True for a name whose last word only describes a credential. The other words name the credential.
    private static func isDescription(_ split: [String]) -> Bool {
        split.count > 1 && split.last.map(descriptions.contains) == true
    }

    /// True for names of tokens that are not credentials: positions in lists, counts, and properties of tokens.
    private static func isHarmless(_ split: [String]) -> Bool {
        guard let place = split.firstIndex(where: { $0 == "token" || $0 == "tokens" }) else {
            return split.contains { $0.begins(with: "tokeni") } && !split.contains { words.contains($0) }
        }
        let (before, after) = (split[..<place], split[(place + 1)...])
        if !after.isEmpty {
            // `prompt_tokens_details` contains counts. `token_type_hint` (RFC 7009) is not a token, but `id_token_hint`
            // is.
            return after.allSatisfy(properties.contains) || after.elementsEqual(["type", "hint"])
                || after.elementsEqual(["details"]) && !before.isEmpty && before.allSatisfy(counts.contains)
        }
        if split[place] == "tokens" { return before.allSatisfy(counts.contains) }
        return !before.isEmpty && before.allSatisfy(positions.contains)
    }

    /// The words of a name in lower case: `apiKey`, `api_key`, `Api-Key` and `api%2Dkey` all have the words `api` and
    /// `key`.
    private static func words(of name: String) -> [String] {
        let name = name.contains(bytesOf: "%") ? name.removingPercentEncoding ?? name : name
        var found = [""]
        var previousIsLower = false
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            // `isAlphabetic` is also true for combining vowel signs, which belong to the letter before them.
            let isSeparator = !properties.isAlphabetic && properties.numericType == nil
            if isSeparator || properties.isUppercase && previousIsLower { found.append("") }
            if !isSeparator { found[found.count - 1] += properties.lowercaseMapping }
            previousIsLower = properties.isLowercase
        }
        return found.filter { !$0.isEmpty }.flatMap { positions(before: "token", in: $0) ?? [$0] }
    }

    /// Returns the words of a name without separators, such as `nextpagetoken`. Returns nil if the name does not
    /// describe a position in a list.
    private static func positions(before end: String, in word: String) -> [String]? {
        guard word.ends(with: end) else { return nil }
        var (found, rest) = ([String](), word.withoutEnd(end)[...])
        while !rest.isEmpty {
            let possible = positions.filter { rest.begins(with: $0) }
            guard let next = possible.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
            found.append(next)
            rest = Substring(rest.utf8.dropFirst(next.utf8.count))
        }
        return found + [end]
    }
}
