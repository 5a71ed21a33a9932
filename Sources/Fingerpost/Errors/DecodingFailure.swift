import FingerpostFiles
import Foundation

/// Explains why a body cannot be decoded: what was expected, at which place, and what the body contains at that place.
struct DecodingFailure {
    let reason: String
    /// The coding path of the failure, followed by the line number if it is known.
    var place: String?
    /// The JSON at the place of the failure, or around that place, without credentials; nil for a large body, which is
    /// not parsed again.
    var fragment: String?
    /// True for a body that is neither JSON nor empty.
    var isForeign = false
}

extension DecodingFailure {
    /// - Parameters:
    ///   - contentType: the body's declared type; nil if it is not known.
    ///   - decoder: the decoder that read the body; nil for a decoder other than `JSONDecoder`.
    ///   - secrets: the secrets that the texts must not contain.
    init(
        _ cause: DecodingError, in data: Data, _ contentType: String?, by decoder: JSONDecoder?,
        secrets: CallSecrets
    ) {
        let path = CodingPath.shown(cause.path)
        let place = path.isEmpty ? nil : path
        guard let decoder, data.count <= Redaction.largestBody else {
            self.init(reason: data.isBlank ? "it is empty" : cause.reason(), place: place)
            return
        }
        let document: Document
        do throws(FileProblem) {
            document = try Document(reading: data, path: "body", .body)
        } catch {
            // `JSONDecoder` accepts more texts than `Document`.
            let isRead = !cause.isOfWholeBody || error.message == FileProblem.numberTooLarge.message
            if isRead, let root = try? decoder.decode(Node.self, from: data) {
                document = Document(path: "body", root: root)
            } else if isRead {
                self.init(reason: cause.reason(), place: place)
                return
            } else {
                // The body is not JSON. Report the error from `Document`, because it contains the position of the
                // mistake, unlike Foundation's error.
                let position = error.line.map { " (line \($0), column \(error.column ?? 1))" } ?? ""
                let type = contentType.map { MediaType(contentType: $0) }
                let format = type.map { $0.isJSON ? "not JSON" : "\($0.rawValue.printable), not JSON" } ?? "not JSON"
                let message =
                    error.message.begins(with: "the file ") ? "it" + error.message.dropFirst(8) : error.message
                self.init(
                    reason: data.isBlank ? "it is empty" : "it is \(format): \(message)\(position)",
                    isForeign: !data.isBlank)
                return
            }
        }
        let (node, _, isCredential) = document.root.descendant(cause.path)
        let line = document.line(of: node.offset).map { "line \($0)" }
        let nearest = cause.missingKey.flatMap { NearestName.find($0, in: node.entries?.map(\.key) ?? []) }
        let fragment = JSONFragment(data: data, secrets: secrets)
        let hint = cause.missingKey.flatMap { decoder.nearest(to: $0, at: cause.path, in: document.root, data) }
        self.init(
            reason: cause.reason(inValidJSON: true)
                + (hint.map { " (did you mean \(fragment.text(ofKey: $0))?)" } ?? ""),
            place: place.map { $0 + (line.map { " (\($0))" } ?? "") } ?? line,
            fragment: isCredential
                ? SensitiveName.placeholder
                : fragment.text(of: node, isLacking: cause.missingKey != nil, near: nearest))
    }
}

extension JSONDecoder {
    /// Returns the key that is most similar to a missing key, in the object at a coding path. The keys are compared
    /// after this decoder has converted them.
    fileprivate func nearest(to key: String, at path: [any CodingKey], in root: Node, _ data: Data) -> String? {
        let isConverted = if case .useDefaultKeys = keyDecodingStrategy { false } else { true }
        // If the body cannot be read again, the converted keys are unknown.
        guard let root = isConverted ? try? decode(Node.self, from: data) : root else { return nil }
        let (object, isExact, _) = root.descendant(path)
        let names = object.entries?.map(\.key).filter { $0 != key } ?? []
        return isExact ? NearestName.find(key, in: names) : nil
    }
}

extension DecodingError {
    /// True if the value's own key, or the key of a value around it, is the name of a credential.
    var isOfCredential: Bool {
        path.contains { SensitiveName.isSensitive($0.stringValue) }
            || path.dropLast().contains { SensitiveName.countsTokens($0.stringValue) }
    }

    /// True for a text that the decoder cannot read at all. On Linux, the property is also true for a number that does
    /// not fit into its type.
    var isOfWholeBody: Bool {
        if case .dataCorrupted = self { path.isEmpty } else { false }
    }

    /// The name of a missing key; nil for other errors.
    fileprivate var missingKey: String? {
        if case .keyNotFound(let key, _) = self { key.stringValue } else { nil }
    }

    /// Returns what is wrong, without the place of the failure. The decoder's own text can contain the value, so this
    /// text is left out if the value is a credential.
    ///
    /// - Parameter isValid: true for valid JSON. Foundation on Linux reports a number that does not fit into its type
    ///   as invalid JSON without a place.
    package func reason(inValidJSON isValid: Bool = false) -> String {
        switch self {
        case .dataCorrupted(let context)
        where isValid && context.codingPath.isEmpty
            && context.debugDescription == "The given data was not valid JSON.":
            "a number is not in the range of the type that it is read as"
        case .keyNotFound(let key, _): "the key \"\(key.stringValue)\" is missing"
        case .valueNotFound(let type, _): "\(Self.name(of: type)) is expected, not null"
        case .typeMismatch(let type, _): "\(Self.name(of: type)) is expected"
        case .dataCorrupted where isOfCredential: "the value is invalid"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "\(self)"
        }
    }

