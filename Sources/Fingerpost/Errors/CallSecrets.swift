package import FingerpostFiles
import Foundation

/// Replaces the values that a call knows to be secret, wherever a text of others repeats them: in the messages of
/// servers and of the app's own code that an error, a log or a description shows.
///
/// The escapes of JSON, URLs and forms are seen through. Other disguises, such as Base64, are not.
package struct CallSecrets: Sendable {
    /// The length in bytes from which a text is hidden: `on` and `7` are parts of many words.
    package static let minimumLength = 4

    /// The length in bytes from which a credential is hardly the part of a word by coincidence.
    package static let unlikelyLength = 8

    /// What can be in the place of a credential without being one.
    private static let ordinary = SensitiveName.schemes.union(["true", "false", "null"])

    /// How many values of a response's own body are credentials that are looked for, and how long one may be, in bytes.
    /// A server must not be able to make an error expensive.
    static let (mostIssued, longestIssued) = (200, 4096)

    /// The longest message of a server that is shown, in bytes.
    private static let longestMessage = 4096

    package let scanner: SecretScanner

    /// - Parameters:
    ///   - secrets: the values that an environment declares as secret, and their keys, shown as `<secret key>`. They
    ///     are found inside longer words too.
    ///   - credentials: other values to hide, shown as `<redacted>`. Their escapes are undone.
    ///   - issued: such values that answers issued, in order. The first 200 of up to 4 KiB are looked for.
    ///   - more: other forms of a value to look for.
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

    /// The text without the known secrets.
    @inline(never)
    func hide(_ text: String) -> String { scanner.hide(text) }

    /// The text as it may be shown: without the known secrets, without what has the name of one, and without characters
    /// that control a terminal or forge a line.
    func shown(_ text: String) -> String { withoutNamed(text).printable }

    /// The message of a server, or of other code, without secrets, cut at 4 KiB.
    func message(_ text: String) -> String { start(of: text, Self.longestMessage) }

    /// The start of a text without secrets. Twice as much as is shown is searched, because what is hidden is often
    /// longer than what is shown of it.
    func start(of text: String, _ length: Int) -> String {
        let start = scanner.hide(text, upTo: 2 * length).start(2 * length)
        let shown = NamedValues.hidden(in: start, hasMarkup: true)
        let isCut = text.utf8.count > 2 * length || shown.utf8.count > length
        return isCut ? shown.start(length) + "…" : shown
    }

    /// The text without the known secrets, and without what has the name of one.
    func withoutNamed(_ text: String) -> String { NamedValues.hidden(in: hide(text), hasMarkup: true) }
}

extension String {
    /// The first bytes of the text, without a part of a character.
    fileprivate func start(_ length: Int) -> String {
        utf8.count <= length ? self : String(self[..<utf8.index(startIndex, offsetBy: length)])
    }
}
