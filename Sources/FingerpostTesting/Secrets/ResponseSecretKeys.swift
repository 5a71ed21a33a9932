import Fingerpost
import FingerpostFiles

/// Decides by the keys on the path to a value in the body of a response whether the value is a secret.
///
/// The answer for each key is kept, because bodies repeat a few keys many times.
struct ResponseSecretKeys {
    enum Place {
        /// No key names a secret, or the last one describes it, as `expires_at` in `{"token": {"expires_at": …}}`.
        case none
        /// The value is in an object that has the name of a secret: text there is secret.
        case inside
        /// The value's own key names a secret, or that of the list that contains it: text and numbers are secret.
        case secret
    }

    private var known: [String: (isIssued: Bool, isDescription: Bool)] = [:]

    /// The place of the value under a key of an object.
    mutating func place(of key: String, in object: Place) -> Place {
        let name = known[key] ?? (SensitiveName.isIssued(key), SensitiveName.isDescription(key))
        known[key] = name
        if name.isIssued { return .secret }
        if object == .none || name.isDescription { return .none }
        return key == "value" ? .secret : .inside
    }
}

// What a credential is called in the response of a server.
extension SensitiveName {
    /// More last words of names that describe a credential in a response, such as `apiKeyId`. In a request, such a name
    /// may be that of a credential.
    private static let issuedDescriptions = descriptions.union(properties).union([
        "address", "change", "changed", "created", "date", "description", "email", "error", "exists", "hint", "id",
        "ids", "index", "issuer", "kind", "label", "left", "less", "message", "method", "methods", "mode", "names",
        "on", "question", "scope", "scopes", "second", "secretariat", "secretaries", "secretary", "set", "state",
        "status", "supported", "symbol", "time", "title", "until", "updated", "username", "valid", "version",
        "visibility",
    ])
    private static let issuedWords = passwords.union(["pin", "csrf", "xsrf"])
    /// Words that, before `credentials`, say what is done with credentials: `allowCredentials`.
    private static let verbs: Set = ["allow", "exclude", "include", "with"]

    /// True if the value of a key with this name in the body of a response is a secret: `access_token`, `secretKey`,
    /// `passwords`.
    ///
    /// The properties of a secret, such as `token_type` or `passwordResetRequired`, are not secret, and values of names
    /// such as `key`, `code` and `session` are not either: in bodies, most of these are ids.
    static func isIssued(_ name: String) -> Bool {
        let (split, isHarmless, isCode) = read(name)
        let (last, folded) = (split.last ?? "", split.joined())
        if whole.contains(folded) || folded == "tokens" || folded == "wpnonce" { return true }
        if isHarmless { return false }
        if issuedWords.contains(last) { return true }
        // Several short ones, such as `pins`; `assertions` are often those of a test.
        if last.utf8.count <= 5, last.ends(with: "s"), issuedWords.contains(last.withoutEnd("s")) { return true }
        if isCode { return true }
        // `cost_per_token` is a number of something else.
        if split.contains("per") { return false }
        if last == "credential" || last == "credentials" { return !verbs.contains(split.dropLast().last ?? "") }
        let singular = folded.ends(with: "s") ? folded.withoutEnd("s") : folded
        return stems.contains { singular.ends(with: $0) }
            || !isDescription(split) && stems.contains { folded.contains(bytesOf: $0) }
    }

    /// True for a name that describes the thing of the name before it.
    static func isDescription(_ name: String) -> Bool { isDescription(read(name).words) }

    private static func isDescription(_ split: [String]) -> Bool {
        guard let last = split.last else { return false }
        // A name can be written in one word: `passwordpolicy`.
        return issuedDescriptions.contains { last == $0 || $0.utf8.count > 3 && last.ends(with: $0) }
    }
}
