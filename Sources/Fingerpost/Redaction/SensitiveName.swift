import FingerpostFiles

/// Decides from the name of a header, query item or JSON key whether its value is a credential.
package enum SensitiveName {
    /// The text shown instead of a sensitive value.
    package static let placeholder = URLText.placeholder

    /// Whole names of headers, cookies and query items whose values are credentials. In a body, a field with one of
    /// these names often contains a value that is not a credential.
    private static let names: Set<String> = [
        "code", "cookie", "setcookie", "pin", "sid", "connectsid", "sessid", "phpsessid", "sessionid", "jsessionid",
        "xaccess", "appid", "ticket", "mfa", "2fa", "authentication", "aspxauth",
    ]

    /// A name is sensitive if any of its words is in this set: `X-Api-Key`, `apiKey`, `api_key`.
    private static let words: Set<String> = [
        "auth", "key", "session", "sess", "sig", "credential", "credentials", "csrf", "xsrf",
    ]

    /// Words that make a name sensitive in bodies too, not only in headers and query items.
    private static let passwords: Set<String> = [
        "pass", "userpass", "pwd", "otp", "totp", "hmac", "bearer", "assertion", "cvv", "cvv2", "cvc", "cvc2", "psk",
        "verifier",
    ]

    /// Pieces of text that make a name sensitive even inside a longer word: `apikey`, `accesstoken`.
    private static let stems = [
        "token", "tokenset", "secret", "password", "passwd", "passphrase", "passcode", "passkey", "apikey", "accesskey",
        "accountkey", "authkey", "encryptionkey", "hmackey", "masterkey", "privatekey", "sessionkey", "sharedkey",
        "signingkey", "authcookie", "sessioncookie", "jwt", "samlresponse",
    ]
    /// Such pieces of names in requests. In a response, most of these names have values that are not secret.
    private static let requestStems = ["signature", "authorization", "samlrequest", "samlart", "dpop"]

    /// The words that, directly before `code`, name a code that proves who somebody is.
    private static let codes: Set<String> = [
        "access", "activation", "auth", "authentication", "authorization", "backup", "confirmation", "device", "login",
        "mfa", "otp", "pin", "recovery", "reset", "security", "sms", "user", "verification",
    ]

    /// True if the value of a header, a query item or a JSON key with this name is a credential.
    package static func isSensitive(_ name: String) -> Bool {
        let split = words(of: name)
        // Fields of the Fetch standard (CORS) allow or forbid credentials and contain none.
        if isHarmlessToken(split) || split.starts(with: ["access", "control"]) { return false }
        // An idempotency key names an operation, and proves nothing.
        if split.contains(where: { $0.begins(with: "idempoten") }) { return false }
        return names.contains(split.joined()) || split.contains(where: words.contains) || isPassword(split)
    }

    /// True for the name of a credential or of several, such as `tokens` and `sessions`.
    static func isSensitiveOrPlural(_ name: String) -> Bool {
        isSensitive(name) || name.ends(with: "s") && isSensitive(name.withoutEnd("s"))
    }

    /// True for names of passwords and similar credentials. Use this function for request bodies, where names such as
    /// `key` and `session` are usually harmless.
    static func isPassword(_ name: String) -> Bool {
        let split = words(of: name)
        return !isHarmlessToken(split) && (split.contains { $0.isSame(as: "pin") } || isPassword(split))
    }

    private static func isPassword(_ split: [String]) -> Bool {
        if split.contains(where: passwords.contains) || isCode(split) { return true }
        let folded = split.joined()
        return stems.contains { folded.contains(bytesOf: $0) } || requestStems.contains { folded.contains(bytesOf: $0) }
    }

    /// Whole names of secrets in a response body.
    private static let issued = ["authorization", "cookie", "cookies", "setcookie", "secretid"]
    /// Last words of such names.
    private static let issuedWords = ["pin", "csrf", "xsrf"]
    /// Words that, before `credentials`, say what is done with credentials: `allowCredentials`.
    private static let verbs = ["allow", "exclude", "include", "with"]

    /// True if the value of a key with this name in a response body is a secret: `access_token`, `secretKey`,
    /// `passwords`.
    ///
    /// The properties of a secret, such as `token_type` or `passwordResetRequired`, are not secret. In bodies, the
    /// values of names such as `key`, `code` and `session` are not assumed to be secret either, because most of these
    /// values are ids.
    static func isIssued(_ name: String) -> Bool {
        let split = words(of: name)
        if isHarmlessToken(split) { return false }
        let last = split.last ?? ""
        if passwords.contains(last) || issuedWords.contains(last) || isCode(split) { return true }
        if ["credential", "credentials"].contains(last) { return !verbs.contains(split.dropLast().last ?? "") }
        let folded = split.joined()
        return issued.contains(folded) || stems.contains { isCredential($0, in: Array(folded.utf8)) }
    }

    /// True if a name contains a stem, and what follows does more than to describe it.
    private static func isCredential(_ stem: String, in name: [UInt8]) -> Bool {
        guard let place = name.indices.last(where: { name[$0...].starts(with: stem.utf8) }) else { return false }
        let rest = name[(place + stem.utf8.count)...]
        let plural = rest.first == UInt8(ascii: "s") ? rest.dropFirst() : []
        return ![rest, plural].contains { !$0.isEmpty && isDescription($0) }
    }

    /// True if a text consists of words that describe a credential, as in `passwordresetrequired`.
    private static func isDescription(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 48 else { return false }
        return text.isEmpty
            || properties.union(descriptions).contains { word in
                text.starts(with: word.utf8) && isDescription(text.dropFirst(word.utf8.count))
            }
    }

    /// True if text under a key with this name in a response body is a secret. Besides the names of ``isIssued(_:)``,
    /// this is `tokens`, which can be a list of tokens or a number of tokens.
    package static func mayHoldIssued(_ name: String) -> Bool { isIssued(name) || words(of: name) == ["tokens"] }

    /// True for `device_code`, `userCode` and `verificationcodes`, and false for `country_code` and `presetcode`.
    private static func isCode(_ split: [String]) -> Bool {
        guard let last = split.last else { return false }
        for ending in ["code", "codes"] where last.ends(with: ending) {
            let before = last == ending ? split.dropLast().last : last.withoutEnd(ending)
            if let before, codes.contains(before) { return true }
        }
        return false
    }

    // MARK: Tokens that are no credentials

    /// Words that, before `token`, name a position in a list: `page_token`, `nextPageToken`.
    private static let positions: Set<String> = [
        "continuation", "continue", "cursor", "delta", "end", "next", "page", "pagination", "paging", "prev",
        "previous", "resume", "skip", "start", "starting", "sync",
    ]
    /// Words that, before `tokens`, count the tokens of a text: `max_tokens`, `completionTokens`.
    private static let counts: Set<String> = [
        "accepted", "allowed", "audio", "available", "budget", "cached", "completion", "context", "count", "creation",
        "generated", "image", "input", "limit", "max", "maximum", "min", "minimum", "new", "num", "number", "of",
        "output", "prediction", "prompt", "read", "reasoning", "rejected", "remaining", "text", "thinking", "to",
        "total", "usage", "used",
    ]
    /// Words that, after `token`, name a property of a token: `token_type`, `tokensUsed`.
    private static let properties: Set<String> = [
        "count", "counts", "endpoint", "expiration", "expires", "expiry", "in", "at", "lifetime", "limit", "limits",
        "remaining", "ttl", "type", "types", "uri", "url", "usage", "used",
    ]
    /// Words that, after the name of a credential in a response, describe it: `passwordPolicy`, `secretName`,
    /// `token_endpoint_auth_methods_supported`. The last ones are the ends of other words, such as `secretary`.
    private static let descriptions: Set<String> = [
        "age", "alg", "algorithm", "algorithms", "attempts", "auth", "change", "changed", "config", "created", "date",
        "days", "description", "disabled", "enabled", "enc", "encryption", "error", "errors", "exists", "expired",
        "field", "format", "hint", "hours", "id", "ids", "introspection", "issuer", "label", "last", "length", "link",
        "manager", "max", "message", "method", "methods", "min", "minutes", "mode", "name", "names", "on", "options",
        "policies", "policy", "present", "provider", "required", "requirements", "reset", "revocation", "rotated",
        "rotation", "rule", "rules", "scope", "scopes", "seconds", "service", "set", "settings", "signing", "size",
        "source", "state", "status", "strength", "supported", "time", "updated", "valid", "validity",
        "valuessupported", "verified", "version", "less", "ary", "aries",
    ]

    /// True for names of tokens that are no credentials: positions in lists, counts, and properties of tokens.
    private static func isHarmlessToken(_ split: [String]) -> Bool {
        // text-by-bytes: the words are whole
        guard let place = split.firstIndex(where: { $0 == "token" || $0 == "tokens" }) else {
            return split.contains { $0.begins(with: "tokeni") } && !split.contains { words.contains($0) }
        }
        let (before, after) = (split[..<place], split[(place + 1)...])
        if !after.isEmpty { return after.allSatisfy(properties.contains) }
        if split[place] == "tokens" { return before.allSatisfy(counts.contains) }
        return !before.isEmpty && before.allSatisfy(positions.contains)
    }

    /// The words of a name in lower case: `apiKey`, `api_key` and `Api-Key` all have the words `api` and `key`.
    private static func words(of name: String) -> [String] {
        var found: [String] = []
        var word = ""
        var previousIsLower = false
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            let isSeparator = !isLetterOrNumber(properties.generalCategory)
            if isSeparator || properties.isUppercase && previousIsLower {
                if !word.isEmpty { found.append(word) }
                word = ""
            }
            if !isSeparator { word += properties.lowercaseMapping }
            previousIsLower = properties.isLowercase
        }
        return word.isEmpty ? found : found + [word]
    }

    /// False for marks, which Unicode joins with the letter before them.
    private static func isLetterOrNumber(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}

extension HTTPHeaders.Name {
    /// True if the field's value is a credential. Credentials are redacted, and are not sent to another origin.
    var isSensitive: Bool { SensitiveName.isSensitive(rawValue) }

    /// True if a header with this name may follow a call to another origin: by a redirect, to the next page of a list,
    /// or to a server other than that of the client. Credentials may not, whoever set them.
    ///
    /// - Parameter authorization: the headers of the client's authorization, whose names may look harmless.
    package func mayFollow(authorization: Set<HTTPHeaders.Name>) -> Bool {
        !isSensitive && !authorization.contains(self)
    }
}
