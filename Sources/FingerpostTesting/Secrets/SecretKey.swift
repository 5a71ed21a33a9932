import Fingerpost
import FingerpostFiles
import FingerpostMockFiles

/// The error for a JSON key that contains a secret. JSON is not recorded if one of its keys contains a secret, because
/// redacting the key would change the answer's structure.
struct SecretKey: Error {
    /// The path of the object that contains the key.
    let object: JSONPointer

    /// The reason that the JSON is not recorded. The reason does not contain the key itself.
    ///
    /// - Parameter text: a name for the JSON in the reason's text, for example `the body`.
    func reason(in text: String) -> String {
        "a key of \(text)" + (object.parts.isEmpty ? "" : " at \(object)") + " contains a secret"
    }
}

extension SecretRedactor {
    /// - Parameter object: the path of the object that contains the key.
    /// - Throws: `SecretKey` if the key equals a secret, or contains a long secret. A short secret can occur inside a
    ///   key by coincidence.
    func check(_ key: String, of object: [String]) throws(SecretKey) {
        let bytes = Array(key.utf8)
        if matches(in: bytes).contains(where: { $0.isLong || $0.range == bytes.indices }) {
            throw SecretKey(object: JSONPointer(parts: object))
        }
    }
}
