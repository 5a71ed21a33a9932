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
    }

    private(set) var patterns: [Pattern] = []
    /// The number of values that are searched for.
    private(set) var count = 0
    /// The number of values that are not, because there are too many.
    private(set) var rest = 0
    /// The keys of values that are too short to be searched for, because such bytes occur by chance.
    private(set) var short: Set<String> = []
    /// The keys of values that the compiler may store in the code of the program instead of its texts.
    private(set) var inline: Set<String> = []
    private var seen: Set<String> = []

    /// The fewest bytes of a value that is searched for.
    static let minimum = 8
    /// Swift stores a literal of at most this many bytes in the instructions that use it.
    private static let longestInline = 15
    /// A longer value is searched for by this many bytes in its middle: keys of one kind begin with the same bytes.
    private static let longest = 32
    /// The most values that are searched for. Each takes a quarter of a megabyte.
    static let maximum = 1000

    /// Adds the secrets of the environments in a folder: from its secrets files, and from this process's variables. A
    /// sealed environment has made-up values, such as `password`, which other files contain too.
    mutating func add(_ folder: EnvironmentFolder, _ variables: [String: String]) {
        let loader = EnvironmentLoader(folder, variables: EnvironmentVariables(variables))
        for target in folder.targets {
            let layers = loader.load(target)
            if layers.isSealed { continue }
            for (key, text) in layers.secretTexts { add(text, key) }
        }
    }

    private mutating func add(_ text: String, _ key: String) {
        guard seen.insert(text).inserted else { return }
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.minimum else {
            short.insert(key)
            return
        }
        guard count < Self.maximum else {
            rest += 1
            return
        }
        count += 1
        if bytes.count <= Self.longestInline { inline.insert(key) }
        let middle = bytes.count > Self.longest ? (bytes.count - Self.longest) / 2 : 0
        let part = Array(bytes[middle...].prefix(Self.longest))
        add(part, key, "as text")
        // Cutting a text in its middle may cut a character in two, and its UTF-16 has other bytes there.
        let units = Array(text.utf16)
        let start = units.count > Self.longest ? (units.count - Self.longest) / 2 : 0
        let unitsPart = units[start...].prefix(Self.longest)
        patterns.append(
            Pattern(key: key, form: "as UTF-16", bytes: unitsPart.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
        patterns.append(
            Pattern(key: key, form: "as UTF-16", bytes: unitsPart.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
        for alignment in 0..<3 { addBase64(part, key, alignment) }
    }

    /// Adds the characters of base64 that depend on the value alone, if this many bytes, modulo three, precede it.
    private mutating func addBase64(_ value: [UInt8], _ key: String, _ alignment: Int) {
        let text = Data([UInt8](repeating: 0, count: alignment) + value).base64EncodedString()
        let first = (alignment * 8 + 5) / 6
        let last = (alignment + value.count) * 8 / 6
        let characters = Array(Array(text.utf8)[first..<last])
        add(characters, key, "in base64")
        let forURLs = characters.map {
            $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
        }
        if forURLs != characters { patterns.append(Pattern(key: key, form: "in base64", bytes: forURLs)) }
    }

    /// Adds bytes as they are and, if they contain a slash, as Foundation writes them in JSON: with a backslash before
    /// it.
    private mutating func add(_ bytes: [UInt8], _ key: String, _ form: String) {
        patterns.append(Pattern(key: key, form: form, bytes: bytes))
        let escaped = bytes.flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
        if escaped != bytes { patterns.append(Pattern(key: key, form: form, bytes: escaped)) }
    }
}
