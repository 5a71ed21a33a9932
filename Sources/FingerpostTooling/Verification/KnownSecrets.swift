import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The values of secrets that this machine knows, and the byte patterns by which they are found in a build.
struct KnownSecrets {
    /// One form of a part of a value.
    struct Pattern {
        enum Form: String {
            case text = "as text"
            case utf16 = "as UTF-16"
            case base64 = "in base64"
            /// The number of a private key, as in its file in DER.
            case bytes = "as bytes"
        }

        let key: String
        let form: Form
        let bytes: [UInt8]
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
    /// The secrets without a value in a folder, and those with one: `apiKey of Production`.
    private var (missing, present): (Set<String>, Set<String>) = ([], [])
    /// The declared keys of values in which nothing looks secret, and of other values.
    private var (quiet, loud): (Set<String>, Set<String>) = ([], [])
    private var seen: Set<String> = []
    /// The number of parts of values that are searched for.
    private var parts = 0

    /// The secrets whose value is not known here.
    var unknown: Set<String> { missing.subtracting(present) }
    /// The secrets in whose values nothing looks secret.
    var harmless: Set<String> { quiet.subtracting(loud) }

    /// The fewest bytes of a value that is searched for.
    static let minimum = 8
    /// Swift stores a literal of at most this many bytes in the instructions that use it.
    private static let longestInline = 15
    /// A longer part is searched for by this many bytes in its middle: keys of one kind begin with the same bytes.
    private static let longest = 32
    /// The most parts of values that are searched for. Each takes up to eight kilobytes.
    static let maximum = 5_000

    /// Adds the secrets of the environments in a folder: each value of its files, and each of this process's variables.
    /// A sealed environment has made-up values, such as `password`, which other files contain too.
    mutating func add(_ folder: EnvironmentFolder, _ variables: [String: String]) {
        let environments = folder.targets.map { folder.load($0, variables: variables, desk: BuildDesk.self) }
            .filter { !$0.isSealed }
        // All files come first: a variable can have the value that another environment has from its file.
        for environment in environments {
            let committed = folder.load(environment.name, desk: BuildDesk.self)
            // A higher layer or a variable hides a value, but the build can contain it.
            let alone = committed.documents.filter(Self.isSecretsFile)
                .map { LayeredEnvironment($0, name: environment.name, from: .secrets, desk: BuildDesk.self) }
            for layers in [committed] + alone { add(layers.secretTexts, environment.rules.secrets) }
        }
        let known = count
        for environment in environments { add(environment.secretTexts, environment.rules.secrets) }
        fromVariables += count - known
        for environment in environments {
            for key in environment.rules.secrets {
                let isMissing = environment[key]?.node.value.isNull ?? true
                let name = "\(key) of \(environment.name)"
                if isMissing { missing.insert(name) } else { present.insert(name) }
            }
        }
    }

    private static func isSecretsFile(_ document: Document) -> Bool {
        EnvironmentFile(url: URL(fileURLWithPath: document.path)).map { !$0.isCommitted } ?? false
    }

    /// - Parameter secrets: the keys that are declared as secrets.
    private mutating func add(_ texts: [(key: String, text: String)], _ secrets: Set<String>) {
        for (key, text) in texts where seen.insert(text).inserted {
            let names = key.parts(between: ".").map(String.init)
            let dictionary = names.indices.map { names[..<$0].joined(separator: ".") }.first(where: secrets.contains)
            if let dictionary, !secrets.contains(key) {
                // What is public can be in a dictionary that is a secret, as in a text of several lines.
                add(SecretParts(text, named: names[names.count - 1]), of: text, key, declared: dictionary)
            } else {
                add(SecretParts(text), of: text, key, declared: key)
            }
        }
    }

    private mutating func add(_ found: SecretParts, of text: String, _ key: String, declared: String) {
        if found.isEmpty { quiet.insert(declared) } else { loud.insert(declared) }
        let texts = found.texts.filter { $0.utf8.count >= Self.minimum }
        let numbers = found.numbers.filter { $0.count >= Self.minimum }
        let size = texts.count + numbers.count
        if size == 0 {
            if !found.isEmpty { short.insert(key) }
        } else if parts + size > Self.maximum {
            rest += 1
        } else {
            parts += size
            count += 1
            if text.utf8.count <= Self.longestInline { inline.insert(key) }
            for text in texts { add(Self.middle(of: text), key) }
            for number in numbers { add(Array(number.prefix(Self.longest)), .bytes, key) }
        }
    }

    private mutating func add(_ part: String, _ key: String) {
        add(Array(part.utf8), .text, key)
        guard !part.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        let units = part.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        // The bytes of UTF-16 without zeros. For letters of western Europe, they are those of Latin-1.
        let form: Pattern.Form = units.contains { $0[1] > 0 } ? .utf16 : .text
        for bytes in Set([units.flatMap(\.self), units.flatMap { $0.reversed() }].map { $0.filter { $0 > 0 } }) {
            patterns.append(Pattern(key: key, form: form, bytes: bytes))
        }
    }

    private mutating func add(_ bytes: [UInt8], _ form: Pattern.Form, _ key: String) {
        patterns.append(Pattern(key: key, form: form, bytes: bytes))
        for base64 in Base64Form.all(of: bytes) {
            patterns.append(Pattern(key: key, form: .base64, bytes: base64.characters))
        }
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
}
