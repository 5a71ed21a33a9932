import FingerpostFiles

/// Builds indented lines of Swift code.
struct SwiftText {
    private(set) var lines: [String] = []
    private var depth = 0

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Adds a line that opens a block in braces.
    mutating func open(_ head: String) {
        line(head + " {")
        depth += 1
    }

    /// Adds a line that closes the current block.
    mutating func close() {
        depth -= 1
        line("}")
    }

    /// Returns a Swift string literal for a text.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns text that can be written in a line comment. Line breaks are replaced by spaces.
    static func comment(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}

/// Converts key names and file names to Swift identifiers.
enum SwiftIdentifier {
    /// Converts a name to an identifier in camel case: `sample-rate` becomes `sampleRate`, and `users/show` becomes
    /// `usersShow`. Returns nil if the name cannot be converted.
    static func make(_ name: String) -> String? {
        var identifier = ""
        var startsWord = false
        for scalar in name.unicodeScalars {
            if scalar == "_" || scalar.properties.isXIDContinue {
                let text = String(scalar)
                identifier += startsWord && !identifier.isEmpty ? text.uppercased() : text
                startsWord = false
            } else if scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F {
                startsWord = true
            } else {
                return nil
            }
        }
        guard let first = identifier.unicodeScalars.first, first == "_" || first.properties.isXIDStart,
            identifier.contains(where: { $0 != "_" })
        else { return nil }
        return identifier
    }

    /// Returns the name of the type for a dictionary's accessor: `AnalyticsValues` for the accessor `analytics`.
    ///
    /// The suffix avoids conflicts with types from Foundation and the app, such as `Data`.
    static func typeName(_ identifier: String) -> String {
        identifier.prefix(1).uppercased() + identifier.dropFirst() + "Values"
    }

    /// Returns an identifier for a declaration. A keyword is put in backticks.
    static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// Names that cannot be used as identifiers because they have a special meaning after a dot, even in backticks.
    static let unusable: Set = ["self", "Self", "Type", "Protocol", "init"]

    private static let keywords: Set = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
}

extension EnvironmentRules.Access {
    /// The modifier at the start of each generated declaration and import. Empty for Swift's default access level.
    var modifier: String { self == .internal ? "" : "\(rawValue) " }
}
