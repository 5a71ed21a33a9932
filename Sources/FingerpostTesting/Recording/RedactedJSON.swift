import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// JSON with its secrets redacted. All other bytes stay as the server wrote them.
struct RedactedJSON {
    private let bytes: [UInt8]
    /// The replaced values, in the order of the text.
    private var replacements: [(range: Range<Int>, text: String)] = []
    private let redactor: SecretRedactor
    private let isOfError: Bool
    private var names = ResponseSecretKeys()
    private var path: [String] = []
    /// The keys that were already checked for secrets.
    private var keys: Set<String> = []
    /// The paths of the redacted values.
    private(set) var redacted: [String] = []

    /// - Parameters:
    ///   - root: the JSON value that was parsed from `bytes`.
    ///   - isOfError: true for the body of an error. In such a body, a text of several words under the name of a
    ///     credential is an error message: `{"password": ["is too short"]}`.
    /// - Throws: an error if a key contains a secret.
    init(_ root: Node, in bytes: Data, redactor: SecretRedactor, isOfError: Bool = false) throws(FixedSecret) {
        self.bytes = [UInt8](bytes)
        (self.redactor, self.isOfError) = (redactor, isOfError)
        try search(root, .none)
    }

    var data: Data { Data(String(decoding: bytes, as: UTF8.self).replacing(replacements).utf8) }

    private mutating func search(_ node: Node, _ place: ResponseSecretKeys.Place) throws(FixedSecret) {
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
                let isCredential = SensitiveName.countsTokens(entry.key) && entry.isCredential
                try search(entry.node, isCredential ? .secret : names.place(of: entry.key, in: place))
                path.removeLast()
            }
        case .string(let text): try redact(text, node, place)
        case .integer, .real: redact(number: node, place)
        default: break
        }
    }

    private mutating func redact(_ text: String, _ node: Node, _ place: ResponseSecretKeys.Place) throws(FixedSecret) {
        let isMessage = isOfError && text.hasAny(of: " ") && !NamedText.isCredential(Array(text.utf8)[...])
        let isHarmless = place == .none || text.isEmpty || isMessage
        // A secret URL is replaced by another URL, so that a model can decode the value.
        let placeholder = URLText.url(text) == nil ? SensitiveName.placeholder : "https://redacted.invalid"
        let redacted = isHarmless ? try json(text) ?? redactor.hidden(text) : placeholder
        if redacted == text { return }
        // Every text can be written as JSON.
        let written = (try? Node(.string(redacted)).json()) ?? Data("\"\(SensitiveName.placeholder)\"".utf8)
        replace(range(of: node), with: String(decoding: written, as: UTF8.self))
    }

    /// Returns JSON text with its secrets redacted. Returns nil if the text is not JSON.
    private func json(_ text: String) throws(FixedSecret) -> String? {
        let bytes = Data(text.utf8)
        guard text.begins(with: "{") || text.begins(with: "["), let root = Document.inspect(bytes) else { return nil }
        return try RedactedJSON(root, in: bytes, redactor: redactor, isOfError: isOfError).data.text ?? text
    }

    /// Redacts a number. A secret number becomes 0, because a placeholder in quotes would change the value's type.
    private mutating func redact(number node: Node, _ place: ResponseSecretKeys.Place) {
        // A single number under a plural name, such as `tokens`, is a count. Numbers in a list under such a name are
        // credentials.
        let isToken = path.last { Int($0) == nil }.map(SensitiveName.countsTokens) == true
        let isIssued = place == .secret && path.last?.ends(with: "s") == false && !isToken
        let range = range(of: node)
        let number = bytes[range]
        let digits = number.drop { $0 == UInt8(ascii: "-") }
        if redactor.isSecret(digits) || isIssued && !number.elementsEqual("0".utf8) { replace(range, with: "0") }
    }

    private mutating func replace(_ range: Range<Int>, with replacement: String) {
        redacted.append(path.pointer)
        replacements.append((range, replacement))
    }

    /// Returns the range of a string or a number. A string ends at its quote, and a number before the next separator.
    private func range(of node: Node) -> Range<Int> {
        let start = node.offset ?? 0
        var end = start + 1
        if bytes[start] != UInt8(ascii: "\"") {
            return start..<(bytes[end...].firstIndex { $0.isOne(of: ",]} \t\r\n") } ?? bytes.count)
        }
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return start..<min(end + 1, bytes.count)
    }
}

