import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Hides secrets in recordings and reports.
///
/// | Question | Answer |
/// |---|---|
/// | Is the value under this name a credential? | `SensitiveName`, and `SensitiveName.isIssued` for responses |
/// | Which credentials do a call and its response contain? | ``CallCredentials``, which calls `Redaction.credentials` |
/// | Where does a text repeat a known value? | `SecretScanner`, which also finds the encodings from ``more(_:)`` |
/// | Which parts of a text are under the name of a credential? | `NamedValues`, and `Redaction.url` for addresses |
/// | Which parts have the format of a credential, such as a GitHub token? | `SecretShape` |
/// | Which body is recorded after redaction? | ``RedactedJSON``, ``RedactedStream`` |
struct SecretRedactor: Sendable {
    /// The maximum total size in bytes of the credentials to search for. Each byte takes up to 1 KiB of memory.
    static let largestKnown = 1 << 17

    private let scanner: SecretScanner
    /// False if there are too many credentials to search for all of them.
    let isComplete: Bool

    /// - Parameters:
    ///   - secrets: the secrets of an environment. Each secret is replaced by `<secret key>`, where `key` is the
    ///     secret's key. A secret is replaced even inside a longer word.
    ///   - credentials: other values to hide. Each value is replaced by `<redacted>`. Short values are found only as
    ///     whole words.
    init(secrets: [(key: String, text: String)] = [], credentials: [String] = []) {
        var (seen, rest) = (Set<String>(), Self.largestKnown)
        let known = credentials.filter { seen.insert($0).inserted }.prefix {
            rest -= $0.utf8.count
            return rest >= 0
        }
        isComplete = rest >= 0
        scanner = CallSecrets(secrets: secrets, credentials: Array(known), more: Self.more).scanner
    }

    init(_ environment: Environment?, credentials: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials)
    }

    /// Returns the encodings of a value that `SecretScanner` does not search for by itself: UTF-16, and Base64 without
    /// line breaks. The Base64 text may also encode bytes before and after the value. A short value, however, is found
    /// only at the start of a Base64 text.
    static func more(_ value: String) -> [[UInt8]] {
        let bytes = Array(value.utf8)
        let start = Data(bytes).base64EncodedString().prefix(before: "=")
        let inside = bytes.count < CallSecrets.unlikelyLength ? [] : bytes.base64Forms
        let units = value.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return inside + [Array(start.utf8), units.flatMap(\.self), units.flatMap { $0.reversed() }]
    }

    /// Returns the ranges of known values, in the order of the text.
    func places(in text: [UInt8]) -> [Range<Int>] {
        text.withUnsafeBytes { scanner.places(in: $0).map(\.range) }
    }

    /// Returns true if a text is a secret or contains a long secret. A short secret can be part of a word by
    /// coincidence.
    func isSecret(_ text: some Sequence<UInt8>) -> Bool {
        let text = Array(text)
        let isKnown = text.withUnsafeBytes { bytes in
            scanner.places(in: bytes).contains {
                $0.value.text.utf8.count >= CallSecrets.unlikelyLength || $0.range == text.indices
            }
        }
        return isKnown || !text.shapedSecrets.isEmpty
    }

    /// Returns the text with `<secret key>` or `<redacted>` in place of each known value.
    func redact(_ text: String) -> String { scanner.hide(text) }

    /// Returns the text without known values and other credentials. A credential is recognized by its name or its
    /// format.
    func hidden(_ text: String) -> String {
        // In an address, the values of query items can be percent-encoded and can contain other addresses.
        let isAddress =
            (text.contains(bytesOf: "//") || text.hasAny(of: "?")) && !text.hasAny(of: " \t\r\n\"'<>{}`")
        if isAddress { return hidden(address: text) }
        return Self.withoutShapes(NamedText.withoutMarkup(NamedValues.hidden(in: redact(text))))
    }

    /// Returns an address without known values and other credentials. A credential is recognized by its name or its
    /// format. The result is a valid address, so its placeholders have no angle brackets.
    func hidden(address: String) -> String {
        let hidden = Self.withoutShapes(NamedValues.hidden(in: redact(Self.address(address))))
        guard hidden.hasAny(of: "<") else { return hidden }
        return hidden.replacing(/<redacted>|<secret [^<>]*>/.matchingSemantics(.unicodeScalar), with: "redacted")
    }

    /// Returns true if bytes that are not valid UTF-8 contain a known value or another credential. A credential is
    /// recognized by its name or its format.
    func findsSecret(inBinary data: Data, isForm: Bool = false) -> Bool {
        let bytes = [UInt8](data)
        if !places(in: bytes).isEmpty { return true }
        let text = isForm ? data.searchedText : bytes.texts
        return !(isForm ? hidden(form: text) : Self.withoutShapes(NamedValues.hidden(in: text))).isSame(as: text)
    }

    /// Returns an address without its user. If a query item has the name of a credential, the item's value is hidden
    /// too.
    private static func address(_ text: String) -> String {
        let fragment = text.cut(at: "#").map { "#" + query(String($0.after)) } ?? ""
        // A relative reference that starts with `//` can contain a user (RFC 3986 section 4.2).
        let scheme = text.begins(with: "//") ? "s:" : ""
        return Redaction.url(scheme + text).dropFirst(scheme.count) + fragment
    }

    /// Returns a form without known values. If a field has the name of a credential, the field's value is hidden too.
    func hidden(form: String) -> String {
        Self.withoutShapes(Self.query(redact(form).replacing(bytesOf: "#", with: "%23")))
    }

    private static func query(_ text: String) -> String { String(Redaction.url("?" + text).dropFirst()) }

    /// Returns ``hidden(_:)`` without characters that control a terminal or forge a line.
    func shown(_ text: String) -> String { hidden(text).printable }

    private static func withoutShapes(_ text: String) -> String {
        text.replacing(Array(text.utf8).shapedSecrets.map { ($0.range, SensitiveName.placeholder) })
    }
}

