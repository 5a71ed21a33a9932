import Fingerpost
import FingerpostFiles

/// Determines whether a value in a response's body is a secret, based on the keys on the path to the value.
///
/// The result for each key is cached, because bodies repeat a few keys many times.
struct ResponseSecretKeys {
    enum Place {
        /// No key on the path names a secret, or the last key only describes a secret, such as `expires_at` in
        /// `{"token": {"expires_at": …}}`.
        case none
        /// The value is in an object under the name of a secret. A text in such an object is secret.
        case inside
        /// The value, or the list that contains the value, is under the name of a secret. A text or a number there is
        /// secret.
        case secret
    }

    private var known: [String: (isIssued: Bool, isDescription: Bool)] = [:]

    /// Returns the place of an object's value, based on the value's key and the object's place.
    mutating func place(of key: String, in object: Place) -> Place {
        let name = known[key] ?? (SensitiveName.isIssued(key), SensitiveName.isDescription(key))
        known[key] = name
        if name.isIssued { return .secret }
        if object == .none || name.isDescription { return .none }
        return key == "value" ? .secret : .inside
    }
}

// The names of credentials in a server's responses.
extension SensitiveName {
    /// The last words of names that describe a credential in a response, such as `apiKeyId`. In a request, the
    /// value under such a name may be a credential.
    private static let issuedDescriptions = descriptions.union(properties).union([
        "address", "change", "changed", "created", "date", "description", "email", "error", "exists", "hint", "id",
        "ids", "index", "issuer", "kind", "label", "left", "less", "message", "method", "methods", "mode", "names",
        "on", "question", "scope", "scopes", "second", "secretariat", "secretaries", "secretary", "set", "state",
        "status", "supported", "symbol", "time", "title", "until", "updated", "username", "valid", "version",
        "visibility",
    ])
    private static let issuedWords = passwords.union(["pin", "csrf", "xsrf"])
    /// Verbs before `credentials`, as in `allowCredentials`. A name with such a verb is not the name of a credential.
    private static let verbs: Set = ["allow", "exclude", "include", "with"]

    /// Returns true if a value under this name in a response's body is a secret: `access_token`, `secretKey`,
    /// `passwords`.
    ///
    /// Properties of a secret, such as `token_type` or `passwordResetRequired`, are not secret. Values under names such
    /// as `key`, `code` and `session` are not secret either, because most of these values are ids.
    static func isIssued(_ name: String) -> Bool {
        let (split, isHarmless, isCode) = read(name)
        let (last, folded) = (split.last ?? "", split.joined())
        if whole.contains(folded) || folded == "tokens" || folded == "wpnonce" { return true }
        if isHarmless { return false }
        if issuedWords.contains(last) { return true }
        // Only short words count in the plural, such as `pins`. A longer word, such as `assertions`, often has another
        // meaning.
        if last.utf8.count <= 5, last.ends(with: "s"), issuedWords.contains(last.withoutEnd("s")) { return true }
        if isCode { return true }
        // The value of `cost_per_token` is a price, not a token.
        if split.contains("per") { return false }
        if last == "credential" || last == "credentials" { return !verbs.contains(split.dropLast().last ?? "") }
        let singular = folded.ends(with: "s") ? folded.withoutEnd("s") : folded
        return stems.contains { singular.ends(with: $0) }
            || !isDescription(split) && stems.contains { folded.contains(bytesOf: $0) }
    }

    /// Returns true if a name describes a credential instead of naming one: `token_type`.
    static func isDescription(_ name: String) -> Bool { isDescription(read(name).words) }

    private static func isDescription(_ split: [String]) -> Bool {
        guard let last = split.last else { return false }
        // The words of a name can be joined without a separator: `passwordpolicy`.
        return issuedDescriptions.contains { last == $0 || $0.utf8.count > 3 && last.ends(with: $0) }
    }
}
