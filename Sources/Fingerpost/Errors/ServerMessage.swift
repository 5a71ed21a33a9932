import FingerpostFiles
import Foundation

/// Finds the human-readable message in an error body.
enum ServerMessage {
    /// The keys under which services put the message, the clearest key first. RFC 9457 defines `detail` and `title`.
    /// Vapor uses `reason`, FastAPI `msg`, AWS `Message` and `errorMessage`, Jira `errorMessages`, TMDb
    /// `status_message`, Google Maps `error_message`, and Apigee `faultstring`.
    private static let keys =
        [
            "message", "Message", "error_description", "detail", "description", "reason", "msg", "errorMessage",
            "errorMessages", "error_message", "errorDetail", "status_message", "faultstring", "error", "errors",
            "title",
        ] + namesOfNoField
    /// Keys of objects that contain texts about the call. Services send these objects beside the content.
    private static let containers = ["fault", "status", "meta"]
    /// The keys that Django uses instead of a field's name if a message concerns several fields or none.
    private static let namesOfNoField = ["non_field_errors", "__all__"]

    /// - Parameter type: the value of `Content-Type`; nil if the response has none.
    /// - Returns: the message. For a body without a message, the line is the title of a page or the first line of a
    ///   text.
    static func find(in body: Data, type: String?) -> (message: String?, line: String?) {
        guard body.count <= Redaction.largestBody else { return (nil, nil) }
        if let root = Document.inspect(body) { return (message(in: root), nil) }
        guard let text = body.text else { return (nil, nil) }
        // AWS and SOAP services respond with XML.
        let element = /<(Message|faultstring)(?: [^<>]*)?>\s*([^<\s][^<]*)<\/\1>/.matchingSemantics(.unicodeScalar)
        if let message = text.firstMatch(of: element) {
            return (unescaped(message.2).trimmingCharacters(in: .whitespacesAndNewlines), nil)
        }
        let line = firstLine(of: body)
        return type.map { MediaType(contentType: $0).rawValue } == "text/plain" ? (line, nil) : (nil, line)
    }

    /// Returns true if an object reports a failure, even with a success status.
    static func isFailure(_ body: Data) -> Bool {
        guard body.count <= Redaction.largestBody, let root = Document.inspect(body) else { return false }
        return ["error", "errors"].contains { root[$0]?.isSomething ?? false }
    }

    /// A message about a field: `name is too short`, or `email: This field is required.`
    static func text(_ message: String, about field: String) -> String {
        if namesOfNoField.contains(where: field.isSame) { return message }
        let isSentence = message.unicodeScalars.first?.properties.isUppercase == true
        return field + (isSentence ? ": " : " ") + message
    }

    /// Returns the title of a page, or the first nonempty line of any other text.
    static func firstLine(of body: Data) -> String? {
        guard let text = String(data: body.prefix(Redaction.largestBody), encoding: .utf8) else { return nil }
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), let title = title(of: body) { return title }
        // A `Character` never joins a line break with other text.
        return text.words(between: "\r\n").lazy.map { $0.trimmingCharacters(in: .whitespaces) }
            .first { !$0.isEmpty }
    }

    /// Returns the title of a page. Titles are near the start.
    private static func title(of page: Data) -> String? {
        let element = /<title(?: [^<>]*)?>\s*([^<\s][^<]*)<\/title/.ignoresCase().matchingSemantics(.unicodeScalar)
        return String(decoding: page.prefix(16_384), as: UTF8.self).firstMatch(of: element)
            .map { unescaped($0.1).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    private static func message(in root: Node) -> String? {
        if root.entries == nil { return text(of: root, depth: 0) }
        let ofContainers = containers.compactMap { root[$0] }.filter { $0.entries != nil }
        return find(in: root, depth: 0) ?? ofContainers.compactMap { find(in: $0, depth: 1) }.first
            ?? fieldMessage(in: root)
    }

    private static func find(in node: Node, depth: Int) -> String? {
        for key in keys {
            if let value = node[key], let text = text(of: value, depth: depth) { return text }
        }
        return nil
    }

    // This function is not inlined, because it is recursive and would be copied into its callers.
    @inline(never)
    private static func text(of value: Node, depth: Int) -> String? {
        switch value.value {
        case .string(let text): return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
        case .array(let elements):
            return elements.filter { $0.elements == nil }.compactMap { text(of: $0, depth: depth) }.first
        case .dictionary(let entries):
            if depth >= 2 { return nil }
            if let text = find(in: value, depth: depth + 1) { return text }
            // Rails and GitLab list several messages for each field, {"name": ["is too short"]}. Jira has one message
            // for each field.
            return entries.compactMap(\.message).first
        default: return nil
        }
    }

    /// Returns the first message of a body that consists only of lists of messages by field. Controllers that Rails
    /// generates send this format: `{"name": ["is too short"]}`.
    private static func fieldMessage(in root: Node) -> String? {
        let entries = root.entries ?? []
        let isOfFields = entries.allSatisfy { $0.node.elements?.first?.string?.contains(bytesOf: " ") == true }
        return isOfFields ? entries.first?.message : nil
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing(bytesOf: $1.0, with: $1.1) }
    }
}

extension Node.Entry {
    /// The message of a field, or the first of several messages. A text without a space is left out, because it may be
    /// a code.
    fileprivate var message: String? {
        let text = node.texts.first?.text ?? node.string.flatMap { $0.contains(bytesOf: " ") ? $0 : nil }
        return text.map { ServerMessage.text($0, about: key) }
    }
}

extension Node {
    /// True unless the value is null, false, zero or empty.
    fileprivate var isSomething: Bool {
        if let elements { return !elements.isEmpty }
        if let entries { return !entries.isEmpty }
        return !["null", "false", "0", ""].contains(value.scalarText ?? "null")
    }
}