    /// Returns a readable name of a type, because a decoder calls every list `Array<Any>`.
    private static func name(of type: Any.Type) -> String {
        if type == [Any].self { return "a list" }
        return type == [String: Any].self ? "an object" : "\(type)"
    }

    /// The coding path of the failure. For a missing key, this is the path of the object that lacks the key.
    package var path: [any CodingKey] {
        switch self {
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }
}

extension Node {
    /// Returns the value at a coding path, and whether a value on the path is a credential. If the decoder converts
    /// keys, the path may not exist in the body. In this case, returns the last value that exists on the path, and
    /// false for `isExact`.
    func descendant(_ path: [any CodingKey]) -> (Node, isExact: Bool, isCredential: Bool) {
        var (node, isCredential) = (self, false)
        for (index, key) in path.enumerated() {
            let entry = node.entries?.first { $0.key == key.stringValue }
            var next = entry?.node
            if let index = key.intValue, let elements = node.elements {
                next = elements.indices.contains(index) ? elements[index] : nil
            }
            isCredential =
                isCredential || entry?.isCredential == true || key.stringValue == "value" && node.namedCredential != nil
            guard let next else {
                return (
                    node, false, isCredential || path[index...].contains { SensitiveName.isSensitive($0.stringValue) }
                )
            }
            node = next
        }
        return (node, true, isCredential)
    }
}

extension APIError {
    /// Returns the start of a JSON body without credentials, or nil for any other body.
    ///
    /// - Parameter secrets: the secrets that the result must not contain.
    static func fragment(of body: Data, without secrets: CallSecrets) -> String? {
        guard body.count <= Redaction.largestBody, let root = Document.inspect(body) else { return nil }
        return JSONFragment(data: body, secrets: secrets).text(of: root, isLacking: false, near: nil)
    }
}

/// Renders a piece of JSON as short text for error messages.
private struct JSONFragment {
    private static let maximumLength = 160

    let data: Data
    let secrets: CallSecrets

    /// Removes credentials from text. Text is redacted before it is truncated, because a part of a secret would not be
    /// recognized.
    private func hide(_ text: String) -> String { secrets.start(of: text, 1024) }

    /// - Parameters:
    ///   - isLacking: true for an object that lacks a key. If the object is long, its keys are shown without their
    ///     values.
    ///   - nearest: the key at which the text starts; nil for the first key.
    func text(of node: Node, isLacking: Bool, near nearest: String?) -> String {
        let text = hide(render(node))
        if text.unicodeScalars.count <= Self.maximumLength { return text }
        guard isLacking, let keys = node.entries?.map(\.key) else { return cut(text, to: Self.maximumLength) }
        let start = max(0, (nearest.flatMap { keys.firstIndex(of: $0) } ?? 0) - 2)
        let shown = keys[start...].prefix(Self.maximumLength / 4).map(self.text(ofKey:))
        return (start > 0 ? "{…, " : "{") + cut(hide(shown.joined(separator: ", ") + "}"), to: Self.maximumLength)
    }

    func text(ofKey key: String) -> String { hide(key).debugDescription }

    /// Returns the start of a text. Scalars are counted, because one `Character` can be as long as the text.
    private func cut(_ text: String, to length: Int) -> String {
        let start = text.unicodeScalars.prefix(length)
        return start.endIndex == text.endIndex ? text : String(start) + "…"
    }

    private func render(_ node: Node, depth: Int = 0) -> String {
        switch node.value {
        case .string(let text):
            // Text is redacted before it is truncated and before its quotes are escaped.
            return cut(hide(text), to: 60).debugDescription
        case .real where node.offset != nil: return cut(data.number(at: node.offset ?? 0), to: 60)
        // JSON has neither dates nor data.
        case .null, .boolean, .integer, .real, .date, .data: return node.value.scalarText ?? node.value.kind
        case .array(let elements):
            if depth > 1, !elements.isEmpty { return "[…]" }
            return "[" + elements.prefix(8).map { render($0, depth: depth + 1) }.joined(separator: ", ") + "]"
        case .dictionary(let entries):
            if depth > 1, !entries.isEmpty { return "{…}" }
            let isNamed = node.namedCredential != nil
            let shown = entries.prefix(16).map { entry in
                let isHidden = entry.isCredential || isNamed && entry.key == "value"
                let value = isHidden ? SensitiveName.placeholder : render(entry.node, depth: depth + 1)
                return "\(text(ofKey: entry.key)): \(value)"
            }
            return "{" + shown.joined(separator: ", ") + "}"
        }
    }
}

extension Data {
    /// Returns the text at an offset in JSON, verbatim and without its quotes.
    func string(at offset: Int) -> String {
        var end = Swift.min(startIndex + offset + 1, endIndex)
        let start = end
        while end < endIndex, self[end] != UInt8(ascii: "\"") { end += self[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return String(decoding: self[start..<Swift.min(end, endIndex)], as: UTF8.self)
    }

    /// Returns the number at an offset in JSON, verbatim, because the parsed value can lack digits.
    func number(at offset: Int) -> String {
        String(decoding: dropFirst(offset).prefix { $0.isASCIIDigit || $0.isOne(of: "+-.eE") }, as: UTF8.self)
    }
}