/// The error for a secret that cannot be removed without changing what the response means.
enum FixedSecret: Error {
    /// The secret is in a key.
    case key(of: String)
    /// The secret spans several lines of an event's text.
    case lines
    /// The secret is in a line that is not valid UTF-8.
    case bytes

    /// Returns the reason why a text is not recorded. The reason does not contain the secret.
    ///
    /// - Parameter text: a name for the text, for example `the body`.
    func reason(in text: String) -> String {
        switch self {
        case .key(let object):
            "a key of \(text)" + (object.isEmpty ? "" : " at \(object)") + " contains a secret"
        case .lines: "an event of \(text) contains a secret over several lines"
        case .bytes: "\(text) is not in UTF-8 and contains a secret"
        }
    }
}

extension SecretRedactor {
    /// - Parameter object: the path of the object that contains the key.
    /// - Throws: an error if the key is a secret, or contains a long secret. A short secret can occur in a key by
    ///   coincidence.
    func check(_ key: String, of object: [String]) throws(FixedSecret) {
        if isSecret(key.utf8) || NamedValues.hidden(in: key) != key { throw .key(of: object.pointer) }
    }

    /// - Throws: an error if bytes that are not valid UTF-8 contain a secret.
    func check(bytes: Data) throws(FixedSecret) {
        if findsSecret(inBinary: bytes) { throw .bytes }
    }
}

extension [String] {
    /// The path of a value in a document as a JSON Pointer (RFC 6901): `/items/0/id`. The pointer to the whole document
    /// is empty.
    var pointer: String {
        map { "/" + $0.replacing(bytesOf: "~", with: "~0").replacing(bytesOf: "/", with: "~1") }.joined()
    }
}

/// The body of a stream, with its secrets redacted. All other bytes stay as the server wrote them.
struct RedactedStream {
    let data: Data
    let isRedacted: Bool

    /// - Parameter stream: the elements that were read from the body.
    /// - Throws: an error if a secret cannot be removed: see ``FixedSecret``.
    init(_ stream: StreamedElements, in data: Data, redactor: SecretRedactor) throws(FixedSecret) {
        let ends = MockPace.Unit.line.ends(in: data)
        let starts = [0] + ends
        var lines = zip(starts, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        var isRedacted = false
        /// Replaces the text at the end of a line.
        func replace(_ old: Data, with new: Data, in line: Int) {
            if old == new { return }
            isRedacted = true
            let text = lines[line].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            // If the line is not valid UTF-8, the bytes of the event's text differ from the bytes of the line.
            let name = text.suffix(old.count) == old ? text.dropLast(old.count) : Data("data: ".utf8)
            lines[line] = name + new + lines[line].dropFirst(text.count)
        }
        var isRead: Set<Int> = []
        for element in stream.elements {
            isRead.formUnion(element.lines)
            let old = element.data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var new = old
            if let root = JSONReader.inspect(element.data) {
                let recorded = try RedactedJSON(root, in: element.data, redactor: redactor).data
                new = recorded.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            } else {
                guard let text = element.data.text else {
                    try redactor.check(bytes: element.data)
                    continue
                }
                let shown = text.parts(between: "\n").map { redactor.hidden(String($0)) }
                guard redactor.hidden(text) == shown.joined(separator: "\n") else { throw .lines }
                if shown.joined(separator: "\n") != text { new = shown.map { Data($0.utf8) } }
            }
            for (line, (old, new)) in zip(element.lines, zip(old, new)) { replace(old, with: new, in: line - 1) }
        }
        // The remaining lines are comments and fields other than `data`.
        for line in lines.indices where !isRead.contains(line + 1) {
            guard let text = lines[line].text else {
                try redactor.check(bytes: lines[line])
                continue
            }
            let shown = redactor.hidden(text)
            if shown != text { (lines[line], isRedacted) = (Data(shown.utf8), true) }
        }
        self.isRedacted = isRedacted
        self.data = isRedacted ? Data(lines.joined()) : data
    }
}
