import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// JSON without its secrets. Every other byte is as the server wrote it.
struct RedactedJSON {
    private var text: JSONText
    private let redactor: SecretRedactor
    private var names = IssuedSecretRule()
    private var path: [String] = []
    /// The keys that were already checked for secrets.
    private var keys: Set<String> = []
    /// The paths of the redacted values.
    private(set) var redacted: [JSONPointer] = []

    /// - Parameter root: the JSON value that was parsed from `bytes`.
    /// - Throws: `SecretKey` if a key contains a secret.
    init(_ root: Node, in bytes: Data, redactor: SecretRedactor) throws(SecretKey) {
        text = JSONText(bytes)
        self.redactor = redactor
        try search(root, .anywhere)
    }

    var data: Data { text.data }

    private mutating func search(_ node: Node, _ place: IssuedSecretRule.Place) throws(SecretKey) {
        switch node.value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append("\(index)")
                try search(element, place)
                path.removeLast()
            }
        case .dictionary(let entries):
            for entry in entries {
                if keys.insert(entry.key).inserted { try redactor.check(entry.key, of: path) }
                path.append(entry.key)
                try search(entry.node, names.place(of: entry.key, in: place))
                path.removeLast()
            }
        case .string(let text): redact(text, node, place)
        case .integer, .real: redact(number: node, place)
        default: break
        }
    }

    private mutating func redact(_ text: String, _ node: Node, _ place: IssuedSecretRule.Place) {
        let isIssued =
            switch place {
            case .anywhere: false
            case .besideSecret: Credentials.looksIssued(text)
            case .secret: !text.isEmpty
            }
        let redacted =
            isIssued
            ? SensitiveName.placeholder : ForeignText.redacted(redactor.redact(text), onlyInAddresses: true)
        if redacted != text { replace(node, with: Self.quoted(redacted)) }
    }

    /// Redacts a number. A secret number becomes 0, because a placeholder in quotes would change the value's type.
    private mutating func redact(number node: Node, _ place: IssuedSecretRule.Place) {
        // A number whose key is a plural, such as `tokens`, is a count and not a secret.
        let isIssued = place == .secret && path.last?.ends(with: "s") == false
        let number = text[node]
        let digits = Array(number.drop { $0 == UInt8(ascii: "-") })
        let isSecret = redactor.matches(in: digits).contains {
            $0.key != nil || $0.isLong || $0.range == digits.indices
        }
        if isSecret || isIssued && !number.elementsEqual("0".utf8) { replace(node, with: "0") }
    }

    private mutating func replace(_ node: Node, with replacement: String) {
        redacted.append(JSONPointer(parts: path))
        text.replace(node, with: replacement.utf8)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

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
