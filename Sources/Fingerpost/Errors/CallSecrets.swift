package import FingerpostFiles
import Foundation

/// Replaces the secrets of a call in texts that may repeat them, such as the messages of servers and of the app's own
/// code. These texts are parts of errors, logs and descriptions.
///
/// A secret is also found if it is escaped as in JSON, URLs or forms. A secret in another encoding, such as Base64, is
/// not found.
package struct CallSecrets: Sendable {
    /// The minimum length in bytes of a text that is hidden. Shorter texts, such as `on` and `7`, are parts of many
    /// words.
    package static let minimumLength = 4

    /// A credential of at least this length in bytes is unlikely to occur in an ordinary word by coincidence.
    package static let unlikelyLength = 8

    /// Ordinary words that can occur where a credential is expected.
    private static let ordinary = SensitiveName.schemes.union(["true", "false", "null"])

    /// The maximum number of issued credentials that are searched for, and the maximum length of each credential in
    /// bytes. Without these limits, a server could make an error expensive.
    static let (mostIssued, longestIssued) = (200, 4096)

    /// The length in bytes at which a server's message is truncated.
    private static let longestMessage = 4096

    package let scanner: SecretScanner

    /// - Parameters:
    ///   - secrets: the values that an environment declares as secret, with their keys. Each value is shown as `<secret
    ///     key>`, and is also found inside longer words.
    ///   - credentials: other values to hide. Each value is shown as `<redacted>`, and is also found with escapes.
    ///   - issued: the credentials that responses have issued, in order. Only the first 200 are searched for.
    ///     Credentials of more than 4 KiB are ignored.
    ///   - more: returns the encoded variants of a value, which are searched for too.
    package init(
        secrets: [(key: String, text: String)] = [], credentials: [String] = [], issued: [String] = [],
        more: (String) -> [[UInt8]] = { _ in [] }
    ) {
        var seen = Set(credentials.map(ByteName.init))
        let new = issued.filter { $0.utf8.count <= Self.longestIssued && seen.insert(ByteName($0)).inserted }
        let known = (credentials + new.prefix(Self.mostIssued)).flatMap { [$0] + ($0.unescaped.map { [$0] } ?? []) }
        seen = []
        let values = known.filter { !Self.ordinary.contains($0.lowercased()) && seen.insert(ByteName($0)).inserted }
        let all: [SecretScanner.Value] =
            secrets.map { ($0.text, "<secret \($0.key)>", isWord: false) }
            + values.map { ($0, SensitiveName.placeholder, isWord: $0.utf8.count < Self.unlikelyLength) }
        scanner = SecretScanner(all.filter { $0.text.utf8.count >= Self.minimumLength }, more: more)
    }

    /// Returns the text without the known secrets.
    @inline(never)
    func hide(_ text: String) -> String { scanner.hide(text) }

    /// Returns the text as it may be shown: without known secrets, without values that have sensitive names, and
    /// without characters that control a terminal or forge a line.
    func shown(_ text: String) -> String { withoutNamed(text).printable }

    /// Returns the message of a server or of other code without secrets, truncated at 4 KiB.
    func message(_ text: String) -> String { start(of: text, Self.longestMessage) }

    /// Returns the start of a text, without secrets. The search for secrets covers twice this length, because a secret
    /// is often longer than its placeholder.
    func start(of text: String, _ length: Int) -> String {
        let start = scanner.hide(text, upTo: 2 * length).start(2 * length)
        let shown = NamedValues.hidden(in: start, hasMarkup: true)
        let isCut = text.utf8.count > 2 * length || shown.utf8.count > length
        return isCut ? shown.start(length) + "…" : shown
    }

    /// Returns the text without the known secrets, and without values that have sensitive names.
    func withoutNamed(_ text: String) -> String { NamedValues.hidden(in: hide(text), hasMarkup: true) }
}

extension String {
    /// Returns the first bytes of the text. No character is divided.
    fileprivate func start(_ length: Int) -> String {
        utf8.count <= length ? self : String(self[..<utf8.index(startIndex, offsetBy: length)])
    }
}
