import Fingerpost
import FingerpostFiles

// What a credential is called in the response of a server, for recordings and archives.
extension SensitiveName {
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
    static func mayHoldIssued(_ name: String) -> Bool { isIssued(name) || words(of: name) == ["tokens"] }
}
