import Fingerpost
import FingerpostFiles

/// Uses the keys on the path to a JSON value to decide whether the value is a secret that a server issued, such as an
/// access token.
struct IssuedSecretRule {
    /// States whether a JSON value is a secret, may be a secret, or is not secret, judged by the keys on the path to
    /// the value.
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
        let isIssued = known[key] ?? SensitiveName.mayHoldIssued(key)
        known[key] = isIssued
        if isIssued { return .secret }
        if object == .anywhere { return .anywhere }
        return ["access", "refresh", "value"].contains(key) ? .secret : .besideSecret
    }
}
