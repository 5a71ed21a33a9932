import Fingerpost
import FingerpostFiles

/// A key in JSON that contains a secret. Such JSON is not recorded, because a changed key would change the structure of
/// the answer.
struct SecretKey: Error {
    /// The place of the object with the key.
    let object: JSONPointer

    /// Why the JSON is not recorded. Does not contain the key.
    ///
    /// - Parameter text: names the JSON: `the body`.
    func reason(in text: String) -> String {
        "a key of \(text)" + (object.parts.isEmpty ? "" : " at \(object)") + " contains a secret"
    }
}

extension SecretRedactor {
    /// - Parameter object: the path of the key's object.
    /// - Throws: `SecretKey` if the key is a secret, or contains one that is too long to be a coincidence.
    func check(_ key: String, of object: [String]) throws(SecretKey) {
        let bytes = Array(key.utf8)
        if matches(in: bytes).contains(where: { $0.isLong || $0.range == bytes.indices }) {
            throw SecretKey(object: JSONPointer(parts: object))
        }
    }
}
