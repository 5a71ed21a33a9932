import FingerpostFiles
import Foundation

/// The values of secrets that this machine knows, and the byte patterns by which they are found in a build.
struct KnownSecrets {
    /// One form of one value.
    struct Pattern {
        let key: String
        /// How the value is written, as the end of a sentence: "as text".
        let form: String
        let bytes: [UInt8]
        /// True for base64, which can be written in lines.
        var isBase64 = false
    }

    private(set) var patterns: [Pattern] = []
    /// The number of values that are searched for.
    private(set) var count = 0
    /// The number of them that are known from variables alone.
    private(set) var fromVariables = 0
    /// The number of values that are not, because there are too many.
    private(set) var rest = 0
    /// The keys of values that are too short to be searched for, because such bytes occur by chance.
    private(set) var short: Set<String> = []
    /// The keys of values that the compiler may store in the code of the program instead of its texts.
    private(set) var inline: Set<String> = []
    /// The secrets whose value is not known here: `apiKey of Production`.
    private(set) var unknown: Set<String> = []
    private var seen: Set<String> = []

    /// The fewest bytes of a value that is searched for.
    static let minimum = 8
    /// Swift stores a literal of at most this many bytes in the instructions that use it.
    private static let longestInline = 15
    /// A longer value is searched for by this many bytes in its middle: keys of one kind begin with the same bytes.
    private static let longest = 32
    /// The most values that are searched for. Each takes a quarter of a megabyte.
    static let maximum = 1000

    /// Adds the secrets of the environments in a folder: each value of its files, and each of this process's variables.
    /// A sealed environment has made-up values, such as `password`, which other files contain too.
    mutating func add(_ folder: EnvironmentFolder, _ variables: [String: String]) {
        let loader = EnvironmentLoader(folder, variables: EnvironmentVariables(variables))
        let files = EnvironmentLoader(folder, variables: EnvironmentVariables([:]))
        let environments = folder.targets.map { loader.load($0) }.filter { !$0.isSealed }
        // All files come first: a variable can have the value that another environment has from its file.
        for environment in environments {
            let committed = files.load(environment.name)
            // A higher layer or a variable hides a value, but the build can contain it.
            let alone = committed.documents.filter(Self.isSecretsFile)
                .map { LayeredEnvironment($0, name: environment.name, from: .secrets) }
            for (key, text) in ([committed] + alone).flatMap(\.secretTexts) { add(text, key) }
        }
        let known = count
        for (key, text) in environments.flatMap(\.secretTexts) { add(text, key) }
        fromVariables += count - known
        for environment in environments {
            let keys = environment.rules.secrets.filter { environment[$0]?.node.value.isNull ?? true }
            unknown.formUnion(keys.map { "\($0) of \(environment.name)" })
        }
    }

    private static func isSecretsFile(_ document: Document) -> Bool {
        EnvironmentFile(url: URL(fileURLWithPath: document.path)).map { !$0.isCommitted } ?? false
    }

    private mutating func add(_ text: String, _ key: String) {
        guard seen.insert(text).inserted else { return }
        guard text.utf8.count >= Self.minimum else {
            short.insert(key)
            return
        }
        guard count < Self.maximum else {
            rest += 1
            return
        }
        count += 1
        if text.utf8.count <= Self.longestInline { inline.insert(key) }
        let part = Self.middle(of: Self.line(of: text))
        for form in Self.escaped(part) { patterns.append(Pattern(key: key, form: "as text", bytes: Array(form.utf8))) }
        let units = part.utf16.map { (low: UInt8($0 & 0xFF), high: UInt8($0 >> 8)) }
        patterns.append(Pattern(key: key, form: "as UTF-16", bytes: units.flatMap { [$0.low, $0.high] }))
        patterns.append(Pattern(key: key, form: "as UTF-16", bytes: units.flatMap { [$0.high, $0.low] }))
        for form in Base64Form.all(of: Array(part.utf8)) {
            let text = String(decoding: form.characters, as: UTF8.self)
            // Foundation writes a slash in JSON with a backslash before it.
            for text in Set([text, text.replacingOccurrences(of: "/", with: "\\/")]) {
                patterns.append(Pattern(key: key, form: "in base64", bytes: Array(text.utf8), isBase64: true))
            }
        }
    }

    // MARK: Parts

    /// The line that stands for a value of several lines, because formats write their ends in many ways: of the lines
    /// that are long enough, the one nearest to the middle, because keys of one kind begin alike. Otherwise the
    /// longest.
    private static func line(of text: String) -> String {
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { String(Substring($0)) }.filter { !$0.begins(with: "-----") }
        let long = lines.filter { $0.utf8.count >= longest }
        if !long.isEmpty { return long[long.count / 2] }
        let line = lines.max { $0.utf8.count < $1.utf8.count } ?? text
        return line.utf8.count >= minimum ? line : text
    }

    /// The whole characters among the bytes in the middle of a text.
    private static func middle(of text: String) -> String {
        guard text.utf8.count > longest else { return text }
        let start = (text.utf8.count - longest) / 2
        var (part, place) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            let end = place + UTF8.width(scalar)
            if place >= start, end <= start + longest { part.append(scalar) }
            place = end
        }
        return String(part)
    }

    /// The value as it is, and as XML, JSON and URLs write it.
    private static func escaped(_ text: String) -> Set<String> {
        let json: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
        ]
        let slashes = json.merging(["/": "\\/"]) { $1 }
        let tags: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        let quotes = tags.merging(["\"": "&quot;", "'": "&apos;"]) { $1 }
        let numbers = tags.merging(["\"": "&#34;", "'": "&#39;"]) { $1 }
        let webPages = tags.merging(["\"": "&quot;", "'": "&#39;"]) { $1 }
        var forms: Set = [text, text.replacing(["\n": "\r\n"])]
        for escapes in [json, slashes] {
            forms.insert(text.replacing(escapes))
            for isUppercase in [false, true] {
                let form = text.replacing(escapes) { scalar in
                    scalar.isASCII
                        ? nil
                        : String(scalar).utf16.map { unit in
                            let digits = String(unit, radix: 16, uppercase: isUppercase)
                            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                        }.joined()
                }
                forms.insert(form)
            }
        }
        for escapes in [tags, tags.merging(["\"": "&quot;"]) { $1 }, quotes, numbers, webPages] {
            forms.insert(text.replacing(escapes))
        }
        // RFC 3986, `encodeURIComponent`, a query of Foundation, and a form.
        for kept in ["-._~", "-._~!'()*", "-._~!$&'()*+,;=:@/?", "-._*"] {
            for isUppercase in [true, false] {
                let isForm = kept.utf8.count == 4 && kept.utf8.last == UInt8(ascii: "*")
                let form = text.replacing(isForm ? [" ": "+"] : [:]) { scalar in
                    String(scalar).utf8.map { byte in
                        if byte.isASCIILetter || byte.isASCIIDigit || kept.utf8.contains(byte) {
                            return String(Unicode.Scalar(byte))
                        }
                        let digits = String(byte, radix: 16, uppercase: isUppercase)
                        return "%" + (byte < 16 ? "0" : "") + digits
                    }.joined()
                }
                forms.insert(form)
            }
        }
        return forms
    }
}

extension String {
    /// The text with each character replaced by what the table has for it, or else by what the function returns.
    fileprivate func replacing(
        _ table: [Unicode.Scalar: String], _ other: (Unicode.Scalar) -> String? = { _ in nil }
    ) -> String {
        unicodeScalars.map { table[$0] ?? other($0) ?? String($0) }.joined()
    }
}
