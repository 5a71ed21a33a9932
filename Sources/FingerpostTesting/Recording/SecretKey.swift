import Fingerpost
import FingerpostFiles

/// A secret in a key of JSON. It cannot be left out: with another key the answer would be none that the server gives.
struct SecretKey: Error {
    /// Where the object of the key stands.
    let object: JSONPointer

    /// Why something is not recorded.
    func reason(in text: String) -> String {
        "a key of \(text)" + (object.parts.isEmpty ? "" : " at \(object)") + " is a secret or holds one"
    }
}

extension SecretRedactor {
    /// - Parameter object: the path of the key's object.
    /// - Throws: when the key is a secret, or holds one that does not stand there by chance.
    func check(_ key: String, of object: [String]) throws(SecretKey) {
        let bytes = Array(key.utf8)
        if matches(in: bytes).contains(where: { $0.isLong || $0.range == bytes.indices }) {
            throw SecretKey(object: JSONPointer(parts: object))
        }
    }
}
