import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// JSON formatted for review: indented, with sorted keys, and with all numbers and strings written as the server wrote
/// them, except for secrets.
struct RedactedJSON {
    private let bytes: [UInt8]
    private let redactor: SecretRedactor
    private var names = IssuedSecrets()
    private var path: [String] = []
    /// The keys that were already checked for secrets.
    private var keys: Set<String> = []
    private var written: [UInt8] = []
    /// The paths of the redacted values.
    private(set) var redacted: [JSONPointer] = []

    /// - Parameter root: the JSON value that was parsed from `bytes`.
    /// - Throws: `SecretKey` if a key contains a secret.
    init(_ root: Node, in bytes: Data, redactor: SecretRedactor) throws(SecretKey) {
        self.bytes = [UInt8](bytes)
        self.redactor = redactor
        try write(root, .anywhere)
        written.append(UInt8(ascii: "\n"))
    }

    var data: Data { Data(written) }

    // MARK: Writing

    private mutating func write(_ node: Node, _ place: IssuedSecrets.Place) throws(SecretKey) {
        switch node.value {
        case .array(let elements):
            try write("[", elements, "]") { json, index, element throws(SecretKey) in
                json.path.append("\(index)")
                try json.write(element, place)
            }
        case .dictionary(let entries):
            let sorted = entries.sorted { ($0.key, $0.keyOffset ?? 0) < ($1.key, $1.keyOffset ?? 0) }
            try write("{", sorted, "}") { json, _, entry throws(SecretKey) in
                if json.keys.insert(entry.key).inserted { try json.redactor.check(entry.key, of: json.path) }
                json.written += json.scalar(at: entry.keyOffset) + ": ".utf8
                json.path.append(entry.key)
                try json.write(entry.node, json.names.place(of: entry.key, in: place))
            }
        case .string(let text): write(text, scalar(at: node.offset), place)
        case .integer, .real: write(number: scalar(at: node.offset), place)
        default: written += scalar(at: node.offset)
        }
    }

    /// Writes the elements of a list or an object, one on each line.
    ///
    /// - Parameter write: writes one element, and appends the element's key or index to the path.
    private mutating func write<Element>(
        _ start: String, _ elements: [Element], _ end: String,
        write: (inout Self, Int, Element) throws(SecretKey) -> Void
    ) throws(SecretKey) {
        written += start.utf8
        for (index, element) in elements.enumerated() {
            written += (index == 0 ? "\n" : ",\n").utf8
            indent(by: path.count + 1)
            try write(&self, index, element)
            path.removeLast()
        }
        if !elements.isEmpty {
            written.append(UInt8(ascii: "\n"))
            indent(by: path.count)
        }
        written += end.utf8
    }

    private mutating func indent(by level: Int) {
        written += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    private mutating func write(_ text: String, _ scalar: ArraySlice<UInt8>, _ place: IssuedSecrets.Place) {
        let isIssued =
            switch place {
            case .anywhere: false
            case .besideSecret: Redaction.looksIssued(text)
            case .secret: !text.isEmpty
            }
        let redacted =
            isIssued
            ? SensitiveName.placeholder : ForeignText.redacted(redactor.redact(text), onlyInAddresses: true)
        if redacted == text {
            written += scalar
        } else {
            self.redacted.append(JSONPointer(parts: path))
            written += Self.quoted(redacted).utf8
        }
    }

    /// Writes a number. A secret number becomes 0, because a placeholder in quotes would change the value's type.
    private mutating func write(number: ArraySlice<UInt8>, _ place: IssuedSecrets.Place) {
        // A number whose key is a plural, such as `tokens`, is a count and not a secret.
        let isIssued = place == .secret && path.last?.ends(with: "s") == false
        let digits = Array(number.drop { $0 == UInt8(ascii: "-") })
        let isSecret = redactor.matches(in: digits).contains {
            $0.key != nil || $0.isLong || $0.range == digits.indices
        }
        if isSecret || isIssued && !number.elementsEqual("0".utf8) {
            redacted.append(JSONPointer(parts: path))
            written.append(UInt8(ascii: "0"))
        } else {
            written += number
        }
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

    /// Returns the source text of the string, number, boolean or null that starts at an offset.
    private func scalar(at offset: Int?) -> ArraySlice<UInt8> {
        guard let offset else { return [] }
        var end = offset
        if bytes[offset] == UInt8(ascii: "\"") {
            end += 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            end += 1
        } else {
            while end < bytes.count, !Self.ends.contains(bytes[end]) { end += 1 }
        }
        return bytes[offset..<min(end, bytes.count)]
    }

    private static let ends = Set(" \t\r\n,]}".utf8)
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
