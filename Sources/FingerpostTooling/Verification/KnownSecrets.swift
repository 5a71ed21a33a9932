import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The values of the secrets known on this machine, as byte patterns for the search in a build.
struct KnownSecrets {
    /// One form of a secret's value, or of one line of the value.
    struct Pattern {
        let key: String
        /// A description of the form for the end of a sentence.
        let form: String
        let bytes: [UInt8]
    }

    private(set) var patterns: [Pattern] = []
    /// The number of values that are searched for.
    private(set) var count = 0
    /// The number of values that are not searched for, because there are too many.
    private(set) var rest = 0
    /// The keys of values that are too short to search for, because short values occur by chance.
    private(set) var short: Set<String> = []
    /// `missing` contains the secrets without a value in at least one folder. `present` contains the secrets with a
    /// value in at least one folder. An element is a text such as `apiKey of Production`.
    private var (missing, present): (Set<String>, Set<String>) = ([], [])
    private var seen: Set<String> = []
    private var forms = SecretForms()
    /// The number of values and lines that are searched for.
    private var parts = 0

    /// The secrets whose values this machine does not know.
    var unknown: Set<String> { missing.subtracting(present) }

    /// The minimum size in bytes of a value that is searched for.
    static let minimum = 8
    static let shortestLine = 16
    /// The maximum length of a searched value or line, in bytes. Of a longer value, the build is searched for the bytes
    /// in the middle, because keys of one kind start with the same bytes.
    private static let longest = 64
    /// The maximum number of values and lines that are searched for. Each value or line takes up to 60 KB of memory.
    static let maximum = 5_000

    /// Adds the secrets of the environments in a folder. The values come from files and from environment variables of
    /// this process. Sealed environments are left out, because their values are invented: a value such as `password`
    /// may also occur in other files.
    mutating func add(_ folder: EnvironmentFolder, _ variables: [String: String]) {
        for name in folder.targets {
            let environment = folder.load(name, variables: variables, parser: BuildParser.self)
            if environment.isSealed { continue }
            // Read each file separately, because a higher layer or an environment variable can replace a value that the
            // build contains.
            let files = folder.load(name, parser: BuildParser.self).documents.map { document in
                let isCommitted = EnvironmentFile(url: URL(fileURLWithPath: document.path))?.isCommitted != false
                let alone = LayeredEnvironment(document, name: name, from: .secrets, parser: BuildParser.self)
                return (isCommitted: isCommitted, values: alone)
            }
            let uncommitted = files.filter { !$0.isCommitted }.map(\.values)
            for (key, text) in (uncommitted + [environment]).flatMap(\.secretTexts) {
                // If a committed file contains a value too, and no file declares the value as a secret, the value is
                // public, such as a base URL.
                let isPublic = files.contains { $0.isCommitted && $0.values[key]?.node.value.scalarText == text }
                if environment.rules.secrets.covers(key) || !isPublic { add(text, key) }
            }
            for key in environment.rules.secrets {
                let isMissing = environment[key]?.node.value.isNull ?? true
                if isMissing { missing.insert("\(key) of \(name)") } else { present.insert("\(key) of \(name)") }
            }
        }
    }

    private mutating func add(_ text: String, _ key: String) {
        guard seen.insert(text).inserted else { return }
        let lines = text.words(between: "\r\n").map { $0.trimmingCharacters(in: .whitespaces) }
        // The first and last lines of a PEM file are the same for all keys.
        let long = lines.filter { $0.utf8.count >= Self.shortestLine && !$0.begins(with: "-----") }
        let whole = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let found = lines.count > 1 && !long.isEmpty ? long : [whole]
        if whole.utf8.count < Self.minimum {
            short.insert(key)
        } else if parts + found.count > Self.maximum {
            rest += 1
        } else {
            parts += found.count
            count += 1
            for part in found { add(form: Self.middle(of: part), key) }
        }
    }

    private mutating func add(form part: String, _ key: String) {
        func add(_ bytes: [UInt8], _ form: String) { patterns.append(Pattern(key: key, form: form, bytes: bytes)) }
        let text = Array(part.utf8)
        let backslashes = { (bytes: [UInt8]) in bytes.count { $0 == UInt8(ascii: "\\") } }
        // A form that is more than three times as long escapes every letter. Software for configuration files does not
        // do this.
        for form in forms.all(of: part) where form.utf8.count <= 3 * text.count {
            let bytes = Array(form.utf8)
            let escaped = backslashes(bytes) > backslashes(text) ? "escaped for JSON" : "percent-encoded"
            add(bytes, bytes == text ? "as text" : escaped)
            let units = form.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            for bytes in [units.flatMap(\.self), units.flatMap { $0.reversed() }] { add(bytes, "as UTF-16") }
        }
        for base64 in text.base64Forms { add(base64, "in base64") }
    }

    /// Returns the middle of a text. Characters that are only partly in the middle are left out.
    private static func middle(of text: String) -> String {
        let start = max(0, text.utf8.count - longest) / 2
        var (part, place) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            let end = place + UTF8.width(scalar)
            if place >= start, end <= start + longest { part.append(scalar) }
            place = end
        }
        return String(part)
    }
}
