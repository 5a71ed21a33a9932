import FingerpostFiles
import Foundation

/// Finds problems in text that should be a URL: damage by build settings and scripts, a missing scheme, and characters
/// that a URL cannot contain.
extension StrictParser {
    /// Returns the problem with text that should be a URL but is not one. The message continues a sentence that starts
    /// with the key's name.
    ///
    /// - Parameter placeholder: the text that is shown instead of a secret.
    static func problem(ofURL text: String, placeholder: String?) -> FileProblem {
        if text.begins(with: "ENC[") {
            return FileProblem("is encrypted with SOPS", fix: "decrypt the file with sops before the build")
        }
        if let damage = damage(to: text, isURL: true, placeholder: { placeholder }) { return damage }
        guard text.withBytes({ URLText.isAbsolute($0) }) else {
            return FileProblem(
                "is not a URL with a scheme", fix: "write it in full, for example https://api.example.com")
        }
        guard let (character, escape) = URLText.misfit(in: text) else {
            return FileProblem(
                "has a host that a URL cannot have", fix: "correct it, and write a host with other letters as xn--…")
        }
        return placeholder == nil
            ? FileProblem("contains \(character), which a URL cannot contain there", fix: "write \(escape)")
            : FileProblem(
                "contains a character that a URL cannot contain", fix: "escape it, for example a space as %20")
    }

    /// Returns the problem with a URL that a build setting or a script has damaged, or nil for other text. The message
    /// continues a sentence that starts with the key's name.
    ///
    /// - Parameters:
    ///   - isURL: false if the text need not be a URL. Such a text is reported only if it starts like a URL.
    ///   - placeholder: returns the text that is shown instead of a secret.
    static func damage(to text: String, isURL: Bool, placeholder: () -> String?) -> FileProblem? {
        // Return early, because most texts are neither URLs nor the names of variables.
        guard text.hasAny(of: isURL ? ":$%{@<" : ":"), URLText.url(text) == nil || text.hasAny(of: "$") else {
            return nil
        }
        if holdsName(text, isURL: isURL) { return FileProblem(unreplacedIn: text, placeholder: placeholder()) }
        let plain = String(text.filter { !"\"“”‘’`".contains($0) }).trimmingCharacters(in: ["'"])
        if !plain.isSame(as: text), isWeb(plain), URLText.url(text) == nil {
            let isOutside = !text.isSame(as: text.trimmingCharacters(in: .init(charactersIn: "\"“”‘’`'")))
            if isURL || isOutside || URLText.host(of: text).map({ !plain.contains(bytesOf: String($0)) }) == true {
                return FileProblem("contains quotes", fix: "remove them; in .xcconfig files they are part of the value")
            }
        }
        guard isWeb(text), let (scheme, rest) = text.cut(at: ":"), !rest.begins(with: "//") else { return nil }
        if rest.begins(with: "\\/") {
            return FileProblem("contains \\/, which only JSON reads as /", fix: "remove each \\")
        }
        guard isURL || rest.begins(with: "/"),
            let host = URLText.url("\(scheme)://\(rest.without(leading: "/\\"))")?.host, !host.isEmpty
        else { return nil }
        return FileProblem(
            "has no // after \"\(scheme):\"",
            fix: "write \(scheme)://, or \(scheme):/$()/ in an .xcconfig file, where // starts a comment")
    }

    /// Returns true if the whole text or its host is an unreplaced variable: `$HOST`, `%API_URL%`, `{{API_URL}}`,
    /// `@API_URL@` or `<API_URL>`.
    private static func holdsName(_ text: String, isURL: Bool) -> Bool {
        let name = "[A-Za-z_][A-Za-z0-9_.-]*"
        let any = #"(\$\#(name)|%\#(name)%|\{\{[^{}]+\}\}|#\{[^{}]+\}|@\#(name)@|<[^<>]+>)"#
        let place = #"https?:(//\#(any)([:/?#].*)?|/\$\(\)/.*)"#
        return text.range(
            of: isURL ? "^(\(any)|\(place))$" : "^\(place)$", options: [.regularExpression, .caseInsensitive]) != nil
    }

    private static func isWeb(_ text: String) -> Bool {
        let start = text.prefix(6).lowercased()
        return start.begins(with: "http:") || start.begins(with: "https:")
    }
}

extension URLText {
    /// False for text with an invalid user, host or port after `://`, such as `https://two words`. Letters outside
    /// ASCII are valid in a host here, although older systems reject such hosts.
    static func hasValidAuthority(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let rest = Array(text.utf8[colon...].dropFirst())
        guard rest.begins(with: "//") else { return true }
        return hasAuthority(rest.dropFirst(2).filter { $0 < 128 }[...])
    }

    /// Returns the first character after the host that is invalid in a URL, with its escape: `[` and `%5B`. Returns nil
    /// if there is no such character, or if the host is invalid.
    fileprivate static func misfit(in text: String) -> (character: String, escape: String)? {
        guard hasValidAuthority(text), let mark = text.firstRange(ofBytes: "://") else { return nil }
        var isFragment = false
        var rest = text[mark.upperBound...].drop { !"/?#".contains($0) }.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "%", rest.prefix(2).count == 2, rest.prefix(2).allSatisfy({ $0.properties.isASCIIHexDigit }) {
                continue
            }
            if scalar == "#", !isFragment {
                isFragment = true
            } else if !scalar.isASCII || !isCharacter(UInt8(ascii: scalar)) {
                let text = String(scalar)
                return (scalar == " " ? "a space" : text, text.addingPercentEncoding(withAllowedCharacters: []) ?? "")
            }
        }
        return nil
    }
}