extension [UInt8] {
    /// The parts of these bytes that are ASCII text and long enough for a name with a value. A DEL character precedes
    /// each part. Other bytes, such as most bytes of a video, are left out of the search.
    var texts: String {
        let shortest = NamedText.shortest + 2
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return "" }
            let isText = { (index: Int) in start[index] < 0x7F && (start[index] >= 0x20 || 0x09...0x0D ~= start[index])
            }
            var (found, last, index) = ([UInt8](), 0, shortest - 1)
            while index < bytes.count {
                var (lower, upper) = (index, index)
                while lower > last, isText(lower - 1) { lower -= 1 }
                while upper < bytes.count, isText(upper) { upper += 1 }
                if upper > index, upper - lower >= shortest { found += [0x7F] + bytes[lower..<upper] }
                (last, index) = (upper, upper + shortest)
            }
            return String(decoding: found, as: UTF8.self)
        }
    }
}

/// Finds credentials in files: the secrets of environments by their values, and other credentials by their format.
struct SecretScan: Sendable {
    private let redactor: SecretRedactor
    /// Finds the secrets of environments, and replaces each secret by a description of the secret's kind.
    private let scanner: SecretScanner

    init(_ environments: [Environment]) {
        redactor = SecretRedactor(secrets: environments.flatMap(\.layers.secretTexts))
        let values = environments.flatMap { environment in
            environment.layers.secretTexts.map { key, text in
                (text: text, shown: "the secret \"\(key)\" of the environment \(environment.name)", isWord: false)
            }
        }
        scanner = SecretScanner(
            values.filter { $0.text.utf8.count >= CallSecrets.minimumLength }, more: SecretRedactor.more)
    }

    /// Loads the environments from the folder beside a mocks folder, or else from the folder that the client finds.
    /// What cannot be read is skipped, because a separate check reports the errors of environments.
    init(besideMocksIn folder: URL) {
        let url = try? EnvironmentFolder.url(besideMocksIn: folder)
        let targets = url.flatMap { try? EnvironmentFolder(url: $0) }?.targets ?? []
        self.init(targets.compactMap { try? Environment.load($0, from: url) })
    }

    /// Returns text as it may be shown to people: see `SecretRedactor.shown(_:)`.
    func shown(_ text: String) -> String { redactor.shown(text) }

    /// Returns the kind and the 1-based line of each credential in the text. A kind, such as `a GitHub token`, never
    /// contains the credential. The result is sorted by line, with each kind at most once per line.
    func matches(in data: Data) -> [(kind: String, line: Int)] {
        let text = [UInt8](data)
        let found =
            (text.shapedSecrets.map { ($0.range.lowerBound, $0.kind) }
            + text.withUnsafeBytes { scanner.places(in: $0) }.map { ($0.range.lowerBound, $0.value.shown) })
            .sorted { $0.0 < $1.0 }
        var seen: Set<String> = []
        return zip(found, text.lines(at: found.map(\.0))).map { (kind: $0.1, line: $1) }
            .filter { seen.insert("\($0.line) \($0.kind)").inserted }
    }
}
