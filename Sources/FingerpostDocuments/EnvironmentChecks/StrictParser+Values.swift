import FingerpostFiles
import Foundation

/// Finds invalid values: unexpanded build settings, invalid URLs, and numbers that are not finite. A URL is invalid
/// without a host, with an invalid port, or with white space around the URL.
extension StrictParser {
    /// - Parameter placeholder: returns the text that is shown instead of a secret.
    /// - Returns: the problem, or nil for a valid value. The message continues a sentence that starts with the key's
    ///   name.
    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem? {
        if case .string(let text) = value { return problem(of: text, placeholder: placeholder) }
        var first: FileProblem?
        Node(value).visit { node in
            guard first == nil else { return }
            switch node.value {
            case .string(let text): first = problem(of: text, placeholder: placeholder)
            case .real(let number) where !number.isFinite:
                first = FileProblem("is not a finite number", fix: "write a number, or text")
            default: break
            }
        }
        return first
    }

    private static func problem(of text: String, placeholder: () -> String?) -> FileProblem? {
        if text.holdsVariable { return FileProblem(unreplacedIn: text, placeholder: placeholder()) }
        // Most texts skip this check. A damaged text that is still a URL contains a dollar sign. Any other damaged text
        // contains a colon.
        let url = URLText.url(text)
        if url == nil ? text.withBytes({ $0.contains(UInt8(ascii: ":")) }) : text.hasAny(of: "$"),
            let damage = damage(to: text, isURL: false, placeholder: placeholder)
        {
            return damage
        }
        guard text.utf8.count >= 5 else { return nil }
        if isPadded(text) { return problem(ofPadded: text) }
        // The first letter is compared before the whole scheme, because most values are not URLs.
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "h") else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.elementsEqual(":".utf8) {
            return FileProblem(
                "is only \"\(text)\", because // starts a comment in .xcconfig files",
                fix: "write \(scheme):/$()/host in the .xcconfig file, or the URL here")
        }
        guard rest.begins(with: "://") else { return nil }
        guard URLText.hasValidPort(text) else {
            return FileProblem("has a port that is not in 1...65535", fix: "correct or remove the port")
        }
        guard let url else {
            // Text with a valid host but an invalid path counts as plain text: `https://example.com/{id}` is a
            // template.
            if URLText.hasValidAuthority(text) { return nil }
            return FileProblem("is not a URL", fix: "correct the host")
        }
        if url.host?.isEmpty ?? true { return FileProblem("is a URL without a host", fix: "write the full URL") }
        return URLText.problem(ofHostIn: text)
    }

    /// The problem with a URL that has white space around it; nil for other text.
    private static func problem(ofPadded text: String) -> FileProblem? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.contains(where: \.isWhitespace), URLText.url(trimmed) != nil else { return nil }
        return FileProblem("is a URL with white space around it", fix: "remove the white space")
    }

    private static func isPadded(_ text: String) -> Bool {
        // Return early, because most texts begin and end with a visible ASCII character.
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        if let first = text.utf8.first, let last = text.utf8.last, visible ~= first, visible ~= last { return false }
        return text.first?.isWhitespace == true || text.last?.isWhitespace == true
    }
}
